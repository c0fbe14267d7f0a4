/* SPDX-License-Identifier: Apache-2.0 */
#include "search.h"
#include "../tool.h"

#include <stdio.h>
#include <string.h>

#include "bench/bench.h"

/* Smaller gains are noise. */
#define LEAST_GAIN 1.05
/* Largest loss on another set that is accepted for a gain on one. */
#define MOST_LOSS 1.02

#define MOST_ROUNDS  9
#define LEAST_ROUNDS 3
#define MOST_RIVALS  (1 + TUNE_MOST_VALUES)

typedef struct search {
    const tune_group *group;
    tune_found *found;
    double end;
    bool second; /* the second set is being measured, to confirm the gain */
    bool met;    /* the benchmark has reached the call */
} search;

/* Tunings that are timed in turn, so that a disturbance of the machine affects all of them. */
typedef struct rivals {
    size_t count;
    char text[MOST_RIVALS][TUNE_TEXT];
    double us[MOST_RIVALS][MOST_ROUNDS];
    mote_spread spread[MOST_RIVALS];
} rivals;

static bool is_over(const search *s)
{
    return tool_seconds() >= s->end;
}

/* Keeps the rivals whose results are right; those of the first one, which is to be beaten, must be
 * right. */
static mote_bench_status check(const mote_bench_trial *trial, rivals *r, unsigned *wrong)
{
    size_t kept = 0;
    for (size_t i = 0; i < r->count; i++) {
        mote_bench_status status = mote_context_tune(trial->ctx, r->text[i])
                                       ? MOTE_BENCH_DEVICE
                                       : trial->check(trial->job);
        if (status && i == 0)
            return status;
        if (status) {
            ++*wrong;
            continue;
        }
        if (kept != i)
            memcpy(r->text[kept], r->text[i], TUNE_TEXT);
        kept++;
    }
    r->count = kept;
    return MOTE_BENCH_OK;
}

static mote_bench_status time_them(const search *s, const mote_bench_trial *trial, rivals *r)
{
    size_t rounds = 0;
    for (; rounds < MOST_ROUNDS && (rounds < LEAST_ROUNDS || !is_over(s)); rounds++)
        for (size_t i = 0; i < r->count; i++) {
            mote_call_times times;
            if (mote_context_tune(trial->ctx, r->text[i]) ||
                mote_time_call(trial->queue, trial->run, trial->job, (mote_repeats){1, 3, 0.02},
                               &times))
                return MOTE_BENCH_DEVICE;
            r->us[i][rounds] = times.device.median;
        }
    for (size_t i = 0; i < r->count; i++)
        r->spread[i] = mote_spread_of(r->us[i], rounds);
    return MOTE_BENCH_OK;
}

/* Returns the fastest of the rivals, or 0 unless it beats the first one beyond doubt. */
static size_t best_of(const rivals *r)
{
    size_t best = 0;
    for (size_t i = 1; i < r->count; i++)
        if (r->spread[i].median < r->spread[best].median)
            best = i;
    return r->spread[best].median * LEAST_GAIN < r->spread[0].median &&
                   r->spread[best].high < r->spread[0].low
               ? best
               : 0;
}

/* Adds a rival, unless its text would be truncated. */
static void add_rival(rivals *r, const char *before, const char *key, unsigned value)
{
    int length =
        snprintf(r->text[r->count], TUNE_TEXT, "%s%s%s=%u", before, *before ? "," : "", key, value);
    r->count += length > 0 && length < TUNE_TEXT;
}

/* Tries the values of a key together with the values found for the keys before it; then measures
 * the best of them once more, because the best of several was also the luckiest. */
