/* SPDX-License-Identifier: Apache-2.0 */
#include "calls.h"

#define MOST  300000
#define SMALL 1100

static bool try_call(bed *b, trial_call *call)
{
    trial_choices choices = *call->choices;
    char message[MESSAGE_SIZE];

    call->choices = &choices;
    call->ctx = b->ctx;
    if (!trial_draw(call))
        return false;
    bool good = trial_fill(call, message, sizeof(message)) &&
                trial_run(call, call->gates && call->seed % 2 ? b->any_order : b->in_order, NULL,
                          message, sizeof(message));
    trial_drop(call);
    const trial_lists_given *given = call->given;
    ck_assert_msg(good, "%s: %s", given->shape->name, message);
    return true;
}

bool call_try(bed *b, const trial_operation *operation, const trial_choices *choices,
              const trial_lists_given *given, uint64_t seed, bool small)
{
    trial_choices all = *choices;
    trial_call call = {.operation = operation,
                       .choices = &all,
                       .seed = seed,
                       .size = TRIAL_ANY,
                       .most = small ? SMALL : MOST,
                       .gates = !small, /* Oclgrind treats values after a gate as uninitialised */
                       .given = given,
                       .on_host = operation->run_host && !small && seed / 7 % 4 == 3};

    return try_call(b, &call);
}

static void set_offsets(mote_case_lists *lists, mote_rng *rng, const void *about)
{
    const int64_t *offsets = about;

    (void)rng;
    for (size_t k = 0; k <= lists->count; k++)
        mote_index_set(lists->offsets, lists->type, k, offsets[k]);
}

bool call_try_offsets(bed *b, const trial_operation *operation, const trial_choices *choices,
                      size_t lists, const int64_t *offsets, size_t n, uint64_t seed,
                      const char *label)
{
    trial_choices all = *choices;
    mote_lists_case shape = {label, {MOTE_LENGTH_EVEN, lists, 0, (int64_t)n, 0}, 0, 0};
    trial_lists_given given = {&shape, -1, set_offsets, offsets, true};
    trial_call call = {.operation = operation,
                       .choices = &all,
                       .seed = seed,
                       .size = TRIAL_ANY,
                       .most = MOST,
                       .gates = true,
                       .telling = true,
                       .given = &given};

    return try_call(b, &call);
}

trial_choices call_reduce(mote_type values, mote_reduction reduction, bool other_result,
                          mote_nan_policy nan, mote_type index, mote_jagged_validate validate)
{
    return (trial_choices){.fixed = 6,
                           .value = {(uint8_t)values, (uint8_t)reduction, other_result,
                                     (uint8_t)nan, (uint8_t)index, (uint8_t)validate}};
}
