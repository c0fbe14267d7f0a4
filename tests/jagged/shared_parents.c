/* SPDX-License-Identifier: Apache-2.0 */
#include "shared.h"

#include <stdio.h>

/* The description of a case's lists: offsets, or starts and stops. */
typedef struct lists {
    mote_npy offsets, starts, stops;
    mote_type type;
    size_t count;
    bool spans, absolute;
} lists;

static void read_lists(const shared_case *c, lists *l)
{
    char op[64] = "";

    *l = (lists){0};
    l->spans = shared_array(c, "starts", &l->starts);
    if (l->spans)
        ck_assert(shared_array(c, "stops", &l->stops));
    else
        ck_assert(shared_array(c, "offsets", &l->offsets));
    l->type = l->spans ? l->starts.type : l->offsets.type;
    l->count = l->spans ? l->starts.count : l->offsets.count - 1;
    shared_text(c, "", "op", op, sizeof(op));
    l->absolute = l->spans || strcmp(op, "parents_abs") == 0;
}

static void free_lists(lists *l)
{
    mote_npy_free(&l->offsets);
    mote_npy_free(&l->starts);
    mote_npy_free(&l->stops);
}

/* A trial of mote_jagged_parents() and its expected results. */
typedef struct trial {
    mote_jagged_strategy strategy;
    bool absolute;
    size_t n, content;
    const void *expected;
    mote_status status;
    uint32_t index;
} trial;

static void run_device(const shared_case *c, const lists *l, const trial *t)
{
    mote_guard offsets = shared_upload(c, "offsets", &l->offsets);
    mote_guard starts = shared_upload(c, "starts", &l->starts);
    mote_guard stops = shared_upload(c, "stops", &l->stops);
    mote_guard out = bed_array(c->b, "parents", l->type, t->n, NULL), error = bed_error_word(c->b);
    mote_jagged_parents_args args;
    cl_event done = NULL;
    char label[400];

    snprintf(label, sizeof(label), "%s, strategy %d", c->name, (int)t->strategy);
    mote_jagged_parents_args_init(&args);
    args.offsets = shared_view(&offsets);
    args.starts = shared_view(&starts);
    args.stops = shared_view(&stops);
    args.parents = shared_view(&out);
    args.absolute = t->absolute;
    args.content_length = t->absolute ? 0 : t->content;
    args.strategy = t->strategy;
    args.validate = MOTE_JAGGED_VALIDATE_FULL;
    args.overlap = MOTE_JAGGED_OVERLAP_CHECK;
    args.error = error.view.mem;
    args.error_offset = error.margin;
    bed_ok(mote_jagged_parents(c->b->ctx, c->queue, &args, 0, NULL, &done));
    bed_expect_error(c->b, &error, t->status, t->index, done, label);
    if (t->status)
        bed_margins(c->b, &out, done, label);
    else
        bed_expect(c->b, &out, t->expected, done, label);
    mote_guard_release(&offsets);
    mote_guard_release(&starts);
    mote_guard_release(&stops);
    clReleaseEvent(done);
}

static void run_host(const shared_case *c, const lists *l, const trial *t)
{
    mote_jagged_parents_host_args args;
    size_t bytes = t->n * mote_type_size(l->type);
    void *out = malloc(bytes + 1);

    ck_assert_ptr_nonnull(out);
    mote_jagged_parents_host_args_init(&args);
    args.type = l->type;
    args.lists = l->count;
    args.offsets = l->offsets.values;
    args.starts = l->starts.values;
    args.stops = l->stops.values;
    args.out = out;
    args.n = t->n;
    args.absolute = t->absolute;
    args.content_length = t->absolute ? 0 : t->content;
    args.strategy = t->strategy;
    mote_status status = mote_jagged_parents_host(c->b->ctx, NULL, &args);

    ck_assert_msg(status == t->status, "%s: %s (%s), not %s", c->name, mote_status_name(status),
                  mote_last_error(), mote_status_name(t->status));
    if (!status && t->n)
        ck_assert_msg(memcmp(out, t->expected, bytes) == 0, "%s: the host layer differs", c->name);
    free(out);
}

