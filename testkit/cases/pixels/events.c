/* SPDX-License-Identifier: Apache-2.0 */
#include "testkit/cases/pixels/events.h"

#include <stdio.h>
#include <stdlib.h>

#include "testkit/cases/pixels/topology.h"

#define MOST_PIXELS   128 /* pixels of one crossing; a longer path is cut */
#define TURN_BITS     16  /* a full turn around the beam line is 2^16 */
#define SLOPE_ONE     256 /* dz / dr of 45 degrees */
#define ELECTRONS     78  /* mean charge of a micrometre */
#define FRAGMENTS     27  /* percent of the crossings that leave a short, faint trace */
#define INVALID_EVERY 512 /* one digi in this number is followed by an invalid one */
#define CHARGE_MOST   65535

typedef struct hit {
    uint64_t key; /* module, y, x from the high bits down */
    uint32_t charge;
} hit;

typedef struct generator {
    const mote_topology *topology;
    mote_rng rng;
    hit *hits;
    size_t n_hits, reserved;
    uint32_t *module_order;
    bool failed;
} generator;

/* One particle: its direction and its range. */
typedef struct particle {
    int64_t turn;  /* direction around the beam line, in 2^-16 turns */
    int64_t bend;  /* change of `turn` for each 100 mm */
    int64_t slope; /* dz / dr in units of 1 / SLOPE_ONE */
    int64_t z;     /* start along the beam line */
    /* Barrel layers crossed; a particle that crosses all of them also crosses disks. */
    uint32_t reach;
} particle;

/* One crossing: module, start and end of the path in 1/256 of a pixel, charge. */
typedef struct crossing {
    uint32_t module;
    int64_t x, y, dx, dy;
    int64_t charge;
} crossing;

static uint32_t square_root(uint64_t value)
{
    uint64_t root = 0;

    for (uint64_t bit = (uint64_t)1 << 31; bit; bit >>= 1)
        if ((root + bit) * (root + bit) <= value)
            root += bit;
    return (uint32_t)root;
}

/* The charge of ordinary crossings varies by a fifth, and one in sixteen has a much larger one. */
static int64_t fluctuate(mote_rng *rng, int64_t charge)
{
    int64_t percent = 80 + mote_rng_below(rng, 25) + mote_rng_below(rng, 25);

    if (mote_rng_below(rng, 16) == 0)
        percent += 2000 / (8 + mote_rng_below(rng, 56));
    return charge * percent / 100;
}

static void add_hit(generator *g, uint32_t module, int64_t x, int64_t y, int64_t charge)
{
    if (g->n_hits == g->reserved) {
        size_t reserved = g->reserved * 2 + 4096;
        hit *larger = realloc(g->hits, reserved * sizeof(hit));

        if (!larger) {
            g->failed = true;
            return;
        }
        g->hits = larger;
        g->reserved = reserved;
    }
    g->hits[g->n_hits].key = (uint64_t)module << 32 | (uint64_t)y << 16 | (uint64_t)x;
    g->hits[g->n_hits].charge = (uint32_t)charge;
    g->n_hits++;
}

/* Distributes the charge of a crossing over the pixels on its path: a share for each step, part of
 * which is added to the neighbour across the nearer border of the row. */
static void cross(generator *g, const crossing *c)
{
    const mote_topology *t = g->topology;
    int64_t length = llabs(c->dx) > llabs(c->dy) ? llabs(c->dx) : llabs(c->dy);
    int64_t steps = length / 128 + 2;

    if (steps > MOST_PIXELS)
        steps = MOST_PIXELS;
    int64_t share = c->charge / steps;

    for (int64_t s = 0; s < steps; s++) {
        int64_t x = c->x + c->dx * s / steps, y = c->y + c->dy * s / steps;

        if (x < 0 || y < 0 || x >= (int64_t)t->rows * 256 || y >= (int64_t)t->columns * 256)
            continue;
        int64_t charge = share * (85 + mote_rng_below(&g->rng, 31)) / 100;
        int64_t within = x & 255;
        int64_t side = within < 48 ? -1 : within > 208 ? 1 : 0;
        int64_t neighbour = (x >> 8) + side;
        int64_t part = side == 0 || neighbour < 0 || neighbour >= t->rows ? 0 : charge / 4;

        add_hit(g, c->module, x >> 8, y >> 8, charge - part);
        if (part)
            add_hit(g, c->module, neighbour, y >> 8, part);
    }
}

