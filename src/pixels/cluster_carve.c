/* SPDX-License-Identifier: Apache-2.0 */
/* The scratch of a clustering call. */
#include "pixels/morph.h"
#include "pixels/positions.h"

#include "reduce/scan.h"
#include "shared/pixels_positions.h"

static mote_view piece(mote_carve *carve, bool wanted, size_t count)
{
    return wanted ? mote_carve_take(carve, count, MOTE_UINT32) : (mote_view){0};
}

mote_view mote_pixels_words_of(const mote_view *of, size_t first, size_t count)
{
    mote_view part = *of;
    part.offset += first;
    part.count = count;
    return part;
}

static void carve_gpu_form(mote_pixels_plan *plan, mote_carve *carve)
{
    size_t n = plan->n, positions = plan->positions, events = (size_t)plan->params.n_events + 1;
    bool any = plan->any_order;
    plan->owner = piece(carve, !any, plan->slots);
    plan->key = piece(carve, any, n);
    plan->rank = piece(carve, any, n);
    plan->count = piece(carve, any, plan->slots * plan->shares + 1);
    plan->start = piece(carve, any, plan->slots * plan->shares);
    plan->position_key = piece(carve, any && plan->position_keys, positions);
    plan->record = piece(carve, any, mote_pixels_record_words(plan) * positions + 4);
    plan->record.offset = (plan->record.offset + 3) / 4 * 4; /* aligned for one load */
    plan->run_of = piece(carve, true, positions);
    plan->strip_list = piece(carve, plan->labels.by_size || any,
                             (plan->strips + 1) / 2 * 2 + 2 * BY_SIZE_STRIP * plan->strips);
    plan->large =
        piece(carve, true,
              MOTE_PIXELS_PACKS_EVENTS + events + MOTE_PIXELS_SPILL_ENTRY * (plan->tiles + 1));
    plan->length = mote_pixels_words_of(&plan->large, MOTE_PIXELS_PACKS_DIGIS, 1);
    plan->events = mote_pixels_words_of(&plan->large, MOTE_PIXELS_PACKS_EVENTS, events);
    plan->spill = piece(carve, true, positions * plan->params.spill_words + MOTE_PIXELS_SPILL_NONE);
}

void mote_pixels_plan_carve(const mote_call *call, void *call_plan, mote_carve *carve)
{
    mote_pixels_plan *plan = call_plan;
    static const size_t copies[] = {0, 1, 2, 4};
    const mote_pixels_cluster_args *a = &plan->args;
    size_t positions = mote_pixels_positions_room(a);
    bool starts = a->cluster_start.count || a->properties.count || positions;
    bool cpu = plan->form == MOTE_DEVICE_CPU;
    bool sums = a->properties.count || positions;
    bool some =
        cpu ? sums && a->duplicates >= MOTE_DUPLICATES_SUM : a->duplicates != MOTE_DUPLICATES_DROP;
    plan->n_clusters = a->n_clusters.count ? a->n_clusters : piece(carve, true, plan->slots);
    plan->cluster_start =
        a->cluster_start.count ? a->cluster_start : piece(carve, starts, plan->slots + 1);
    size_t notes = copies[a->duplicates] * plan->n;
    if (!cpu && plan->any_order)
        notes = 4 * plan->n + 2 * plan->positions;
    plan->copies = piece(carve, some, notes);
    if (positions && cpu) {
        size_t places = mote_pixels_formed_places(a, plan->slots);
        plan->sums =
            mote_carve_take(carve, plan->cpu.items * mote_pixels_own_sums_words(a), MOTE_UINT64);
        plan->formed = piece(carve, true, places * MOTE_PIXELS_POSITION_OUTPUTS);
        plan->first_formed = piece(carve, true, plan->slots);
    } else if (positions && !plan->positions_group) {
        plan->sums = piece(carve, true, positions * MOTE_PIXELS_SUMS_WORDS);
    }
    plan->scan_scratch =
        piece(carve, starts, starts ? mote_scan_u32_scratch(call->ctx, plan->slots) : 0);
    plan->image_memory = piece(carve, plan->images > 0, plan->images * mote_pixels_image_words(a));
    if (cpu)
        mote_pixels_cpu_plan_carve(plan, carve);
    else
        carve_gpu_form(plan, carve);
}
