/* SPDX-License-Identifier: Apache-2.0 */
/* Every call on device buffers rejects arguments that its description in testkit/fields.c does not
 * allow. Each test changes one argument of a valid call. The sentence names the argument; the call,
 * its preparation and its workspace function must agree. */
#include "core/size.h"
#include "operations.h"
#include "tables.h"
#include "testkit/fields.h"
#include "tests.h"

#include <string.h>

#define WORD  sizeof(mote_error_word)
#define WORDS ((size_t)1024) /* of a workspace */

#define DESCRIBED(number, descriptor) [number] = &descriptor,
static const mote_descriptor *const descriptors[] = {MOTE_OPERATIONS(DESCRIBED)};

/* A valid call, and the objects for invalid arguments. */
typedef struct attempt {
    fault_bed *b;
    const fault_operation *op;
    const mote_fields *fields;
    const mote_descriptor *descriptor;
    unsigned char good[FAULT_ARGS_BYTES]; /* its arguments */
    cl_mem foreign, readable, writable;   /* of another context; of restricted access */
    size_t refused;
} attempt;

static mote_view *view_of(const attempt *a, const mote_field *f)
{
    return (mote_view *)(void *)(a->b->args.bytes + f->at);
}

static mote_view good_view(const attempt *a, const mote_field *f)
{
    mote_view view;
    memcpy(&view, a->good + f->at, sizeof(view));
    return view;
}

static void restore(attempt *a)
{
    memcpy(a->b->args.bytes, a->good, FAULT_ARGS_BYTES);
}

/* Checks that the changed call is rejected with one of two statuses and a sentence that contains
 * the word, then restores the arguments. */
static void refuse_either(attempt *a, mote_status first, mote_status second, const char *word,
                          const char *what)
{
    mote_status got = a->op->run(a->b);
    ck_assert_msg((got == first || got == second) && strstr(mote_last_error(), word) &&
                      !a->b->event,
                  "%s: %s %s: %s (%s), not %s", a->op->name, word, what, mote_status_name(got),
                  got ? mote_last_error() : "accepted", mote_status_name(first));
    if (a->op->operation) {
        mote_status prepared = mote_prepare(a->b->ctx, a->op->operation, &a->b->args);
        ck_assert_msg(prepared == got, "%s: %s %s: %s, but mote_prepare() says %s", a->op->name,
                      word, what, mote_status_name(got), mote_status_name(prepared));
    }
    if (a->op->size) {
        mote_status sized = a->op->size(a->b);
        ck_assert_msg(sized == got, "%s: %s %s: %s, but its workspace function says %s",
                      a->op->name, word, what, mote_status_name(got), mote_status_name(sized));
    }
    a->refused++;
    restore(a);
}

static void refuse(attempt *a, mote_status status, const char *word, const char *what)
{
    refuse_either(a, status, status, word, what);
}

/* Tests the call alone: preparations and workspace functions check neither queue nor memory. */
static void refuse_call(attempt *a, mote_status status, const char *word, const char *what)
{
    const fault_operation *op = a->op;
    fault_operation call = *op;
    call.operation = 0;
    call.size = NULL;
    a->op = &call;
    refuse(a, status, word, what);
    a->op = op;
}

/* Runs the checks alone, which neither build nor enqueue. */
static mote_status check(const attempt *a)
{
    size_t bytes;
    return mote_operation_workspace_size(a->descriptor, a->descriptor->name, a->b->ctx, &a->b->args,
                                         &bytes);
}

static void refuse_types(attempt *a, const mote_field *f)
{
    mote_view good = good_view(a, f);
    for (unsigned type = 0; type < 40; type++) {
        bool allowed = type < 32 && f->types >> type & 1;
        if (f->is & FIELD_FOLLOWS ? type == (unsigned)good.type : allowed)
            continue;
        view_of(a, f)->type = (mote_type)type;
        /* An optional view without a type may count as missing. */
        refuse_either(a, MOTE_ERROR_INVALID_TYPE,
                      type || !(f->is & FIELD_OPTIONAL) ? MOTE_ERROR_INVALID_TYPE
                                                        : MOTE_ERROR_INVALID_ARGUMENT,
                      f->name, "of another type");
    }
}

static void refuse_counts(attempt *a, const mote_field *f)
{
    bool leads = f->is & FIELD_LEADS; /* the sentence may name a view that follows */
    for (int change = -1; f->is & (FIELD_EXACT | FIELD_LEADS) && change < 2; change += 2) {
        view_of(a, f)->count += (size_t)change;
        refuse_either(a, MOTE_ERROR_INVALID_ARGUMENT,
                      leads ? MOTE_ERROR_INVALID_VIEW : MOTE_ERROR_INVALID_ARGUMENT,
                      leads ? "" : f->name, change < 0 ? "one short" : "one long");
    }
    if (!(f->is & FIELD_OPTIONAL)) {
        *view_of(a, f) = (mote_view){0};
        refuse(a, MOTE_ERROR_INVALID_ARGUMENT, leads ? "" : f->name, "missing");
    }
}