/* The part of `turn` inside a module when `modules` of them make a full turn. */
static int64_t around(int64_t turn, uint32_t modules, uint32_t size, uint32_t *index)
{
    uint64_t position = ((uint64_t)turn & ((1u << TURN_BITS) - 1)) * modules;

    *index = (uint32_t)(position >> TURN_BITS);
    return (int64_t)((position & ((1u << TURN_BITS) - 1)) * size * 256 >> TURN_BITS);
}

/* Fills in path and charge of a crossing whose module and position are known. */
static void slant(generator *g, const particle *p, int64_t slope, crossing *c)
{
    const mote_topology *t = g->topology;
    int64_t path =
        t->thickness * square_root((uint64_t)(SLOPE_ONE * SLOPE_ONE + slope * slope)) / SLOPE_ONE;

    c->dy = slope * t->thickness / t->pitch_y;
    c->dx = (90 + p->bend / 4) * t->thickness / t->pitch_x;
    /* The path ends somewhere inside a pixel, so that the number of pixels varies. */
    c->x += (int64_t)mote_rng_below(&g->rng, 256) - 128;
    c->y += (int64_t)mote_rng_below(&g->rng, 256) - 128;
    c->charge = fluctuate(&g->rng, path * ELECTRONS);
    if (mote_rng_below(&g->rng, 100) < FRAGMENTS) {
        c->dx /= 4;
        c->dy /= 8;
        c->charge = 1500 + mote_rng_below(&g->rng, 6000);
    }
    cross(g, c);
}

static void cross_barrel(generator *g, const particle *p)
{
    const mote_topology *t = g->topology;
    uint32_t first = 0;

    for (uint32_t layer = 0; layer < MOTE_TOPOLOGY_LAYERS; layer++) {
        int64_t z = p->z + p->slope * t->radius[layer] / SLOPE_ONE + t->half_length;

        if (layer < p->reach && z >= 0 && z < 2 * t->half_length) {
            crossing c;
            uint32_t ladder = 0;
            int64_t turn = p->turn + p->bend * t->radius[layer] / 100000;
            int64_t place = z * t->along;
            int64_t length = 2 * t->half_length;

            c.x = around(turn, t->ladders[layer], t->rows, &ladder);
            c.y = place % length * t->columns * 256 / length;
            c.module = first + ladder * t->along + (uint32_t)(place / length);
            slant(g, p, p->slope, &c);
        }
        first += t->ladders[layer] * t->along;
    }
}

static void cross_disks(generator *g, const particle *p)
{
    const mote_topology *t = g->topology;
    uint32_t first = t->n_modules - 2 * t->disks * (t->inner_ring + t->outer_ring);
    int64_t inner = 45000, middle = 100000, outer = 160000;

    if (p->slope == 0 || p->reach < MOTE_TOPOLOGY_LAYERS / 2)
        return;
    for (uint32_t disk = 0; disk < t->disks; disk++) {
        int64_t z = t->first_disk + disk * t->disk_step;
        int64_t r = (p->slope > 0 ? z - p->z : z + p->z) * SLOPE_ONE / llabs(p->slope);

        if (r < inner || r >= outer)
            continue;
        crossing c;
        bool near = r < middle;
        uint32_t sector = 0, side = p->slope > 0 ? t->disks : 0;
        int64_t from = near ? inner : middle, to = near ? middle : outer;

        c.x = around(p->turn + p->bend * r / 100000, near ? t->inner_ring : t->outer_ring, t->rows,
                     &sector);
        c.y = (r - from) * t->columns * 256 / (to - from);
        c.module = first + (side + disk) * (t->inner_ring + t->outer_ring) + sector +
                   (near ? 0 : t->inner_ring);
        slant(g, p, SLOPE_ONE / 3, &c);
    }
}

/* Slopes are uniform in the middle and become rare in the forward direction. */
static int64_t draw_slope(mote_rng *rng)
{
    int64_t u = mote_rng_between(rng, -1000, 1000);

    return 2 * SLOPE_ONE * u / (1080 - llabs(u));
}

/* Many particles stop in the first layer; a third crosses all layers. */
static uint32_t draw_reach(mote_rng *rng)
{
    uint32_t draw = mote_rng_below(rng, 100);

    return draw < 42 ? 1 : draw < 58 ? 2 : draw < 68 ? 3 : 4;
}