/* Every strategy that accepts such lists. */
static void run_strategies(const shared_case *c, const lists *l, trial *t)
{
    static const mote_jagged_strategy strategies[] = {MOTE_JAGGED_AUTO, MOTE_JAGGED_SEARCH,
                                                      MOTE_JAGGED_EVENT, MOTE_JAGGED_BALANCED};

    for (size_t i = 0; i < sizeof(strategies) / sizeof(strategies[0]); i++) {
        t->strategy = strategies[i];
        if (!l->spans || t->strategy != MOTE_JAGGED_SEARCH)
            run_device(c, l, t);
    }
    t->strategy = MOTE_JAGGED_AUTO;
    run_host(c, l, t);
}

void shared_parents(const shared_case *c)
{
    mote_npy expected;
    lists l;

    read_lists(c, &l);
    ck_assert(shared_array(c, "expected", &expected));
    shared_convert(&expected, l.type);
    trial t = {.absolute = l.absolute, .n = expected.count, .expected = expected.values};

    ck_assert_int_eq((int64_t)t.n, shared_number(c, "n"));
    ck_assert_int_eq((int64_t)l.count, shared_number(c, "segments"));
    run_strategies(c, &l, &t);
    mote_npy_free(&expected);
    free_lists(&l);
}

/* A number of lists that no array can have must be rejected before anything is read. */
static void refuse_number(const shared_case *c, lists *l)
{
    mote_guard offsets = shared_upload(c, "offsets", &l->offsets);
    mote_jagged_parents_host_args host;
    mote_jagged_parents_args args;
    int32_t out = 0;

    mote_jagged_parents_args_init(&args);
    args.offsets = offsets.view;
    args.offsets.count = l->count + 1;
    ck_assert_int_ne(mote_jagged_parents(c->b->ctx, c->queue, &args, 0, NULL, NULL), MOTE_SUCCESS);
    mote_jagged_parents_host_args_init(&host);
    host.type = l->type;
    host.lists = l->count;
    host.offsets = l->offsets.values;
    host.out = &out;
    host.n = 1;
    ck_assert_int_ne(mote_jagged_parents_host(c->b->ctx, NULL, &host), MOTE_SUCCESS);
    mote_guard_release(&offsets);
}

void shared_parents_invalid(const shared_case *c)
{
    lists l;
    trial t = {.n = (size_t)shared_number(c, "n"),
               .content = (size_t)shared_number(c, "content_length")};

    read_lists(c, &l);
    t.absolute = l.absolute;
    t.status = shared_error(c, &t.index);
    if (t.status == MOTE_ERROR_INVALID_ARGUMENT) {
        l.count = (size_t)shared_number(c, "segments");
        refuse_number(c, &l);
    } else if (t.status == MOTE_ERROR_CAPACITY) {
        t.index = (uint32_t)mote_index_get(l.offsets.values, l.type, l.count);
        run_strategies(c, &l, &t);
    } else {
        run_strategies(c, &l, &t);
        t.absolute = true;
        run_strategies(c, &l, &t);
    }
    free_lists(&l);
}

void shared_local_index(const shared_case *c)
{
    mote_npy offsets, expected;

    ck_assert(shared_array(c, "offsets", &offsets) && shared_array(c, "expected", &expected));
    mote_guard in = shared_upload(c, "offsets", &offsets), error = bed_error_word(c->b);
    mote_guard out = bed_array(c->b, "local_index", offsets.type, expected.count, NULL);
    mote_jagged_local_index_args args;
    cl_event done = NULL;

    mote_jagged_local_index_args_init(&args);
    args.offsets = in.view;
    args.local_index = shared_view(&out);
    args.error = error.view.mem;
    args.error_offset = error.margin;
    bed_ok(mote_jagged_local_index(c->b->ctx, c->queue, &args, 0, NULL, &done));
    bed_expect_error(c->b, &error, MOTE_SUCCESS, 0, done, c->name);
    bed_expect(c->b, &out, expected.values, done, c->name);
    clReleaseEvent(done);
    mote_guard_release(&in);

    size_t bytes = expected.count * mote_type_size(offsets.type);
    mote_jagged_parents_host_args host;
    void *got = malloc(bytes + 1);

    mote_jagged_parents_host_args_init(&host);
    host.type = offsets.type;
    host.lists = offsets.count - 1;
    host.offsets = offsets.values;
    host.out = got;
    host.n = expected.count;
    bed_ok(mote_jagged_local_index_host(c->b->ctx, NULL, &host));
    ck_assert_msg(memcmp(got, expected.values, bytes) == 0, "%s: host layer", c->name);
    free(got);
    mote_npy_free(&offsets);
    mote_npy_free(&expected);
}
