/* SPDX-License-Identifier: Apache-2.0 */
#include "bed.h"

#define MARGIN 16

void bed_ok(mote_status status)
{
    ck_assert_msg(status == MOTE_SUCCESS, "%s: %s", mote_status_name(status), mote_last_error());
}

static cl_command_queue make_queue(const bed *b, cl_command_queue_properties properties)
{
    cl_int code;
    cl_command_queue queue =
        clCreateCommandQueue(mote_context_cl(b->ctx), b->ctx->device.device, properties, &code);
    return code ? NULL : queue;
}

void bed_open(bed *b, const char *tune)
{
    ck_assert_int_eq(setenv("MOTE_TUNE", tune, 1), 0);
    bed_ok(mote_context_open(NULL, &b->ctx));
    unsetenv("MOTE_TUNE");
    b->in_order = make_queue(b, 0);
    ck_assert_ptr_nonnull(b->in_order);
    b->any_order = make_queue(b, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    if (!b->any_order)
        b->any_order = make_queue(b, 0);
    ck_assert_ptr_nonnull(b->any_order);
}

void bed_close(bed *b)
{
    clReleaseCommandQueue(b->in_order);
    clReleaseCommandQueue(b->any_order);
    mote_context_release(b->ctx);
}

mote_view bed_array(bed *b, const uint32_t *values, size_t count, size_t offset)
{
    size_t all = offset + count + MARGIN;
    uint32_t *host = malloc(all * sizeof(*host));
    ck_assert_ptr_nonnull(host);
    for (size_t i = 0; i < all; i++)
        host[i] = BED_POISON;
    if (values && count)
        memcpy(host + offset, values, count * sizeof(*host));
    cl_int code;
    cl_mem mem = clCreateBuffer(mote_context_cl(b->ctx), CL_MEM_COPY_HOST_PTR, all * sizeof(*host),
                                host, &code);
    free(host);
    ck_assert_int_eq(code, CL_SUCCESS);
    return (mote_view){.mem = mem, .offset = offset, .count = count, .type = MOTE_UINT32};
}

uint32_t *bed_read(bed *b, const mote_view *v)
{
    size_t all = v->offset + v->count + MARGIN;
    uint32_t *host = malloc(all * sizeof(*host));
    ck_assert_ptr_nonnull(host);
    cl_int code = clEnqueueReadBuffer(b->in_order, v->mem, CL_TRUE, 0, all * sizeof(*host), host, 0,
                                      NULL, NULL);
    ck_assert_int_eq(code, CL_SUCCESS);
    for (size_t i = 0; i < all; i++)
        if (i < v->offset || i >= v->offset + v->count)
            ck_assert_msg(host[i] == BED_POISON, "element %zu of an array at %zu + %zu was written",
                          i, v->offset, v->count);
    memmove(host, host + v->offset, v->count * sizeof(*host));
    return host;
}

void bed_free(mote_view *v)
{
    clReleaseMemObject(v->mem);
    v->mem = NULL;
}

uint32_t bed_random(uint32_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 17;
    *state ^= *state << 5;
    return *state;
}
