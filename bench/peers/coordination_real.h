/* SPDX-License-Identifier: Apache-2.0 */
/* Evaluates pairs in one floating-point type. The including file defines REAL, and NAMED(x), which
 * makes the name x specific to this type.
 *
 * One atom is evaluated with a run of others whose coordinates are in arrays: the sums of the
 * others are added to arrays, and the sum of the one is returned. The compiler vectorises the
 * loops. */

typedef struct NAMED(atoms) {
    size_t n;
    REAL *x, *y, *z;    /* coordinates */
    REAL *fx, *fy, *fz; /* sums of g d of one thread */
} NAMED(atoms);

typedef struct NAMED(numbers) {
    REAL side, inverse_side, unit, d_max_2, stretch, shift;
} NAMED(numbers);

/* Sums of one atom with its partners: s, g d, g d (x) d. */
typedef struct NAMED(row) {
    REAL s, fx, fy, fz, xx, xy, xz, yy, yz, zz;
} NAMED(row);

static NAMED(numbers) NAMED(numbers_of)(const mote_coordination_native *in)
{
    NAMED(numbers)
    c = {.side = (REAL)in->side,
         .inverse_side = (REAL)(1 / in->side),
         .unit = (REAL)(1 / (in->r_0 * in->r_0)),
         .d_max_2 = (REAL)(in->d_max * in->d_max),
         .stretch = (REAL)in->stretch,
         .shift = (REAL)in->shift};
    return c;
}

static inline REAL NAMED(image)(REAL d, REAL side, REAL inverse_side)
{
    REAL turns = (d * inverse_side + MAGIC) - MAGIC;

    return d - turns * side;
}

static NAMED(row) NAMED(derive)(const NAMED(atoms) * a, REAL x, REAL y, REAL z, size_t begin,
                                size_t end, const NAMED(numbers) * c)
{
    const REAL side = c->side, inverse = c->inverse_side, unit = c->unit, d_max_2 = c->d_max_2;
    const REAL stretch = c->stretch, shift = c->shift;
    const REAL *restrict px = a->x, *restrict py = a->y, *restrict pz = a->z;
    REAL *restrict ox = a->fx, *restrict oy = a->fy, *restrict oz = a->fz;
    REAL s = 0, fx = 0, fy = 0, fz = 0, xx = 0, xy = 0, xz = 0, yy = 0, yz = 0, zz = 0;

#pragma omp simd reduction(+ : s, fx, fy, fz, xx, xy, xz, yy, yz, zz)
    for (size_t j = begin; j < end; j++) {
        REAL dx = NAMED(image)(px[j] - x, side, inverse);
        REAL dy = NAMED(image)(py[j] - y, side, inverse);
        REAL dz = NAMED(image)(pz[j] - z, side, inverse);
        REAL square = dx * dx + dy * dy + dz * dz, u = square * unit;
        REAL below = u * u, f = 1 / (1 + below * u);
        REAL value = square <= d_max_2 ? f * stretch + shift : 0;
        REAL g = square <= d_max_2 ? below * f * f : 0;
        REAL gx = g * dx, gy = g * dy, gz = g * dz;

        s += value;
        fx += gx;
        fy += gy;
        fz += gz;
        ox[j] -= gx;
        oy[j] -= gy;
        oz[j] -= gz;
        xx += gx * dx;
        xy += gx * dy;
        xz += gx * dz;
        yy += gy * dy;
        yz += gy * dz;
        zz += gz * dz;
    }
    return (NAMED(row)){s, fx, fy, fz, xx, xy, xz, yy, yz, zz};
}

