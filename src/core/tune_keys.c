/* SPDX-License-Identifier: Apache-2.0 */
#include "core/tune_keys.h"

#include <stddef.h>
#include <string.h>

/* clang-format off */
const mote_tune_key mote_tune_keys[] = {
    {"core.form", "gpu or cpu", "device's class", "form of the conversion of buffers"},
    {"reduce.form", "gpu or cpu", "device's class", "form of sums, scans and bins"},
    {"reduce.fp64", "0 or 1", "1 where there is fp64", "0: sums as on a device without double precision"},
    {"reduce.sum_group", "work-items", "256; 512 for values of 8 bytes", "more loads under way; fewer groups fit a unit"},
    {"reduce.sum_groups", "groups a unit", "64", "evener shares of the blocks; more groups to start"},
    {"reduce.sum_items", "work-items a unit, CPU form", "4", "evener shares; each needs 16384 values to pay"},
    {"reduce.scan_one_group", "elements", "8192", "saves a launch; one group works alone"},
    {"reduce.scan_group", "work-items", "256", "longer tiles; longer waits at barriers"},
    {"reduce.scan_groups_a_unit", "groups a unit", "8", "evener shares; more sums that each group reads"},
    {"reduce.bin_group", "work-items", "256", "longer tiles, so a smaller matrix; more local memory"},
    {"reduce.bin_columns_group", "work-items", "256", "more rows read at once; fewer groups fit a unit"},
    {"jagged.form", "gpu or cpu", "device's class", "form of everything on lists"},
    {"jagged.group", "work-items", "128; 256 up to 2^20 elements and where no tiles are searched", "fewer steps of the search; longer waits at barriers"},
    {"jagged.tile", "elements and lists", "what fills the device once, at most 8160", "fewer searches; fewer groups"},
    {"jagged.tiles", "tiles a group", "1 to 4, by the work", "one search for several tiles; fewer groups"},
    {"jagged.items", "work-items, CPU form", "4 x units (starts and stops: 1 x units)", "evener shares; each must pay for its search"},
    {"jagged.nonzero_groups_a_unit", "groups a unit", "16", "evener shares; a longer scan of their counts"},
    {"jagged.from_parents_span", "lists", "65536", "longer runs of lists for one group; fewer searches"},
    {"segments.fp64", "0 or 1", "1 where there is fp64", "0: sums as on a device without double precision"},
    {"segments.group", "work-items", "128 (64: dense and many; 512: one long list)", "more chunks at once; fewer groups fit a unit"},
    {"segments.tile", "elements and lists", "4096", "fewer searches; more local memory"},
    {"segments.tiles", "tiles a group", "1 to 4 by the work; 15 behind the flat launch", "one search for several tiles; fewer groups"},
    {"segments.alone", "elements", "131072 (524288: groups of 512)", "saves the launch that joins; one group takes a long list alone"},
    {"segments.flat", "elements a list, mean", "2 from 200000 lists on, else 0", "lists up to that mean go first, without searches; longer ones are passed over twice"},
    {"segments.flat_group", "work-items", "128", "fewer groups; longer waits for the longest list"},
    {"segments.items", "work-items, CPU form", "4 x units", "evener shares; each needs 8192 elements and lists to pay"},
    {"pixels.form", "gpu or cpu", "device's class", "form of clustering and of what goes with it"},
    {"pixels.work_group", "work-items", "512 on GPUs, 64 on CPUs", "more digis at once; small modules leave more of a group idle"},
    {"pixels.tile", "positions, a power of two", "512", "fewer tiles whose ends are searched; fewer groups, more local memory"},
    {"pixels.arena", "words of local memory", "10240", "larger packs before global memory is needed; fewer groups fit a unit"},
    {"pixels.cpu_tile", "positions, CPU form", "1024", "fewer ends to search; less even shares"},
    {"pixels.cpu_items", "work-items, CPU form", "4 x units", "more that may take part; each has a bitmap of its own"},
    {"pixels.cpu_slices", "parts of an event, CPU form, any order", "0 from 4 events a unit on, else about 2 x units / events", "evener shares; more counters to add up. 0: a work-item takes whole events, in one launch"},
    {"coordination.form", "gpu or cpu", "device's class", "form of both methods"},
    {"coordination.group", "work-items", "all pairs 64 to 256, cells 128", "partners shared by more entries; longer waits at barriers"},
    {"coordination.own", "entries a work-item", "rows 1, from 4097 entries on 4; tiles by the number of groups", "a partner read once serves more entries; more registers, fewer groups"},
    {"coordination.tile", "entries in local memory, rows", "128", "fewer barriers; more local memory"},
    {"coordination.split", "teams a group, rows", "group / 64, or group / 32 from 256 on", "more work-items on the same entries; more sums to add up"},
    {"coordination.groups", "groups, rows", "units x 512 / group", "fills a device with few entries; more partial sums"},
    {"coordination.symmetric", "0 or 1", "1 from 3 pairs of blocks a unit on", "1: each pair once (tiles); 0: twice, in more groups (rows)"},
    {"coordination.subs", "units of entries a block, tiles", "so that a list has at most 128 blocks of at most 2048", "fewer partial sums; fewer groups"},
    {"coordination.load", "0 or 1", "1 above 4096 (rows) or 16384 (tiles) entries", "1: coordinates made once in a launch of their own; 0: by every group"},
    {"coordination.load_group", "work-items", "128 on GPUs, 32 on CPUs", "fewer groups; longer waits for the extent"},
    {"coordination.skip", "0 or 1", "all pairs: 1 above 30000 entries on GPUs, 100000 (double 40000) on CPUs; cells 0", "1: branches around vectors of pairs beyond d_max"},
    {"coordination.items", "work-items a frame, CPU form", "all pairs 4 x units, cells up to 8 x units", "evener shares; more partial sums, or more pairs evaluated twice"},
    {"coordination.cpu_own", "entries met at once, CPU form", "2", "a vector read once serves more entries; more registers"},
    {"coordination.strip", "entries, CPU form", "1024", "sums stay in cache for longer; larger than it they leave it"},
    {"coordination.apart", "0 or 1, CPU form", "1 up to 32768 sums", "1: each work-item has sums for all entries, each pair is met once"},
    {"coordination.cells", "cells of a grid", "2 x entries + 27, at most 2^24", "finer grids; more memory to clear and scan"},
    {"coordination.cells_fine", "cells in d_max, along a row", "8", "fewer pairs beyond d_max; more bounds to read"},
    {"coordination.cells_across", "cells in d_max, across rows", "1", "fewer pairs beyond d_max; more rows to visit"},
    {"coordination.slices", "groups that share an entry's rows", "2 to 9, what fills the device", "fills a device with few entries; more partial sums"},
    {"coordination.sort_below", "entries", "30000", "below: sorted in one launch of shares; from there on by lists and a scan"},
    {"coordination.sort_shares", "groups a frame", "one for 512 entries, more where the device is not full", "evener; every group reads all keys"},
    {"coordination.sort_group", "work-items", "1024 on GPUs, 64 on CPUs", "more keys read at once; longer waits at barriers"},
    {"coordination.finish_group", "work-items", "128 on GPUs, 64 on CPUs", "more sums at once; longer trees"},
    {"coordination.frames", "frames a launch", "all, within 256 MiB of scratch", "fewer launches; more scratch"},
    {"coordination.recentre_on_host", "0 or 1", "1 for float arithmetic on double positions", "1: half the bytes travel; the host's processor does the subtraction"},
    {NULL, NULL, NULL, NULL},
};
/* clang-format on */

bool mote_tune_is_key(const char *key)
{
    for (const mote_tune_key *k = mote_tune_keys; k->key; k++)
        if (strcmp(k->key, key) == 0)
            return true;
    return false;
}
