/* SPDX-License-Identifier: Apache-2.0 */
/* Keeps the first hits of each module for --svg, and draws those of one module. */
#include "hits.h"

#include <stdlib.h>
#include <string.h>

#define MOST_DRAWN 16384 /* hits: more would hide each other */

/* Returns the module, which is added if it is new; NULL if memory ran out. */
static hit_module *find_module(hit_stream *s, uint32_t module)
{
    size_t low = 0, high = s->n_modules;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (s->modules[middle].module < module)
            low = middle + 1;
        else
            high = middle;
    }
    if (low < s->n_modules && s->modules[low].module == module)
        return &s->modules[low];
    hit_module *more = realloc(s->modules, (s->n_modules + 1) * sizeof(*more));
    if (!more)
        return NULL;
    s->modules = more;
    memmove(more + low + 1, more + low, (s->n_modules++ - low) * sizeof(*more));
    more[low] = (hit_module){.module = module};
    return &more[low];
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
    if (!hits_grow(&m->drawn, &m->reserved, m->n + 1, sizeof(*m->drawn)))
        return false;
    m->drawn[m->n++] = (svg_hit){first, hit->x, hit->y};
    return true;
}

int hit_picture_draw(const hit_stream *s, out_file *out)
{
    const hit_module *most = s->n_modules ? &s->modules[0] : NULL;
    if (!most && s->has_module)
        return tool_fail(TOOL_INPUT, "--module: module %u has no hits", (unsigned)s->module);
    for (size_t k = 1; k < s->n_modules; k++)
        if (s->modules[k].hits > most->hits)
            most = &s->modules[k];
    svg_times times = {.rows = s->rows ? s->rows : 1, .columns = s->columns ? s->columns : 1};
    if (most) {
        times.module = most->module;
        times.all = most->hits;
        times.n = most->n;
        times.hits = most->drawn;
    }
    return svg_draw_times(out, &times);
}
