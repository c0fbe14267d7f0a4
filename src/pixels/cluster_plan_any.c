/* SPDX-License-Identifier: Apache-2.0 */
/* How digis in any order are moved, GPU form. */
#include "pixels/cluster_plan.h"

#include "core/quirks.h"
#include "core/tune.h"

#define ANY_GROUP   ((size_t)256)
#define SHARES_MOST 16

/* Counters of so many modules fit local memory, and what a group counts pays for them. */
#define TALLY_MODULES ((size_t)MOTE_PIXELS_TALLY_MODULES)
#define TALLY_GROUP   ((size_t)512)
#define TALLY_DIGIS   ((size_t)2048)
#define SLICES_MOST   ((size_t)32)

/* Each group reads all ids of so few digis, and has fewer modules than work-items. */
#define ONCE_DIGIS     ((size_t)1 << 17)
#define ONCE_MOST      ((size_t)1 << 20) /* INDEX_BITS of any_once.cl */
#define ONCE_GROUP     ((size_t)512)
#define ONCE_GROUP_HAS ((size_t)512) /* digis, at least, on average */
#define ONCE_LOCAL     ((size_t)23 * 1024)

/* Slices of events, so many that the device is full but each has digis enough. */
static void choose_slices(const mote_call *call, mote_pixels_plan *plan)
{
    const mote_device_info *device = &call->ctx->device;
    size_t events = plan->params.n_events, most = plan->n / TALLY_DIGIS / events;
    size_t wanted = 2 * (size_t)device->compute_units / events + 1;

    plan->tally_group = 0;
    if (!plan->any_order || plan->n == 0 || plan->params.n_modules > TALLY_MODULES ||
        device->local_bytes < 5 * TALLY_MODULES ||
        !mote_tune_size(call->ctx, "pixels.tally", 1, 0, 1))
        return;
    for (plan->tally_group = TALLY_GROUP; plan->tally_group > device->max_work_group;)
        plan->tally_group /= 2;
    most = most < SLICES_MOST ? most : SLICES_MOST;
    plan->shares = wanted < most ? wanted : most;
    plan->shares += plan->shares == 0;
}

/* Whether the digis of one event are moved in one launch; returns by how many groups. Not where
 * module_id_out is module_id, which other groups still read. */
static size_t choose_once(const mote_call *call, mote_pixels_plan *plan)
{
    const mote_pixels_cluster_args *a = &plan->args;
    const mote_device_info *device = &call->ctx->device;
    bool warps = mote_has_quirk(call->ctx, MOTE_QUIRK_PTX);
    bool apart = a->module_id_out.mem != a->module_id.mem || call->preparing;
    size_t most = mote_tune_size(call->ctx, "pixels.once", warps ? ONCE_DIGIS : 0, 0, ONCE_MOST);
    size_t groups = plan->n / ONCE_GROUP_HAS + 1, modules = plan->params.n_modules;

    if (!plan->any_order || plan->n == 0 || plan->n > most || plan->params.n_events > 1 || !apart ||
        device->local_bytes < ONCE_LOCAL)
        return 0;
    for (plan->once_group = ONCE_GROUP; plan->once_group > device->max_work_group;)
        plan->once_group /= 2;
    groups = groups < device->compute_units ? groups : device->compute_units;
    groups = groups ? groups : 1;
    plan->once_each = (modules + groups - 1) / groups;
    if (plan->once_each > plan->once_group)
        plan->once_each = 0;
    return plan->once_each ? (modules + plan->once_each - 1) / plan->once_each : 0;
}

/* Digis in any order are moved: the keys of a group of any_segments take whole strips, and a
 * position more where they end. */
void mote_pixels_any_plan_make(const mote_call *call, mote_pixels_plan *plan)
{
    size_t groups, once = choose_once(call, plan);

    for (plan->any_group = ANY_GROUP; plan->any_group > call->ctx->device.max_work_group;)
        plan->any_group /= 2;
    plan->positions = plan->n;
    groups = (plan->slots + plan->any_group - 1) / plan->any_group;
    groups = groups < plan->n ? groups : plan->n;
    groups = groups > once ? groups : once;
    if (plan->any_order)
        plan->positions = plan->n / ROLES_STRIP * ROLES_STRIP + ROLES_STRIP * (groups + 1);
    plan->strips = (plan->positions + ROLES_STRIP - 1) / ROLES_STRIP;
    plan->params.positions = (uint32_t)plan->positions;
    for (plan->shares = 1; plan->shares < SHARES_MOST && plan->n / 8 / plan->shares > plan->slots;)
        plan->shares *= 2;
    choose_slices(call, plan);
}