static NAMED(row) NAMED(count)(const NAMED(atoms) * a, REAL x, REAL y, REAL z, size_t begin,
                               size_t end, const NAMED(numbers) * c)
{
    const REAL side = c->side, inverse = c->inverse_side, unit = c->unit, d_max_2 = c->d_max_2;
    const REAL stretch = c->stretch, shift = c->shift;
    const REAL *restrict px = a->x, *restrict py = a->y, *restrict pz = a->z;
    REAL s = 0;

#pragma omp simd reduction(+ : s)
    for (size_t j = begin; j < end; j++) {
        REAL dx = NAMED(image)(px[j] - x, side, inverse);
        REAL dy = NAMED(image)(py[j] - y, side, inverse);
        REAL dz = NAMED(image)(pz[j] - z, side, inverse);
        REAL square = dx * dx + dy * dy + dz * dz, u = square * unit;
        REAL f = 1 / (1 + u * u * u);

        s += square <= d_max_2 ? f * stretch + shift : 0;
    }
    return (NAMED(row)){.s = s};
}

/* Evaluates atom i with those from begin to end; all totals are in double. */
static void NAMED(meet)(const NAMED(atoms) * a, size_t i, size_t begin, size_t end,
                        const NAMED(numbers) * c, bool derivatives, double *totals)
{
    NAMED(row)
    r = derivatives ? NAMED(derive)(a, a->x[i], a->y[i], a->z[i], begin, end, c)
                    : NAMED(count)(a, a->x[i], a->y[i], a->z[i], begin, end, c);

    totals[0] += (double)r.s;
    if (!derivatives)
        return;
    a->fx[i] += r.fx;
    a->fy[i] += r.fy;
    a->fz[i] += r.fz;
    totals[1] += (double)r.xx;
    totals[2] += (double)r.xy;
    totals[3] += (double)r.xz;
    totals[4] += (double)r.yy;
    totals[5] += (double)r.yz;
    totals[6] += (double)r.zz;
}

/* Six arrays in one block; coordinates are those of the atoms in the given order. */
static bool NAMED(make)(NAMED(atoms) * a, size_t n)
{
    *a = (NAMED(atoms)){.n = n, .x = calloc(6 * n + 1, sizeof(REAL))};
    if (!a->x)
        return false;
    a->y = a->x + n;
    a->z = a->x + 2 * n;
    a->fx = a->x + 3 * n;
    a->fy = a->x + 4 * n;
    a->fz = a->x + 5 * n;
    return true;
}

static void NAMED(load)(NAMED(atoms) * a, const mote_coordination_native *in, const uint32_t *order)
{
    for (size_t k = 0; k < a->n; k++) {
        const REAL *p = NAMED(POSITIONS)(in) + 3 * (order ? order[k] : k);

        a->x[k] = p[0];
        a->y[k] = p[1];
        a->z[k] = p[2];
    }
}

/* Adds the sums of one thread; d value / d x_i is -g d from i's side. */
static void NAMED(add)(const NAMED(atoms) * a, const mote_coordination_native *in,
                       const uint32_t *order, const double *totals,
                       mote_coordination_native_out *out)
{
    double scale = 6 * in->stretch / (in->r_0 * in->r_0);
    const int place[9] = {1, 2, 3, 2, 4, 5, 3, 5, 6};

    out->value += totals[0];
    if (!in->derivatives)
        return;
    for (size_t k = 0; k < 9; k++)
        out->virial[k] += scale * totals[place[k]];
    for (size_t k = 0; k < a->n; k++) {
        REAL *d = (REAL *)out->derivatives + 3 * (order ? order[k] : k);

        d[0] += (REAL)scale * a->fx[k];
        d[1] += (REAL)scale * a->fy[k];
        d[2] += (REAL)scale * a->fz[k];
    }
}

/* All pairs: row i contains atom i with those before it. */
bool NAMED(mote_peer_pairs)(const mote_coordination_native *in, mote_coordination_native_out *out)
{
    const NAMED(numbers) c = NAMED(numbers_of)(in);
    bool good = true;

    mote_peer_clear(in, out, sizeof(REAL));
#pragma omp parallel
    {
        NAMED(atoms) a;
        double totals[7] = {0};
        bool made = NAMED(make)(&a, in->n);

        if (made)
            NAMED(load)(&a, in, NULL);
#pragma omp for schedule(dynamic, 16)
        for (size_t k = 0; k < in->n; k++)
            if (made)
                NAMED(meet)(&a, in->n - 1 - k, 0, in->n - 1 - k, &c, in->derivatives, totals);
#pragma omp critical
        {
            if (made)
                NAMED(add)(&a, in, NULL, totals, out);
            good = good && made;
            free(a.x);
        }
    }
    return good;
}