static void make_jet(generator *g, uint32_t n, int64_t start)
{
    mote_rng *rng = &g->rng;
    int64_t turn = mote_rng_below(rng, 1u << TURN_BITS);
    int64_t slope = draw_slope(rng);
    int64_t width = 200 + mote_rng_below(rng, 6000);

    for (uint32_t i = 0; i < n; i++) {
        particle p = {
            .turn = turn + mote_rng_between(rng, -width, width),
            .bend = mote_rng_between(rng, -160, 160),
            .slope = slope + mote_rng_between(rng, -width, width) / 64,
            .z = start + mote_rng_between(rng, -200, 200),
            .reach = draw_reach(rng),
        };

        cross_barrel(g, &p);
        cross_disks(g, &p);
    }
}

static int compare_hits(const void *a, const void *b)
{
    uint64_t left = ((const hit *)a)->key, right = ((const hit *)b)->key;

    return (left > right) - (left < right);
}

/* Merges the charges of one pixel and drops pixels below the threshold. */
static void merge_hits(generator *g)
{
    size_t kept = 0;

    qsort(g->hits, g->n_hits, sizeof(hit), compare_hits);
    for (size_t i = 0; i < g->n_hits;) {
        hit pixel = g->hits[i];
        uint64_t charge = 0;

        for (; i < g->n_hits && g->hits[i].key == pixel.key; i++)
            charge += g->hits[i].charge;
        pixel.charge = charge < CHARGE_MOST ? (uint32_t)charge : CHARGE_MOST;
        if (pixel.charge >= g->topology->threshold)
            g->hits[kept++] = pixel;
    }
    g->n_hits = kept;
}

static size_t first_hit_of(const generator *g, uint32_t module)
{
    size_t low = 0, high = g->n_hits;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (g->hits[middle].key >> 32 < module)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void write_module(generator *g, uint32_t module, mote_digis *out)
{
    size_t first = out->n;

    for (size_t i = first_hit_of(g, module); i < g->n_hits && g->hits[i].key >> 32 == module; i++) {
        uint32_t x = (uint32_t)(g->hits[i].key & 0xffff);
        uint32_t y = (uint32_t)(g->hits[i].key >> 16 & 0xffff);

        mote_digis_push(out, module, x, y, g->hits[i].charge);
        if (mote_rng_below(&g->rng, INVALID_EVERY) == 0)
            mote_digis_push(out, out->invalid_module_id, x, y, g->hits[i].charge);
    }
    mote_digis_shuffle(out, first, out->n, &g->rng);
}

static void make_event(generator *g, mote_digis *out)
{
    mote_rng *rng = &g->rng;
    uint32_t mean = g->topology->particles;
    uint32_t particles = mean / 4 * 3 + mote_rng_below(rng, mean / 2);

    g->n_hits = 0;
    for (uint32_t made = 0; made < particles;) {
        uint32_t room = mote_rng_below(rng, g->topology->jet_most);
        uint32_t n = 1 + mote_rng_below(rng, 1 + room);

        make_jet(g, n, mote_rng_between(rng, -50000, 50000));
        made += n;
    }
    if (g->failed)
        return;
    merge_hits(g);
    for (uint32_t m = 0; m < g->topology->n_modules; m++)
        write_module(g, g->module_order[m], out);
    mote_digis_end_event(out);
}

static bool order_modules(generator *g)
{
    uint32_t n = g->topology->n_modules;

    g->module_order = malloc(n * sizeof(uint32_t));
    if (!g->module_order)
        return false;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t j = mote_rng_below(&g->rng, i + 1);

        g->module_order[i] = g->module_order[j];
        g->module_order[j] = i;
    }
    return true;
}

bool mote_case_events(const char *topology, size_t n_events, uint64_t seed, mote_digis *out,
                      char *message, size_t size)
{
    mote_topology shape;

    if (!mote_topology_find(topology, &shape, message, size))
        return false;
    generator g = {.topology = &shape};

    mote_digis_init(out, shape.n_modules, shape.rows, shape.columns);
    mote_rng_seed(&g.rng, seed);
    g.failed = !order_modules(&g);
    for (size_t event = 0; event < n_events && !g.failed && !out->failed; event++)
        make_event(&g, out);
    free(g.hits);
    free(g.module_order);
    if (!g.failed && !out->failed)
        return true;
    snprintf(message, size, "no memory for event %zu of %zu", out->n_events, n_events);
    mote_digis_free(out);
    return false;
}