static void refuse_memory(attempt *a, const mote_field *f)
{
    mote_view good = good_view(a, f);
    size_t room = 0;
    ck_assert_int_eq(clGetMemObjectInfo(good.mem, CL_MEM_SIZE, sizeof(room), &room, NULL),
                     CL_SUCCESS);
    const size_t places[] = {room / mote_type_size(good.type) - good.count + 1, SIZE_MAX - 3};
    for (size_t k = 0; k < 2; k++) {
        view_of(a, f)->offset = places[k];
        refuse(a, MOTE_ERROR_INVALID_VIEW, f->name, "beyond its buffer");
    }
    view_of(a, f)->mem = a->foreign;
    refuse(a, MOTE_ERROR_WRONG_CONTEXT, f->name, "of another context");
    view_of(a, f)->mem = f->is & FIELD_WRITTEN ? a->readable : a->writable;
    refuse(a, MOTE_ERROR_INVALID_VIEW, f->name, "in a buffer of few rights");
    view_of(a, f)->mem = NULL;
    refuse_call(a, MOTE_ERROR_INVALID_VIEW, f->name, "without memory");
}

/* Moves the view over another one, where one of the two is written. */
static void refuse_overlap(attempt *a, const mote_field *f, const mote_field *other)
{
    mote_view mine = good_view(a, f), theirs = good_view(a, other);
    size_t size = mote_type_size(mine.type), at = theirs.offset * mote_type_size(theirs.type);
    size_t room = 0, needs = (at + size - 1) / size + mine.count;
    ck_assert_int_eq(clGetMemObjectInfo(theirs.mem, CL_MEM_SIZE, sizeof(room), &room, NULL),
                     CL_SUCCESS);
    if (!((f->is | other->is) & FIELD_WRITTEN) || needs * size > room)
        return;
    mine.mem = theirs.mem;
    mine.offset = (at + size - 1) / size;
    /* A view one element from the other view's beginning is not the same range. */
    if ((f->is | other->is) & FIELD_IN_PLACE && mine.offset > 0)
        mine.offset--;
    *view_of(a, f) = mine;
    refuse(a, MOTE_ERROR_INVALID_VIEW, f->name, "over another view");
}

static void refuse_choices(attempt *a)
{
    for (const mote_choice *c = a->fields->choices;
         c < a->fields->choices + MOTE_CHOICES_MOST && c->name; c++) {
        const uint32_t wrong[] = {c->count, UINT32_MAX};
        for (size_t k = 0; k < 2; k++) {
            memcpy(a->b->args.bytes + c->at, &wrong[k], sizeof(wrong[k]));
            refuse(a, MOTE_ERROR_INVALID_ARGUMENT, c->name, "beyond the enumeration");
        }
    }
}

static void refuse_structure(attempt *a)
{
    const size_t sizes[] = {0, 3, sizeof(size_t) - 1};
    size_t size = a->fields->size, more = size + 16;
    for (size_t k = 0; k < 3; k++) {
        memcpy(a->b->args.bytes, &sizes[k], sizeof(size_t));
        refuse(a, MOTE_ERROR_INVALID_STRUCT, a->fields->init, "not called");
    }
    ck_assert_uint_le(more, FAULT_ARGS_BYTES);
    memset(a->b->args.bytes + size, 0, FAULT_ARGS_BYTES - size);
    memcpy(a->b->args.bytes, &more, sizeof(more));
    ck_assert_msg(check(a) == MOTE_SUCCESS, "%s: %s", a->op->name, mote_last_error());
    a->b->args.bytes[more - 1] = 1;
    refuse(a, MOTE_ERROR_INVALID_STRUCT, "a newer library is needed", "is missed");
}

static void put_word(const attempt *a, cl_mem word, size_t offset)
{
    memcpy(a->b->args.bytes + a->descriptor->error_at, &word, sizeof(word));
    memcpy(a->b->args.bytes + a->descriptor->error_offset_at, &offset, sizeof(offset));
}

/* Checks that an error word over the first or last bytes of a view is rejected, and that one
 * directly before the view is accepted. A buffer of fewer bytes than a word cannot contain one. */