/* Copies a run to the end of the `count` atoms of a block; returns the new number of atoms. */
static size_t NAMED(gather)(const NAMED(atoms) * a, mote_peer_run run, const NAMED(atoms) * block,
                            size_t count)
{
    for (size_t k = run.begin; k < run.end; k++, count++) {
        block->x[count] = a->x[k];
        block->y[count] = a->y[k];
        block->z[count] = a->z[k];
        block->fx[count] = block->fy[count] = block->fz[count] = 0;
    }
    return count;
}

/* Adds a block's sums from `count` on to a run; returns the index of the next run's sums. */
static size_t NAMED(scatter)(const NAMED(atoms) * a, mote_peer_run run, const NAMED(atoms) * block,
                             size_t count)
{
    for (size_t k = run.begin; k < run.end; k++, count++) {
        a->fx[k] += block->fx[count];
        a->fy[k] += block->fy[count];
        a->fz[k] += block->fz[count];
    }
    return count;
}

/* Fills a block up to whole vectors with atoms that are far from all atoms of its first cell. */
static size_t NAMED(pad)(const NAMED(atoms) * block, size_t count, const NAMED(numbers) * c)
{
    for (; count % MOTE_PEER_LANES; count++) {
        block->x[count] = block->x[0] + c->side / 2;
        block->y[count] = block->y[0] + c->side / 2;
        block->z[count] = block->z[0] + c->side / 2;
    }
    return count;
}

/* Evaluates the atoms of a cell with each other and with those of the later neighbours: all of them
 * form one block, so that loops are long. */
static void NAMED(meet_cell)(const NAMED(atoms) * a, const NAMED(atoms) * block,
                             const mote_peer_grid *g, size_t cell, const NAMED(numbers) * c,
                             bool derivatives, double *totals)
{
    mote_peer_run runs[1 + MOTE_PEER_MOST_RUNS] = {{g->start[cell], g->start[cell + 1]}};
    size_t count = 1 + mote_peer_grid_later(g, cell, runs + 1), own = 0, all = 0;

    for (size_t k = 0; k < count; k++) {
        all = NAMED(gather)(a, runs[k], block, all);
        own = k == 0 ? all : own;
    }
    if (count > 1 && own > 0)
        all = NAMED(pad)(block, all, c);
    for (size_t i = 0; i < own; i++)
        NAMED(meet)(block, i, i + 1, all, c, derivatives, totals);
    all = 0;
    for (size_t k = 0; derivatives && k < count; k++)
        all = NAMED(scatter)(a, runs[k], block, all);
}

bool NAMED(mote_peer_cells)(const mote_coordination_native *in, mote_coordination_native_out *out)
{
    const NAMED(numbers) c = NAMED(numbers_of)(in);
    mote_peer_grid g;
    bool good = mote_peer_grid_make(&g, in);

    mote_peer_clear(in, out, sizeof(REAL));
#pragma omp parallel if (good)
    {
        NAMED(atoms) a, block;
        double totals[7] = {0};
        bool made = NAMED(make)(&a, in->n);

        made = NAMED(make)(&block, in->n + MOTE_PEER_LANES) && made && good;

        if (made)
            NAMED(load)(&a, in, g.order);
#pragma omp for schedule(dynamic, 16)
        for (size_t cell = 0; cell < g.count; cell++)
            if (made)
                NAMED(meet_cell)(&a, &block, &g, cell, &c, in->derivatives, totals);
#pragma omp critical
        {
            if (made)
                NAMED(add)(&a, in, g.order, totals, out);
            good = good && made;
            free(a.x);
            free(block.x);
        }
    }
    mote_peer_grid_free(&g);
    return good;
}
