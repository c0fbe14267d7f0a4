/* SPDX-License-Identifier: Apache-2.0 */
#include "testkit/cases/pixels/patterns.h"

#include <stdlib.h>
#include <string.h>

#include "testkit/cases/pixels/events.h"

static bool in_snake(uint32_t x, uint32_t y, uint32_t rows)
{
    if (y % 2 == 0)
        return true;
    return x == (y % 4 == 1 ? rows - 1 : 0);
}

static bool in_corner(uint32_t x, uint32_t y, uint32_t rows, uint32_t columns)
{
    bool edge_x = x < 2 || x + 2 >= rows, edge_y = y < 2 || y + 2 >= columns;

    return edge_x && edge_y;
}

/* Patterns that are functions of a single pixel. */
static bool fired(mote_pattern pattern, uint32_t x, uint32_t y, const mote_digis *d, mote_rng *rng)
{
    if (pattern == MOTE_PATTERN_SNAKE)
        return in_snake(x, y, d->rows);
    if (pattern == MOTE_PATTERN_BLOCK)
        return x >= d->rows / 4 && x < d->rows / 4 + (d->rows + 1) / 2 && y >= d->columns / 3 &&
               y <= d->columns / 3 + d->columns / 5;
    if (pattern == MOTE_PATTERN_ISOLATED)
        return x % 2 == 0 && y % 2 == 0;
    if (pattern == MOTE_PATTERN_CHECKERBOARD)
        return (x + y) % 2 == 0;
    if (pattern == MOTE_PATTERN_RANDOM_40)
        return mote_rng_below(rng, 5) < 2;
    if (pattern == MOTE_PATTERN_CORNERS)
        return in_corner(x, y, d->rows, d->columns);
    if (pattern == MOTE_PATTERN_DIAGONALS)
        return (x + y) % 7 == 0 || (x + 7 - y % 7) % 7 == 3;
    if (pattern == MOTE_PATTERN_COMB)
        return x % 2 == 0 || y + 1 == d->columns;
    return true;
}

/* Marks a path inwards with a gap of one pixel between the turns: a straight leg ends two pixels
 * before a pixel that is already fired. */
static void mark_spiral(unsigned char *map, int64_t rows, int64_t columns)
{
    int64_t x = 0, y = 0, dx = 1, dy = 0;
    int turns = 0;

    map[0] = 1;
    while (turns < 2) {
        int64_t x1 = x + dx, y1 = y + dy, x2 = x1 + dx, y2 = y1 + dy;
        bool inside = x1 >= 0 && x1 < rows && y1 >= 0 && y1 < columns;
        bool blocked = x2 >= 0 && x2 < rows && y2 >= 0 && y2 < columns && map[y2 * rows + x2];

        if (inside && !blocked && !map[y1 * rows + x1]) {
            x = x1;
            y = y1;
            map[y * rows + x] = 1;
            turns = 0;
        } else {
            int64_t turned = -dy;

            dy = dx;
            dx = turned;
            turns++;
        }
    }
}

static void push_pixel(mote_digis *digis, uint32_t module, uint32_t x, uint32_t y, mote_rng *rng)
{
    mote_digis_push(digis, module, x, y, 200 + mote_rng_below(rng, 2000));
}

static void push_spiral(mote_digis *digis, uint32_t module, mote_rng *rng)
{
    size_t rows = digis->rows, columns = digis->columns;
    unsigned char *map = calloc(rows * columns, 1);

    if (!map) {
        digis->failed = true;
        return;
    }
    mark_spiral(map, (int64_t)rows, (int64_t)columns);
    for (uint32_t y = 0; y < columns; y++)
        for (uint32_t x = 0; x < rows; x++)
            if (map[y * rows + x])
                push_pixel(digis, module, x, y, rng);
    free(map);
}

void mote_pattern_push(mote_digis *digis, uint32_t module, mote_pattern pattern, mote_rng *rng)
{
    if (pattern == MOTE_PATTERN_SPIRAL) {
        push_spiral(digis, module, rng);
        return;
    }
    for (uint32_t y = 0; y < digis->columns; y++)
        for (uint32_t x = 0; x < digis->rows; x++)
            if (fired(pattern, x, y, digis, rng))
                push_pixel(digis, module, x, y, rng);
}

/* Appends an event of `modules` modules spread over the detector, each with the pattern, in
 * shuffled order.
 */
static void pattern_event(mote_digis *out, mote_pattern pattern, uint32_t modules, mote_rng *rng)
{
    for (uint32_t m = 0; m < modules; m++) {
        size_t first = out->n;

        mote_pattern_push(out, m * (out->n_modules / modules), pattern, rng);
        mote_digis_shuffle(out, first, out->n, rng);
    }
    mote_digis_end_event(out);
}

/* A collision event in which three digis of a hundred are replaced by copies of another digi of
 * their module with another charge. */
static bool duplicates_event(mote_digis *out, uint64_t seed, mote_rng *rng)
{
    mote_digis event;
    char message[128];

    if (!mote_case_events("phase1", 1, seed, &event, message, sizeof(message)))
        return false;
    for (size_t i = 0; i < event.n; i++) {
        size_t first = out->n;
        uint32_t module = event.module_id[i];

        for (; i < event.n && event.module_id[i] == module; i++) {
            uint32_t copies = mote_rng_below(rng, 1000) < 29 ? 2 + mote_rng_below(rng, 2) / 2 : 1;

            for (uint32_t copy = 0; copy < copies; copy++)
                mote_digis_push(out, module, event.x[i], event.y[i], event.adc[i] + copy);
        }
        i--;
        mote_digis_shuffle(out, first, out->n, rng);
    }
    mote_digis_end_event(out);
    mote_digis_free(&event);
    return true;
}

bool mote_case_patho(uint64_t seed, uint32_t scale, mote_digis *out)
{
    mote_rng rng;
    uint32_t many = 64 / scale ? 64 / scale : 1, half = 32 / scale ? 32 / scale : 1;

    mote_digis_init(out, 1856, 160, 416);
    mote_rng_seed(&rng, seed);
    pattern_event(out, MOTE_PATTERN_SNAKE, half, &rng);
    pattern_event(out, MOTE_PATTERN_SPIRAL, half, &rng);
    pattern_event(out, MOTE_PATTERN_BLOCK, many, &rng);
    pattern_event(out, MOTE_PATTERN_FULL, scale > 4 ? 1 : 4, &rng);
    pattern_event(out, MOTE_PATTERN_ISOLATED, half, &rng);
    pattern_event(out, MOTE_PATTERN_CHECKERBOARD, half / 4 ? half / 4 : 1, &rng);
    if (!duplicates_event(out, seed, &rng))
        out->failed = true;
    mote_digis_end_event(out);
    for (int i = 0; i < 5000; i++)
        mote_digis_push_invalid(out);
    mote_digis_end_event(out);
    mote_digis_push(out, 777, 80, 200, 30000);
    mote_digis_end_event(out);
    pattern_event(out, MOTE_PATTERN_RANDOM_40, half / 4 ? half / 4 : 1, &rng);
    pattern_event(out, MOTE_PATTERN_CORNERS, 1856, &rng);
    if (!out->failed)
        return true;
    mote_digis_free(out);
    return false;
}
