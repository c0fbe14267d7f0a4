/* SPDX-License-Identifier: Apache-2.0 */
/* Reductions of lists on host arrays. */
#include <stdio.h>
#include <stdlib.h>

#include "testkit/reference/jagged/segments_oracle.h"
#include "testkit/cases/reduce/data.h"
#include "mixture.h"

static const size_t most[2] = {700, 30000};

typedef struct segments {
    mote_case_lists lists;
    mote_jagged_segments_what what;
    void *values;
} segments;

static void free_segments(void *data)
{
    segments *s = data;
    mote_case_lists_free(&s->lists);
    free(s->values);
    free(s);
}

static mote_status run(const mix_call *call, mix_user *user, void *outputs)
{
    const segments *s = call->data;
    mote_jagged_segments_host_args args;
    mote_jagged_segments_host_args_init(&args);
    args.offsets_type = s->lists.type;
    args.lists = s->lists.count;
    args.offsets = s->lists.offsets;
    args.values_type = s->what.type;
    args.values = s->values;
    args.values_length = s->lists.content;
    args.reduction = s->what.reduction;
    args.result_type = s->what.result;
    args.result = outputs;
    return mote_jagged_segments_host(user->ctx, user->host, &args);
}

/* NULL when there are too many lists, or memory ran out. */
static segments *make(const mote_lists_case *c, mote_reduction reduction, mote_type type, int level)
{
    segments *s = calloc(1, sizeof(*s));
    mote_rng rng;
    mote_rng_seed(&rng, 1);
    if (!s || !mote_lists_case_make(c, MOTE_INT32, 1, &s->lists)) {
        free(s);
        return NULL;
    }
    if (s->lists.count <= most[level] && s->lists.content <= most[level])
        s->values = calloc(s->lists.content + 1, mote_type_size(type));
    if (!s->values) {
        free_segments(s);
        return NULL;
    }
    mote_reduce_fill(MOTE_SUM_UNIT, type, s->lists.content, &rng, s->values);
    s->what = (mote_jagged_segments_what){
        .values = s->values,
        .type = type,
        .reduction = reduction,
        .result = mote_jagged_segments_result_type(reduction, type, MOTE_INT32)};
    return s;
}

static void add(mixture *mix, const mote_lists_case *c, mote_reduction reduction, mote_type type,
                int level)
{
    unsigned char *expected = NULL;
    char name[90];
    segments *s = make(c, reduction, type, level);
    if (!s)
        return;
    bool rounds = mote_jagged_segments_rounds(reduction, type);
    snprintf(name, sizeof(name), "reduction %d of %s, %s", (int)reduction, c->name,
             mote_type_name(type));
    mix_call *call = mix_add(mix, "segments", name, s->lists.count * mote_type_size(s->what.result),
                             rounds && !mix->has_fp64 ? NULL : &expected);
    if (!call) {
        free_segments(s);
        return;
    }
    if (expected)
        mote_oracle_segments(&s->lists, &s->what, expected);
    call->bits = rounds ? MIX_SUMS : MIX_INTEGERS;
    call->run = run;
    call->data = s;
    call->free_data = free_segments;
}

void mix_add_segments(mixture *mix, int level)
{
    static const mote_type types[] = {MOTE_FLOAT32, MOTE_INT32, MOTE_INT64, MOTE_FLOAT64};
    for (size_t k = 0; k < mote_lists_case_count(); k++) {
        const mote_lists_case *c = mote_lists_case_at(k);
        if (level == 0) {
            add(mix, c, MOTE_REDUCE_SUM, MOTE_FLOAT32, level);
            add(mix, c, MOTE_REDUCE_MAX, MOTE_INT32, level);
        }
        for (int t = 0; t < (mix->has_fp64 ? 4 : 3) && level > 0; t++)
            for (int r = 0; mote_reduction_name((mote_reduction)r); r++)
                add(mix, c, (mote_reduction)r, types[t], level);
    }
}