static void refuse_word_over(attempt *a, const char *name, const mote_view *view)
{
    size_t size = mote_type_size(view->type), room = 0;
    size_t begin = view->offset * size, end = begin + view->count * size;
    ck_assert(!clGetMemObjectInfo(view->mem, CL_MEM_SIZE, sizeof(room), &room, NULL));
    if (room < WORD)
        return;
    const size_t places[] = {begin < WORD ? 0 : (begin - WORD) / 4 * 4 + 4,
                             min_size((end - 1) / 4 * 4, (room - WORD) / 4 * 4)};
    for (size_t k = 0; k < 2; k++) {
        put_word(a, view->mem, places[k]);
        mote_status got = check(a);
        ck_assert_msg(got == MOTE_ERROR_INVALID_VIEW &&
                          strstr(mote_last_error(), "error (bytes ") &&
                          strstr(mote_last_error(), name) && strstr(mote_last_error(), " overlap "),
                      "%s takes an error word over %s, at byte %zu: %s (%s)", a->op->name, name,
                      places[k], mote_status_name(got), got ? mote_last_error() : "");
    }
    if (begin >= WORD) {
        put_word(a, view->mem, (begin - WORD) / 4 * 4);
        ck_assert_msg(check(a) == MOTE_SUCCESS, "%s: %s", name, mote_last_error());
    }
}

static void refuse_words(attempt *a)
{
    cl_mem own = a->b->arrays[a->b->error].guard.view.mem;
    put_word(a, own, 2);
    refuse(a, MOTE_ERROR_INVALID_ARGUMENT, "error_offset 2", "is no multiple of 4");
    put_word(a, own, (size_t)1 << 40);
    refuse(a, MOTE_ERROR_INVALID_VIEW, "error", "beyond its buffer");
    put_word(a, a->foreign, 0);
    refuse(a, MOTE_ERROR_WRONG_CONTEXT, "error", "of another context");
    put_word(a, a->readable, 0);
    refuse(a, MOTE_ERROR_INVALID_VIEW, "error", "that cannot be written");
    for (size_t i = 0; i < a->b->count; i++) {
        const fault_array *array = &a->b->arrays[i];
        if (!array->host && array->bytes > 0 && i != a->b->error)
            refuse_word_over(a, array->name, &array->guard.view);
        restore(a);
    }
}

/* If a call needs more than one word, one is too few. */
static void refuse_short_workspace(attempt *a, mote_view *view)
{
    size_t bytes = 0;
    ck_assert_int_eq(mote_operation_workspace_size(a->descriptor, a->descriptor->name, a->b->ctx,
                                                   &a->b->args, &bytes),
                     MOTE_SUCCESS);
    view->type = MOTE_UINT32;
    view->count = 1;
    memcpy(a->b->args.bytes + a->descriptor->workspace_at, view, sizeof(*view));
    if (bytes > sizeof(cl_uint))
        refuse_call(a, MOTE_ERROR_INVALID_ARGUMENT, "workspace", "too small");
    restore(a);
}

static void refuse_workspaces(attempt *a)
{
    cl_int code;
    cl_mem mem = clCreateBuffer(mote_context_cl(a->b->ctx), CL_MEM_READ_WRITE, 2 * WORD + 4 * WORDS,
                                NULL, &code);
    ck_assert_int_eq(code, CL_SUCCESS);
    mote_view view = mote_view_make(mem, WORDS, MOTE_UINT32);
    view.offset = WORD / 4;
    memcpy(a->b->args.bytes + a->descriptor->workspace_at, &view, sizeof(view));
    if (a->descriptor->error_at)
        refuse_word_over(a, "workspace", &view);
    restore(a);
    view.type = MOTE_INT32;
    memcpy(a->b->args.bytes + a->descriptor->workspace_at, &view, sizeof(view));
    refuse(a, MOTE_ERROR_INVALID_TYPE, "workspace", "of another type");
    refuse_short_workspace(a, &view);
    clReleaseMemObject(mem);
}

static void refuse_handles(attempt *a, fault_bed *other)
{
    mote_context *ctx = a->b->ctx;
    cl_command_queue queue = a->b->queue;
    a->b->ctx = NULL;
    refuse_call(a, MOTE_ERROR_INVALID_ARGUMENT, "ctx", "is NULL");
    a->b->ctx = ctx;
    a->b->queue = NULL;
    refuse_call(a, MOTE_ERROR_INVALID_ARGUMENT, "queue", "is NULL");
    a->b->queue = other->queues[0];
    refuse_call(a, MOTE_ERROR_WRONG_CONTEXT, "queue", "of another context");
    a->b->queue = queue;
}

