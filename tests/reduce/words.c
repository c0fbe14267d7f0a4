/* SPDX-License-Identifier: Apache-2.0 */
#include "words.h"

#define MARGIN 16

mote_view words_create(bed *b, const uint32_t *values, size_t count, size_t offset)
{
    size_t all = offset + count + MARGIN;
    uint32_t *host = malloc(all * sizeof(*host));
    ck_assert_ptr_nonnull(host);
    for (size_t i = 0; i < all; i++)
        host[i] = WORDS_POISON;
    if (values && count)
        memcpy(host + offset, values, count * sizeof(*host));
    cl_int code;
    cl_mem mem = clCreateBuffer(mote_context_cl(b->ctx), CL_MEM_COPY_HOST_PTR, all * sizeof(*host),
                                host, &code);
    free(host);
    ck_assert_int_eq(code, CL_SUCCESS);
    return (mote_view){.mem = mem, .offset = offset, .count = count, .type = MOTE_UINT32};
}

uint32_t *words_read(bed *b, const mote_view *v)
{
    size_t all = v->offset + v->count + MARGIN;
    uint32_t *host = malloc(all * sizeof(*host));
    ck_assert_ptr_nonnull(host);
    cl_int code = clEnqueueReadBuffer(b->in_order, v->mem, CL_TRUE, 0, all * sizeof(*host), host, 0,
                                      NULL, NULL);
    ck_assert_int_eq(code, CL_SUCCESS);
    for (size_t i = 0; i < all; i++)
        if (i < v->offset || i >= v->offset + v->count)
            ck_assert_msg(host[i] == WORDS_POISON,
                          "element %zu of an array at %zu + %zu was written", i, v->offset,
                          v->count);
    memmove(host, host + v->offset, v->count * sizeof(*host));
    return host;
}

void words_free(mote_view *v)
{
    clReleaseMemObject(v->mem);
    v->mem = NULL;
}

uint32_t words_random(uint32_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 17;
    *state ^= *state << 5;
    return *state;
}