static mote_bench_status try_key(search *s, const mote_bench_trial *trial, const tune_key *key)
{
    rivals r = {.count = 1};
    tune_found *found = s->found;
    snprintf(r.text[0], TUNE_TEXT, "%s", found->text);
    for (size_t i = 0; i < TUNE_MOST_VALUES && key->values[i]; i++)
        add_rival(&r, found->text, key->key, key->values[i]);
    mote_bench_status status = check(trial, &r, &found->wrong);
    if (!status)
        status = time_them(s, trial, &r);
    size_t best = status ? 0 : best_of(&r);
    if (!best)
        return status;
    memmove(r.text[1], r.text[best], TUNE_TEXT);
    r.count = 2;
    status = time_them(s, trial, &r);
    if (!status && best_of(&r) == 1)
        snprintf(found->text, TUNE_TEXT, "%s", r.text[1]);
    return status;
}

/* Compares the values that were found with the default. */
static mote_bench_status compare(search *s, const mote_bench_trial *trial, rivals *r)
{
    unsigned wrong = 0;
    *r = (rivals){.count = 2};
    snprintf(r->text[1], TUNE_TEXT, "%s", s->found->text);
    mote_bench_status status = check(trial, r, &wrong);
    if (!status)
        status = time_them(s, trial, r);
    if (!status && wrong) {
        s->found->wrong += wrong;
        r->count = 1;
    }
    return status;
}

static void give_up(tune_found *found)
{
    found->lost = true;
    found->us = found->usual_us;
    *found->text = '\0';
}

static mote_bench_status confirm(search *s, const mote_bench_trial *trial)
{
    rivals r;
    if (!*s->found->text)
        return MOTE_BENCH_OK;
    mote_bench_status status = compare(s, trial, &r);
    if (!status && (r.count < 2 || r.spread[1].median > r.spread[0].median * MOST_LOSS))
        give_up(s->found);
    return status;
}

static mote_bench_status look_for(search *s, const mote_bench_trial *trial)
{
    mote_bench_status status = MOTE_BENCH_OK;
    rivals r;
    for (size_t k = 0; k < TUNE_MOST_KEYS && s->group->keys[k].key && !status && !is_over(s); k++)
        status = try_key(s, trial, &s->group->keys[k]);
    if (!status)
        status = compare(s, trial, &r);
    if (status)
        return status;
    s->found->timed = true;
    s->found->us = s->found->usual_us = r.spread[0].median;
    if (*s->found->text && best_of(&r) == 1)
        s->found->us = r.spread[1].median;
    else
        *s->found->text = '\0';
    return status;
}

static mote_bench_status take_call(const mote_bench_trial *trial, void *user)
{
    search *s = user;
    if (s->met || strcmp(trial->way, s->group->way) != 0 ||
        (s->group->only && strcmp(trial->area, "jagged") == 0 &&
         strcmp(trial->call, s->group->only) != 0))
        return MOTE_BENCH_OK;
    s->met = true;
    return s->second ? confirm(s, trial) : look_for(s, trial);
}

static int run_set(const char *device, search *s, const char *set)
{
    char message[400] = "";
    mote_bench_options options = {.device = device,
                                  .area = s->group->area,
                                  .only = s->group->only,
                                  .set = set,
                                  .event = "batch",
                                  .order = "contiguous",
                                  .quick = true,
                                  .trial = take_call,
                                  .trial_user = s};
    s->met = false;
    int code = (int)mote_bench(&options, message, sizeof(message));
    if (code == TOOL_DONE)
        return code;
    return tool_fail(code, "%s on %s: %s", s->group->name, set,
                     *message ? message : mote_last_error());
}

int tune_search(const char *device, const tune_group *group, double end, tune_found *found)
{
    search s = {.group = group, .found = found, .end = end};
    *found = (tune_found){0};
    int code = run_set(device, &s, group->sets[0]);
    s.second = true;
    if (code == TOOL_DONE && *found->text)
        code = run_set(device, &s, group->sets[1]);
    /* The benchmark leaves out calls that a device cannot run, in which case nothing was
     * confirmed. */
    if (code == TOOL_DONE && s.second && !s.met && *found->text)
        give_up(found);
    return code;
}
