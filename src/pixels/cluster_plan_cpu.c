/* SPDX-License-Identifier: Apache-2.0 */
/* The CPU form's choices: memory, tiles, and how digis in any order are grouped. */
#include "pixels/cluster_plan.h"
#include "pixels/decode.h"
#include "pixels/morph.h"
#include "pixels/positions.h"

#include <stdio.h>

#include "core/log.h"
#include "core/tune.h"

/* Constants that equal those in cl/pixels/label/cpu. */
#define COUNTER_WORDS ((size_t)5 * 16)
#define DIGI_WORDS    ((size_t)10)
#define OWN_DIGIS     ((size_t)8192)
#define SLACK         ((size_t)16)
#define OWN_WORDS     (9 * (OWN_DIGIS + SLACK))

/* Counters for an event's modules. */
static size_t row_words(const mote_pixels_cluster_args *a)
{
    return ((size_t)a->n_modules + 16) / 16 * 16;
}

static size_t events_of(const mote_pixels_plan *plan)
{
    return plan->params.n_events ? plan->params.n_events : 1;
}

/* Returns the number of words of a work-item, as in cl/pixels/label/cpu/item.clh: for the tiles of
 * the module and arrays for its digis, or for the arrays alone if there would be too many tiles, so
 * that the work-item sorts. The closing of a marked module needs tiles. */
static uint32_t item_words(const mote_pixels_cluster_args *a)
{
    const size_t most = (size_t)1 << 17;
    const size_t tiles = mote_pixels_tiles(a, 1, 8);
    return (uint32_t)(OWN_WORDS + (tiles > most && a->morph.count == 0 ? 0 : 6 * tiles));
}

/* Slices of an event in any order: one if there are enough events for every core. Otherwise there
 * are two slices for each core, unless their counters would need more memory than their digis. */
static uint32_t slices_of(const mote_call *call, const mote_pixels_plan *plan)
{
    size_t events = events_of(plan), cores = call->ctx->device.compute_units;
    size_t wanted = (2 * cores + events - 1) / events;
    size_t worth = plan->n / events / (4 * row_words(&plan->args));
    size_t slices = wanted < worth ? wanted : worth > 0 ? worth : 1;
    return (uint32_t)mote_tune_size(call->ctx, "pixels.cpu_slices", events < 4 * cores ? slices : 1,
                                    1, 64);
}

void mote_pixels_cpu_plan_make(const mote_call *call, mote_pixels_plan *plan)
{
    const mote_pixels_cluster_args *a = &plan->args;
    mote_pixels_cpu_plan *cpu = &plan->cpu;
    size_t cores = call->ctx->device.compute_units;
    cpu->tile = (uint32_t)mote_tune_size(call->ctx, "pixels.cpu_tile", 1024, 32, 1 << 20);
    size_t tiles = (plan->n + cpu->tile - 1) / cpu->tile;
    size_t most = mote_tune_size(call->ctx, "pixels.cpu_items", 4 * cores, 1, 4096);
    cpu->items = tiles < 1 ? 1 : tiles < most ? tiles : most;
    if (a->morph.count)
        cpu->items = plan->images = mote_pixels_images(a, cpu->items);
    cpu->item_words = item_words(a);
    if (plan->any_order)
        cpu->slices = slices_of(call, plan);
    snprintf(cpu->defines, sizeof(cpu->defines),
             "-DORDER_ANY=%d -DDUPLICATES=%d -DID_T=%s -DADC_T=%s -DCHARGE_CUT=%d%s%s%s",
             plan->any_order, (int)a->duplicates,
             a->module_id.type == MOTE_UINT32 ? "uint" : "ushort",
             a->adc.type == MOTE_UINT32 ? "uint" : "ushort",
             plan->params.flags & MOTE_PIXELS_HAS_CUT ? 1 : 0, mote_pixels_decode_defines(a, false),
             plan->images ? " -DMORPH=1" : "",
             mote_pixels_positions_room(a) == 0 ? ""
             : mote_pixels_sums_fit(a)          ? " -DPOSITIONS=1 -DSUMS_WIDE=0"
                                                : " -DPOSITIONS=1 -DSUMS_WIDE=1");
    mote_log(MOTE_LOG_DEBUG,
             "%s: %zu digis, %zu module slots: CPU form, %s order, %zu work-items, tile %u, %u "
             "slices an event, %s for %u x %u pixels",
             call->name, plan->n, plan->slots, plan->any_order ? "any" : "contiguous", cpu->items,
             cpu->tile, cpu->slices, cpu->item_words > OWN_WORDS ? "tiles" : "sorting", a->rows,
             a->columns);
}

void mote_pixels_cpu_plan_carve(mote_pixels_plan *plan, mote_carve *carve)
{
    mote_pixels_cpu_plan *cpu = &plan->cpu;
    size_t n = plan->n, events = plan->params.n_events;
    cpu->events = mote_carve_take(carve, events + 1, MOTE_UINT32);
    plan->length = mote_pixels_words_of(&cpu->events, events, 1);
    plan->events = cpu->events;
    cpu->counters = mote_carve_take(carve, COUNTER_WORDS, MOTE_UINT32);
    cpu->memory =
        mote_carve_take(carve, cpu->items * cpu->item_words + DIGI_WORDS * n, MOTE_UINT32);
    if (plan->any_order) {
        size_t rows = 2 * cpu->slices * events, own = cpu->items * (OWN_DIGIS + SLACK);
        cpu->rows = mote_carve_take(carve, rows * row_words(&plan->args), MOTE_UINT32);
        cpu->record = mote_carve_take(carve, own + 2 * n + SLACK, MOTE_UINT64);
        cpu->sorted = mote_carve_take(carve, n, MOTE_INT32);
    } else {
        cpu->owner = mote_carve_take(carve, plan->slots, MOTE_UINT32);
    }
}
