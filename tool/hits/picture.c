/* SPDX-License-Identifier: Apache-2.0 */
/* Keeps the first hits of each module for --svg, and draws those of one module. */
#include "hits.h"

#include <stdlib.h>
#include <string.h>

#define MOST_DRAWN 16384 /* hits: more would hide each other */

/* Returns where a module is in the table of modules, or the free entry where it belongs. */
static uint32_t *find_entry(const hit_stream *s, uint32_t module)
{
    size_t at = module * UINT64_C(0x9e3779b97f4a7c15) >> 32;
    for (;; at++) {
        uint32_t *entry = &s->table[at & (s->table_size - 1)];
        if (!*entry || s->modules[*entry - 1].module == module)
            return entry;
    }
}

/* Doubles the table of modules, at most half of which is used. */
static bool grow_table(hit_stream *s)
{
    size_t size = s->table_size ? 2 * s->table_size : 64;
    uint32_t *table = calloc(size, sizeof(*table));
    if (!table)
        return false;
    free(s->table);
    s->table = table;
    s->table_size = size;
    for (size_t k = 0; k < s->n_modules; k++)
        *find_entry(s, s->modules[k].module) = (uint32_t)k + 1;
    return true;
}

/* Returns the module, which is added if it is new; NULL if memory ran out. */
static hit_module *find_module(hit_stream *s, uint32_t module)
{
    if (2 * (s->n_modules + 1) > s->table_size && !grow_table(s))
        return NULL;
    uint32_t *entry = find_entry(s, module);
    if (!*entry) {
        if (!hits_grow(&s->modules, &s->modules_reserved, s->n_modules + 1, sizeof(*s->modules)))
            return NULL;
        s->modules[s->n_modules++] = (hit_module){.module = module};
        *entry = (uint32_t)s->n_modules;
    }
    return &s->modules[*entry - 1];
}

bool hit_picture_add(hit_stream *s, const hit_waiting *hit, int64_t first)
{
    if (s->has_module && hit->module != s->module)
        return true;
    hit_module *m = find_module(s, hit->module);
    if (!m)
        return false;
    if (m->hits++ >= MOST_DRAWN)
        return true;
    if (m->n == m->reserved) {
        size_t reserved = m->reserved ? 2 * m->reserved : 4; /* there may be many modules */
        svg_hit *more = realloc(m->drawn, reserved * sizeof(*more));
        if (!more)
            return false;
        m->drawn = more;
        m->reserved = reserved;
    }
    m->drawn[m->n++] = (svg_hit){first, hit->x, hit->y};
    return true;
}

int hit_picture_draw(const hit_stream *s, out_file *out)
{
    const hit_module *most = s->n_modules ? &s->modules[0] : NULL;
    if (!most && s->has_module)
        return tool_fail(TOOL_INPUT, "--module: module %u has no hits", (unsigned)s->module);
    for (size_t k = 1; k < s->n_modules; k++) {
        const hit_module *m = &s->modules[k];
        if (m->hits > most->hits || (m->hits == most->hits && m->module < most->module))
            most = m;
    }
    svg_times times = {.rows = s->rows ? s->rows : 1, .columns = s->columns ? s->columns : 1};
    if (most) {
        times.module = most->module;
        times.all = most->hits;
        times.n = most->n;
        times.hits = most->drawn;
    }
    return svg_draw_times(out, &times);
}
