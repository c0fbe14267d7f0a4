/* SPDX-License-Identifier: Apache-2.0 */
/* Computes the closing of pixels by plain loops over an image of their bounding box. */
#include "testkit/reference/pixels/oracle.h"

#include <stdlib.h>
#include <string.h>

/* The closing adds pixels at a distance of up to 2 pixels, and reads the pixels around them. */
#define BORDER 4

typedef struct image {
    size_t rows, columns;
    unsigned char *fired, *wide, *closed;
    uint32_t *part;  /* part of each pixel; 0 if it has none yet */
    uint32_t *stack; /* pixels whose neighbours are not visited yet */
} image;

/* Returns whether a structuring element contains the offset of i rows and j columns. */
static bool has(uint32_t element, int i, int j)
{
    return element >> (3 * (i + 1) + j + 1) & 1;
}

static void free_image(image *m)
{
    free(m->fired);
    free(m->wide);
    free(m->closed);
    free(m->part);
    free(m->stack);
}

static bool make_image(image *m)
{
    size_t size = m->rows * m->columns;

    m->fired = calloc(size, 1);
    m->wide = calloc(size, 1);
    m->closed = calloc(size, 1);
    m->part = calloc(size, sizeof(*m->part));
    m->stack = calloc(size, sizeof(*m->stack));
    return m->fired && m->wide && m->closed && m->part && m->stack;
}

static void dilate(image *m, uint32_t element)
{
    for (size_t x = 1; x + 1 < m->rows; x++)
        for (size_t y = 1; y + 1 < m->columns; y++)
            for (int k = 0; k < 9; k++)
                if (has(element, k / 3 - 1, k % 3 - 1) && m->fired[x * m->columns + y])
                    m->wide[(x + (size_t)(k / 3) - 1) * m->columns + y + (size_t)(k % 3) - 1] = 1;
}

static void erode(image *m, uint32_t element)
{
    for (size_t x = 1; x + 1 < m->rows; x++)
        for (size_t y = 1; y + 1 < m->columns; y++) {
            bool all = true;

            for (int k = 0; k < 9; k++)
                if (has(element, k / 3 - 1, k % 3 - 1))
                    all &=
                        m->wide[(x + (size_t)(k / 3) - 1) * m->columns + y + (size_t)(k % 3) - 1];
            m->closed[x * m->columns + y] = all || m->fired[x * m->columns + y];
        }
}

/* Assigns number `part` to pixel `from` and to all pixels that are connected with it. */
static void flood(image *m, size_t from, uint32_t part, bool diagonal)
{
    size_t waiting = 0;

    m->part[from] = part;
    m->stack[waiting++] = (uint32_t)from;
    while (waiting > 0) {
        size_t at = m->stack[--waiting];

        for (int k = 0; k < 9; k++) {
            size_t next = at + (size_t)(k / 3) * m->columns + (size_t)(k % 3) - m->columns - 1;

            if ((!diagonal && k % 2 == 0) || !m->closed[next] || m->part[next])
                continue;
            m->part[next] = part;
            m->stack[waiting++] = (uint32_t)next;
        }
    }
}

bool mote_pixels_closed_parts(const mote_pixels_options *options, const uint32_t *pixels,
                              size_t count, uint32_t *parts)
{
    uint32_t x_min = UINT32_MAX, y_min = UINT32_MAX, x_max = 0, y_max = 0, found = 0;

    for (size_t i = 0; i < count; i++) {
        uint32_t x = pixels[i] & 0xffff, y = pixels[i] >> 16;

        x_min = x < x_min ? x : x_min;
        x_max = x > x_max ? x : x_max;
        y_min = y < y_min ? y : y_min;
        y_max = y > y_max ? y : y_max;
    }
    image m = {.rows = x_max - x_min + 1 + 2 * BORDER, .columns = y_max - y_min + 1 + 2 * BORDER};
    bool good = make_image(&m);

    for (size_t i = 0; good && i < count; i++) {
        size_t x = (pixels[i] & 0xffff) - x_min + BORDER, y = (pixels[i] >> 16) - y_min + BORDER;

        parts[i] = (uint32_t)(x * m.columns + y);
        m.fired[parts[i]] = 1;
    }
    if (good) {
        dilate(&m, options->morph_dilation ? options->morph_dilation : 511);
        erode(&m, options->morph_erosion ? options->morph_erosion : 186);
    }
    for (size_t i = 0; good && i < count; i++) {
        if (!m.part[parts[i]])
            flood(&m, parts[i], ++found, options->connectivity != 4);
        parts[i] = m.part[parts[i]];
    }
    free_image(&m);
    return good;
}
