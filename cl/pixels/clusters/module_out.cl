/* SPDX-License-Identifier: Apache-2.0 */
/* Copies the module ids for the steps after clustering, with the invalid id for each dropped digi.
 *
 * The ids may be replaced in place: `out` may be the same range as `module_id`.
 *
 * Form: both.
 * Defines: WG, ID_T, ADC_T, ORDER_ANY (pixels/input/input.clh).
 * Optional: CPU_FORM (on CPUs: common/sweep.clh). */
#include "pixels/input/input.clh"
#include "common/sweep.clh"

__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void module_out(
    mote_pixels_params prm, const __global ID_T *module_id, ulong module_id_at,
    const __global uint *n_device, ulong n_device_at, const __global int *cluster_id,
    ulong cluster_id_at, __global ID_T *module_id_out, ulong module_id_out_at)
{
    uint n = input_length(prm, n_device + n_device_at);
    module_id += module_id_at;
    cluster_id += cluster_id_at;
    module_id_out += module_id_out_at;
    for (sweep s = sweep_of(n); s.at < s.end; s.at += s.step) {
        ID_T id = module_id[s.at];
        module_id_out[s.at] = cluster_id[s.at] < 0 ? (ID_T)prm.invalid_module : id;
    }
}
