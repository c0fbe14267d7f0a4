/* SPDX-License-Identifier: Apache-2.0 */
/* Computes neighbour lists: a work-item searches the cells around an entry. The first launch counts
 * the neighbours. The second launch, which knows the offsets, writes the lists, sorts them, and
 * computes distances.
 *
 * Entries are searched in the order of their cells, so that consecutive work-items read the same
 * cells. A neighbour is represented by its entry and by the number of its image. The order of these
 * numbers is the order of the shifts.
 *
 * Form: both.
 * Defines: DOUBLE (coordination/real.clh).
 * Optional: CPU_FORM (on CPUs: common/sweep.clh). */
#include "common/sweep.clh"
#include "coordination/neighbours/grid.clh"
#include "coordination/neighbours/index.clh"

typedef struct search {
    mote_neighbours_params p;
    source positions;
    const __global grid *g;
    const __global uint *starts;
    const __global real4 *sorted;
    const __global int *boxes;
    real3 a, b, c;
    real square; /* the square of the cutoff */
    int middle;  /* number of the image in the same box */
} search;

/* The list that a search writes. If `room` is 0, the search only counts. */
typedef struct neighbours {
    __global uint *partner, *images;
    ulong at; /* index of the first neighbour */
    uint wide, stride;
    uint room;
} neighbours;

/* ---- pairs ----------------------------------------------------------------------------------- */

inline uint number_of(real4 entry)
{
#if DOUBLE
    return (uint)as_ulong(entry.w);
#else
    return as_uint(entry.w);
#endif
}

/* Returns the number of an image. Each axis has its own range of bits in this number. */
inline int image_number(const mote_neighbours_params *p, int x, int y, int z)
{
    x += (int)p->images[0];
    y += (int)p->images[1];
    z += (int)p->images[2];
    return (x << p->bits[0] | y) << p->bits[1] | z;
}

inline search search_of(const mote_neighbours_params *p, const source *positions,
                        const __global ulong *grids, const __global uint *starts,
                        const __global real4 *sorted, const __global int *boxes)
{
    search s;
    real cutoff = REAL_OF(p->cutoff);
    s.p = *p;
    s.positions = *positions;
    s.g = (const __global grid *)grids;
    s.starts = starts;
    s.sorted = sorted;
    s.boxes = boxes;
    s.a = vector_at(p->box);
    s.b = vector_at(p->box + 6);
    s.c = vector_at(p->box + 12);
    s.square = cutoff * cutoff;
    s.middle = image_number(p, 0, 0, 0);
    return s;
}

inline int3 box_at(const search *s, uint entry)
{
    const __global int *box = s->boxes + 3 * (ulong)entry;
    return (int3)(box[0], box[1], box[2]);
}

/* Returns the index of a partner in arrays that contain the entries of both lists. */
inline uint entry_of(const search *s, uint j)
{
    return s->p.flags & MOTE_NEIGHBOURS_TWO ? s->p.n + j : j;
}

/* Returns how often each vector of the box is added to the position of partner j. */
inline int3 shift_of(const search *s, int3 own_box, uint j, int image)
{
    const uint y = s->p.bits[0], z = s->p.bits[1];
    int3 shift = (int3)((image >> z >> y) - (int)s->p.images[0],
                        (image >> z & ((1 << y) - 1)) - (int)s->p.images[1],
                        (image & ((1 << z) - 1)) - (int)s->p.images[2]);
    return shift + own_box - box_at(s, entry_of(s, j));
}

/* Returns the vector from x to the image of partner j, by the formula of the contract. */
inline real3 vector_to(const search *s, real3 x, uint j, int3 shift)
{
    real3 to = position_of(&s->positions, &s->p, entry_of(s, j));
    return to - x + ((real)shift.x * s->a + (real)shift.y * s->b + (real)shift.z * s->c);
}

inline real square_of(real3 d)
{
    return d.x * d.x + d.y * d.y + d.z * d.z;
}

/* Returns whether an image of j that is near enough belongs to the list of i. */
inline bool is_listed(const search *s, uint i, uint j, int image)
{
    const bool once = s->p.flags & MOTE_NEIGHBOURS_HALF;
    if (s->p.flags & MOTE_NEIGHBOURS_TWO)
        return true;
    return i == j ? (once ? image > s->middle : image != s->middle) : !once || i < j;
}

/* Returns whether the image of j is near enough. `square` is the square of the vector between the
 * positions within their boxes, which has rounding errors. */
inline bool is_near(const search *s, real square, real3 x, int3 own_box, uint j, int image)
{
    return square < s->g->nearest ||
           square_of(vector_to(s, x, j, shift_of(s, own_box, j, image))) < s->square;
}

/* ---- cells ----------------------------------------------------------------------------------- */

typedef struct range {
    int low, high;
} range;

/* Returns the cells along an axis that can contain partners. The cells of other images have numbers
 * below 0 and from n on. */
