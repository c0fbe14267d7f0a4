/* SPDX-License-Identifier: Apache-2.0 */
/* Stores the weights of entries as reals, in the order in which the pair kernels read the
 * coordinates; elements without an entry get 0. A frame has `row` elements; elements from `skip` on
 * belong to list B.
 *
 * Form: both.
 * Defines: SORTED (1: place k has entry order[k] of the launch), DOUBLE (coordination/real.clh). */
#include "coordination/real.clh"

/* Returns the entry of the launch at an element; at least `none` if there is no entry. */
inline uint entry_at(const mote_coordination_params *p, const __global uint *order, uint k,
                     uint row, uint skip, uint none)
{
#if SORTED
    return k < none ? order[k] : none;
#else
    uint number = k / row, at = k % row, of_b = at >= skip;
    uint entry = of_b ? p->n_a + (at - skip) : at;
    bool exists = entry < (of_b ? p->n_a + p->n_b : p->n_a);
    return exists ? number * (p->n_a + p->n_b) + entry : none;
#endif
}

/* A frame of the call has `each` weights; origins: the index of an entry's weight, or 0: it is the
 * entry's number. */
__kernel void weights(mote_coordination_params p, const __global float *given, ulong given_at,
                      uint is_double, uint each, const __global uint *origins,
                      const __global uint *order, ulong order_at, uint row, uint skip, uint count,
                      __global real *out, ulong out_at)
{
    uint entries = p.n_a + p.n_b, none = p.frames * entries;
#if SORTED
    order += order_at;
#endif
    for (ulong k = get_global_id(0); k < count; k += get_global_size(0)) {
        uint entry = entry_at(&p, order, (uint)k, row, skip, none);
        real weight = 0;
        if (entry < none) {
            uint own = entry % entries;
            ulong at = given_at + (ulong)(p.first_frame + entry / entries) * each +
                       (origins ? origins[own] : own);
#if defined(MOTE_FP64)
            weight = is_double ? (real)((const __global double *)given)[at] : (real)given[at];
#else
            weight = given[at];
#endif
        }
        out[out_at + k] = weight;
    }
}
