/* SPDX-License-Identifier: Apache-2.0 */
#include "shared.h"

/* One input and the expected result; guarded, on the device. */
typedef struct pair {
    mote_npy in, expected;
    mote_guard device_in, out, error;
    cl_event done;
} pair;

static void open_pair(const shared_case *c, const char *name, pair *p)
{
    *p = (pair){0};
    ck_assert(shared_array(c, name, &p->in) && shared_array(c, "expected", &p->expected));
    p->device_in = shared_upload(c, name, &p->in);
    p->out = bed_array(c->b, "result", p->expected.type, p->expected.count, NULL);
    p->error = bed_error_word(c->b);
}

/* Compares the device's result, then the host layer's. */
static void close_pair(const shared_case *c, pair *p,
                       mote_status (*host)(mote_context *, mote_host *,
                                           const mote_jagged_offsets_host_args *))
{
    size_t bytes = p->expected.count * mote_type_size(p->expected.type);
    void *got = malloc(bytes + 1);
    mote_jagged_offsets_host_args args;

    ck_assert_ptr_nonnull(got);
    bed_expect_error(c->b, &p->error, MOTE_SUCCESS, 0, p->done, c->name);
    bed_expect(c->b, &p->out, p->expected.values, p->done, c->name);
    bed_unchanged(c->b, &p->device_in, p->in.values, p->done, c->name);
    clReleaseEvent(p->done);
    mote_jagged_offsets_host_args_init(&args);
    args.type = p->in.type;
    args.lists = (size_t)shared_number(c, "segments");
    args.in = p->in.values;
    args.n = p->in.count;
    args.out = got;
    bed_ok(host(c->b->ctx, NULL, &args));
    ck_assert_msg(memcmp(got, p->expected.values, bytes) == 0, "%s: host layer", c->name);
    free(got);
    mote_npy_free(&p->in);
    mote_npy_free(&p->expected);
}

void shared_counts(const shared_case *c)
{
    mote_jagged_counts_args args;
    pair p;

    open_pair(c, "offsets", &p);
    mote_jagged_counts_args_init(&args);
    args.offsets = p.device_in.view;
    args.counts = shared_view(&p.out);
    args.error = p.error.view.mem;
    args.error_offset = p.error.margin;
    bed_ok(mote_jagged_counts(c->b->ctx, c->queue, &args, 0, NULL, &p.done));
    close_pair(c, &p, mote_jagged_counts_host);
}

void shared_offsets_from_counts(const shared_case *c)
{
    mote_jagged_offsets_from_counts_args args;
    pair p;

    open_pair(c, "counts", &p);
    mote_jagged_offsets_from_counts_args_init(&args);
    args.counts = shared_view(&p.device_in);
    args.offsets = p.out.view;
    args.error = p.error.view.mem;
    args.error_offset = p.error.margin;
    bed_ok(mote_jagged_offsets_from_counts(c->b->ctx, c->queue, &args, 0, NULL, &p.done));
    close_pair(c, &p, mote_jagged_offsets_from_counts_host);
}

void shared_offsets_from_parents(const shared_case *c)
{
    mote_jagged_offsets_from_parents_args args;
    pair p;

    open_pair(c, "parents", &p);
    mote_jagged_offsets_from_parents_args_init(&args);
    args.parents = shared_view(&p.device_in);
    args.offsets = p.out.view;
    args.error = p.error.view.mem;
    args.error_offset = p.error.margin;
    bed_ok(mote_jagged_offsets_from_parents(c->b->ctx, c->queue, &args, 0, NULL, &p.done));
    close_pair(c, &p, mote_jagged_offsets_from_parents_host);
}
