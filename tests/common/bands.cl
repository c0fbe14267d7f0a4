/* SPDX-License-Identifier: Apache-2.0 */
/* The value that each lane of a band gets by each exchange: groups of one band. */
#include "common/band.clh"

/* Results of a lane, in this order: own lane, five exchanges with each distance, sum. */
#define RESULTS (2 + 5 * BAND)

/* value: [group][lane], result: [group][lane][RESULTS]. distances: BAND elements; PoCL would unroll
 * a loop with a known end, which takes minutes for so many barriers. */
__kernel BAND_KERNEL __attribute__((reqd_work_group_size(BAND, 1, 1))) void try_band(
    const __global uint *value, __global uint *result, uint distances)
{
    __local uint box[BAND];
    __local uint seen[BAND];
    uint lane = band_lane(), mine = value[get_group_id(0) * BAND + lane];
    __global uint *to = result + (get_group_id(0) * BAND + lane) * RESULTS;
    seen[lane] = mine;
    band_sync();
    to[0] = seen[lane ^ 1];
    to[1] = band_sum_before(mine, box);
    for (uint d = 0; d < distances; d++) {
        to[2 + 5 * d] = band_xor(mine, d, box);
        to[3 + 5 * d] = band_up(mine, d, box);
        to[4 + 5 * d] = band_down(mine, d, box);
        to[5 + 5 * d] = band_read(mine, d, box);
        to[6 + 5 * d] = band_ballot(mine >> d & 1, box);
    }
}