inline range cells_near(const search *s, uint axis, real t, real reach)
{
    int n = (int)s->g->n[axis], images = (int)s->p.images[axis];
    range r;
    r.low = (int)fmax(floor(t - reach), (real)(-images * n));
    r.high = (int)fmin(floor(t + reach), (real)((images + 1) * n - 1));
    return r;
}

/* Returns the number of the image that contains a cell. Divisions are slow, so the usual image 0 is
 * tested first. */
inline int image_of(int cell, int n)
{
    if (cell >= 0 && cell < n)
        return 0;
    return (cell >= 0 ? cell : cell - (n - 1)) / n;
}

/* Returns a lower bound of the distance along an axis between the coordinate t and a cell. */
inline real gap_to(const search *s, uint axis, int cell, real t)
{
    real beyond = fmax((real)cell - t, t - (real)(cell + 1));
    return fmax(beyond, (real)0) * s->g->side[axis - 1];
}

/* Searches entries begin .. end - 1 in the order of the cells for partners of i in one image.
 * `from` is the vector from the image's box to entry i. Returns the number of all neighbours that
 * have been found so far. */
inline uint search_run(const search *s, uint i, real3 x, int3 own_box, real3 from, uint begin,
                       uint end, int image, const neighbours *to, uint found)
{
    for (uint k = begin; k < end; k++) {
        real4 partner = s->sorted[k];
        real square = square_of(partner.xyz - from);
        if (square < s->g->farthest) {
            uint j = number_of(partner);
            if (is_listed(s, i, j, image) && is_near(s, square, x, own_box, j, image)) {
                if (found < to->room) {
                    index_write(to->partner, to->at + found, to->wide, j);
                    to->images[to->stride * (to->at + found)] = (uint)image;
                }
                found = add_sat(found, 1u);
            }
        }
    }
    return found;
}

/* Searches for the partners of the entry at place k in the order of the cells, and returns their
 * number. */
inline uint search_entry(const search *s, uint k, const neighbours *to)
{
    const __global grid *g = s->g;
    const real4 own = s->sorted[k];
    const uint i = number_of(own), lists = s->p.flags & MOTE_NEIGHBOURS_TWO ? s->p.most : 0;
    const real3 x = position_of(&s->positions, &s->p, i);
    const int3 own_box = box_at(s, i), n = (int3)((int)g->n[0], (int)g->n[1], (int)g->n[2]);
    bool bad;
    real3 f = fractions_of(&s->p, x, &bad);
    f -= box_of(&s->p, f);
    const real3 t =
        (real3)(grid_coordinate(g, 0, f.x), grid_coordinate(g, 1, f.y), grid_coordinate(g, 2, f.z));
    const range along_z = cells_near(s, 2, t.z, g->reach[2]);
    const range along_y = cells_near(s, 1, t.y, g->reach[1]);
    uint found = 0;
    for (int z = along_z.low; z <= along_z.high; z++) {
        const int image_z = image_of(z, n.z);
        const real gap_z = gap_to(s, 2, z, t.z);
        for (int y = along_y.low; y <= along_y.high; y++) {
            const int image_y = image_of(y, n.y);
            const real gap_y = gap_to(s, 1, y, t.y);
            const real left = g->farthest - gap_y * gap_y - gap_z * gap_z;
            const uint row = lists + (uint)(((z - image_z * n.z) * n.y + y - image_y * n.y) * n.x);
            if (left < 0)
                continue;
            const range r = cells_near(s, 0, t.x, sqrt(left) * g->along);
            for (int image_x = image_of(r.low, n.x); image_x <= image_of(r.high, n.x); image_x++) {
                uint first = (uint)max(r.low - image_x * n.x, 0);
                uint last = (uint)min(r.high - image_x * n.x, n.x - 1);
                real3 from =
                    own.xyz - ((real)image_x * s->a + (real)image_y * s->b + (real)image_z * s->c);
                found = search_run(s, i, x, own_box, from, s->starts[row + first],
                                   s->starts[row + last + 1],
                                   image_number(&s->p, image_x, image_y, image_z), to, found);
            }
        }
    }
    return found;
}

/* Counts the neighbours of each entry. */
__kernel void neighbours_count(mote_neighbours_params p, const __global float *positions,
                               ulong positions_at, const __global float *other, ulong other_at,
                               const __global ulong *grids, ulong grids_at,
                               const __global uint *starts, ulong starts_at,
                               const __global real *sorted, ulong sorted_at,
                               const __global int *boxes, ulong boxes_at, __global uint *counts,
                               ulong counts_at)
{
    const source from = {positions, other, positions_at, other_at};
    const search s = search_of(&p, &from, grids + grids_at, starts + starts_at,
                               (const __global real4 *)(sorted + sorted_at), boxes + boxes_at);
    const neighbours none = {0, 0, 0, 0, 0, 0};
    for (sweep k = sweep_of(p.n); k.at < k.end; k.at += k.step)
        counts[counts_at + number_of(s.sorted[k.at])] = search_entry(&s, (uint)k.at, &none);
}

/* ---- lists ----------------------------------------------------------------------------------- */

