/* SPDX-License-Identifier: Apache-2.0 */
/* Every operation rejects an error word that overlaps one of its arrays, whether input or
 * output. */
#include "operations.h"
#include "tables.h"
#include "tests.h"

#include <stdio.h>
#include <string.h>

#define WORD  sizeof(mote_error_word)
#define WORDS ((size_t)1024) /* size of a workspace */

#define DESCRIBED(number, descriptor) [number] = &descriptor,
static const mote_descriptor *const described[] = {MOTE_OPERATIONS(DESCRIBED)};
#define NUMBERS (sizeof(described) / sizeof(described[0]))

static size_t tried[NUMBERS];

/* Returns the status of the operation's checks of its arguments. Nothing is built or enqueued. */
static mote_status check(fault_bed *b, const mote_descriptor *o, cl_mem word, size_t offset)
{
    size_t bytes;
    memcpy(b->args.bytes + o->error_at, &word, sizeof(word));
    memcpy(b->args.bytes + o->error_offset_at, &offset, sizeof(offset));
    return mote_operation_workspace_size(o, o->name, b->ctx, &b->args, &bytes);
}

static void refuses(fault_bed *b, const mote_descriptor *o, const char *name, cl_mem word,
                    size_t offset)
{
    mote_status status = check(b, o, word, offset);
    ck_assert_msg(status == MOTE_ERROR_INVALID_VIEW && strstr(mote_last_error(), "error (bytes ") &&
                      strstr(mote_last_error(), name) && strstr(mote_last_error(), " overlap "),
                  "%s takes an error word over %s, at byte %zu: %s (%s)", o->name, name, offset,
                  mote_status_name(status), status ? mote_last_error() : "");
}

static size_t smaller_of(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Tries the first and the last position of the word that overlaps the array, which must be
 * rejected, and positions next to the array, which must be accepted, if the buffer has room for
 * them. */
static void over_view(fault_bed *b, const mote_descriptor *o, const char *name,
                      const mote_view *view)
{
    size_t size = mote_type_size(view->type), room = 0;
    size_t begin = view->offset * size, end = begin + view->count * size;
    cl_int code = clGetMemObjectInfo(view->mem, CL_MEM_SIZE, sizeof(room), &room, NULL);
    ck_assert_int_eq(code, CL_SUCCESS);
    ck_assert_uint_ge(room, WORD);
    size_t first = begin < WORD ? 0 : (begin - WORD) / 4 * 4 + 4;
    size_t last = smaller_of((end - 1) / 4 * 4, (room - WORD) / 4 * 4);
    refuses(b, o, name, view->mem, first);
    refuses(b, o, name, view->mem, last);
    if (begin >= WORD)
        ck_assert_msg(check(b, o, view->mem, (begin - WORD) / 4 * 4) == MOTE_SUCCESS, "%s: %s",
                      name, mote_last_error());
}

static void over_workspace(fault_bed *b, const mote_descriptor *o)
{
    cl_int code;
    cl_mem mem = clCreateBuffer(mote_context_cl(b->ctx), CL_MEM_READ_WRITE, 2 * WORD + 4 * WORDS,
                                NULL, &code);
    ck_assert_int_eq(code, CL_SUCCESS);
    mote_view view = mote_view_make(mem, WORDS, MOTE_UINT32);
    view.offset = WORD / 4;
    memcpy(b->args.bytes + o->workspace_at, &view, sizeof(view));
    over_view(b, o, "workspace", &view);
    clReleaseMemObject(mem);
}

static void over_all(fault_bed *b, const fault_operation *op)
{
    const mote_descriptor *o = op->operation ? described[op->operation] : NULL;
    if (!o || !o->error_at || !op->setup)
        return;
    op->setup(b);
    for (size_t i = 0; i < b->count; i++) {
        const fault_array *a = &b->arrays[i];
        if (a->host || a->bytes == 0 || strcmp(a->name, "error word") == 0)
            continue;
        over_view(b, o, a->name, &a->guard.view);
        tried[op->operation]++;
    }
    if (o->workspace_at)
        over_workspace(b, o);
    if (op->cleanup)
        op->cleanup(b);
    fault_arrays_release(b);
}

START_TEST(error_word_over_arrays)
{
    static const struct {
        const fault_operation *rows;
        const size_t *count;
    } areas[] = {{fault_reduce, &fault_reduce_count},
                 {fault_jagged, &fault_jagged_count},
                 {fault_pixels, &fault_pixels_count},
                 {fault_coordination, &fault_coordination_count}};
    fault_bed b;
    fault_bed_open(&b, "");
    for (size_t i = 0; i < sizeof(areas) / sizeof(areas[0]); i++)
        for (size_t k = 0; k < *areas[i].count; k++)
            over_all(&b, &areas[i].rows[k]);
    for (size_t i = 0; i < NUMBERS; i++)
        ck_assert_msg(tried[i] > 1 || !described[i] || !described[i]->error_at, "%s is not tried",
                      described[i]->name);
    ck_assert_msg(fault_bed_close(&b), "%s", b.message);
}
END_TEST

TCase *fault_case_overlaps(void)
{
    TCase *one = tcase_create("overlaps");
    tcase_set_timeout(one, 0);
    tcase_add_test(one, error_word_over_arrays);
    return one;
}