static void refuse_all(attempt *a, fault_bed *other)
{
    const mote_field *fields = a->fields->fields;
    ck_assert_msg(check(a) == MOTE_SUCCESS, "%s: %s", a->op->name, mote_last_error());
    for (size_t i = 0; i < MOTE_FIELDS_MOST && fields[i].name; i++) {
        if (!good_view(a, &fields[i]).mem)
            continue;
        refuse_types(a, &fields[i]);
        refuse_counts(a, &fields[i]);
        refuse_memory(a, &fields[i]);
        for (size_t j = 0; j < MOTE_FIELDS_MOST && fields[j].name; j++)
            if (j != i && good_view(a, &fields[j]).mem)
                refuse_overlap(a, &fields[i], &fields[j]);
    }
    refuse_choices(a);
    refuse_structure(a);
    refuse_handles(a, other);
    if (a->b->has_error)
        refuse_words(a);
    if (a->descriptor->workspace_at)
        refuse_workspaces(a);
}

static cl_mem buffer(mote_context *ctx, cl_mem_flags flags)
{
    cl_int code;
    cl_mem made = clCreateBuffer(mote_context_cl(ctx), flags, (size_t)1 << 20, NULL, &code);
    ck_assert_int_eq(code, CL_SUCCESS);
    return made;
}

/* The row of a call, whose name may be followed by a comma. */
static const mote_fields *fields_of_call(const char *name)
{
    size_t length = strcspn(name, ",");
    for (size_t i = 0; i < mote_all_fields_count; i++)
        if (strlen(mote_all_fields[i].call) == length &&
            !strncmp(mote_all_fields[i].call, name, length))
            return &mote_all_fields[i];
    return NULL;
}

/* The operation of a row may be 0: then only the call is tested. */
static const mote_descriptor *descriptor_of(const mote_fields *fields)
{
    const char *name = strcmp(fields->call, "mote_reduce") ? fields->call : "mote_reduce_rows";
    for (size_t i = 0; i < sizeof(descriptors) / sizeof(descriptors[0]); i++)
        if (descriptors[i] && !strcmp(descriptors[i]->name, name))
            return descriptors[i];
    return NULL;
}

static void try_row(fault_bed *b, fault_bed *other, const fault_operation *op, size_t *refused)
{
    attempt a = {.b = b, .op = op, .fields = fields_of_call(op->name)};
    if (!a.fields || !(op->setup || op->described) || !(a.descriptor = descriptor_of(a.fields)))
        return;
    fault_setup(b, op);
    memcpy(a.good, b->args.bytes, FAULT_ARGS_BYTES);
    a.foreign = buffer(other->ctx, CL_MEM_READ_WRITE);
    a.readable = buffer(b->ctx, CL_MEM_READ_ONLY);
    a.writable = buffer(b->ctx, CL_MEM_WRITE_ONLY);
    fault_arrays_refill(b);
    refuse_all(&a, other);
    ck_assert_int_eq(clFinish(b->queue), CL_SUCCESS);
    ck_assert_msg(fault_arrays_check(b, FAULT_INTACT), "%s: %s", op->name, b->message);
    refused[a.fields - mote_all_fields] += a.refused;
    clReleaseMemObject(a.foreign);
    clReleaseMemObject(a.readable);
    clReleaseMemObject(a.writable);
    if (op->cleanup)
        op->cleanup(b);
    fault_arrays_release(b);
}

START_TEST(wrong_arguments)
{
    static const struct {
        const fault_operation *rows;
        const size_t *count;
    } areas[] = {{fault_described, &fault_described_count},
                 {fault_jagged, &fault_jagged_count},
                 {fault_pixels, &fault_pixels_count},
                 {fault_coordination, &fault_coordination_count}};
    size_t refused[64] = {0};
    fault_bed b, other;
    fault_bed_open(&other, "");
    fault_bed_open(&b, "");
    for (size_t i = 0; i < sizeof(areas) / sizeof(areas[0]); i++)
        for (size_t k = 0; k < *areas[i].count; k++)
            try_row(&b, &other, &areas[i].rows[k], refused);
    for (size_t i = 0; i < mote_all_fields_count; i++)
        ck_assert_msg(refused[i] > 20, "%s: %zu refusals", mote_all_fields[i].call, refused[i]);
    for (size_t i = 0; i < sizeof(descriptors) / sizeof(descriptors[0]); i++)
        ck_assert_msg(!descriptors[i] || fields_of_call(descriptors[i]->name),
                      "testkit/fields.c has no row for %s", descriptors[i]->name);
    ck_assert_msg(fault_bed_close(&b), "%s", b.message);
    ck_assert_msg(fault_bed_close(&other), "%s", other.message);
}
END_TEST

TCase *fault_case_refusals(void)
{
    TCase *one = tcase_create("refusals");
    tcase_set_timeout(one, 0);
    tcase_add_test(one, wrong_arguments);
    return one;
}