inline ulong neighbour_read(const neighbours *l, uint k)
{
    return index_read(l->partner, l->at + k, l->wide) << 32 | l->images[l->stride * (l->at + k)];
}

inline void neighbour_write(const neighbours *l, uint k, ulong neighbour)
{
    index_write(l->partner, l->at + k, l->wide, neighbour >> 32);
    l->images[l->stride * (l->at + k)] = (uint)neighbour;
}

/* Sorts a list by partner and image, by Shell sort. */
inline void sort_neighbours(const neighbours *l, uint count)
{
    for (uint gap = count > 3 ? count / 11 * 5 + 1 : 1; gap > 0;
         gap = gap == 2 ? 1 : (uint)((ulong)gap * 5 / 11))
        for (uint k = gap; k < count; k++) {
            ulong moved = neighbour_read(l, k);
            uint to = k;
            for (; to >= gap; to -= gap) {
                ulong before = neighbour_read(l, to - gap);
                if (before <= moved)
                    break;
                neighbour_write(l, to, before);
            }
            if (to != k)
                neighbour_write(l, to, moved);
        }
}

inline void real_write(__global float *out, ulong at, uint is_double, real value)
{
#if DOUBLE
    if (is_double) {
        ((__global double *)out)[at] = value;
        return;
    }
#endif
    out[at] = (float)value;
}

/* The results other than partners, each of which may be absent. */
typedef struct results {
    __global int *shift;
    __global float *distance, *displacement;
    uint is_double_distance, is_double_displacement;
} results;

/* Writes the results of neighbour k of a list. */
inline void write_results(const search *s, const neighbours *l, uint k, real3 x, int3 own_box,
                          const results *r)
{
    const ulong at = l->at + k;
    const uint partners = s->p.flags & MOTE_NEIGHBOURS_TWO ? s->p.n_two : s->p.n;
    const ulong neighbour = neighbour_read(l, k);
    const uint j = min((uint)(neighbour >> 32), partners - 1);
    const int3 shift = shift_of(s, own_box, j, (int)(uint)neighbour);
    const real3 d = vector_to(s, x, j, shift);
    if (r->shift) {
        r->shift[3 * at] = shift.x;
        r->shift[3 * at + 1] = shift.y;
        r->shift[3 * at + 2] = shift.z;
    }
    if (r->distance)
        real_write(r->distance, at, r->is_double_distance, sqrt(square_of(d)));
    if (r->displacement) {
        real_write(r->displacement, 3 * at, r->is_double_displacement, d.x);
        real_write(r->displacement, 3 * at + 1, r->is_double_displacement, d.y);
        real_write(r->displacement, 3 * at + 2, r->is_double_displacement, d.z);
    }
}

/* Writes the lists that end at or before `limit`. `images` is the array of shifts, or scratch if
 * there are no shifts; it contains the numbers of images until a list is sorted. */
__kernel void neighbours_fill(
    mote_neighbours_params p, const __global float *positions, ulong positions_at,
    const __global float *other, ulong other_at, const __global ulong *grids, ulong grids_at,
    const __global uint *starts, ulong starts_at, const __global real *sorted, ulong sorted_at,
    const __global int *boxes, ulong boxes_at, const __global uint *offsets, ulong offsets_at,
    uint wide, ulong limit, __global uint *partner, ulong partner_at, __global uint *images,
    ulong images_at, uint shifts, __global float *distance, ulong distance_at,
    uint is_double_distance, __global float *displacement, ulong displacement_at,
    uint is_double_displacement)
{
    const source from = {positions, other, positions_at, other_at};
    const search s = search_of(&p, &from, grids + grids_at, starts + starts_at,
                               (const __global real4 *)(sorted + sorted_at), boxes + boxes_at);
    neighbours l = {0, 0, 0, wide, shifts ? 3 : 1, 0};
    results r = {0, 0, 0, is_double_distance, is_double_displacement};
    l.images = images + images_at;
    if (wide)
        l.partner = (__global uint *)((__global ulong *)partner + partner_at);
    else
        l.partner = partner + partner_at;
    r.shift = shifts ? (__global int *)l.images : 0;
    if (distance)
        r.distance = distance + (is_double_distance ? 2 * distance_at : distance_at);
    if (displacement)
        r.displacement =
            displacement + (is_double_displacement ? 2 * displacement_at : displacement_at);
    for (sweep k = sweep_of(p.n); k.at < k.end; k.at += k.step) {
        const uint i = min(number_of(s.sorted[k.at]), p.n - 1);
        const ulong begin = index_read(offsets, offsets_at + i, wide);
        const ulong end = index_read(offsets, offsets_at + i + 1, wide);
        if (begin >= end || end > limit)
            continue;
        l.at = begin;
        l.room = (uint)min(end - begin, (ulong)0xffffffff);
        uint count = min(search_entry(&s, (uint)k.at, &l), l.room);
        sort_neighbours(&l, count);
        const real3 x = position_of(&from, &p, i);
        const int3 own_box = box_at(&s, i);
        for (uint n = 0; n < count; n++)
            write_results(&s, &l, n, x, own_box, &r);
    }
}
