/* SPDX-License-Identifier: Apache-2.0 */
#include "core/check.h"
#include "core/fail.h"
#include "core/text.h"

#include <assert.h>
#include <string.h>

/* Structures grow by less than this, so a larger size has not been initialised. */
#define MOST_GROWTH ((size_t)4096)

/* More views than any call has, including its workspace and its error word. */
#define MOST_VIEWS ((size_t)40)

mote_status mote_check_args(const char *function, const char *init, const void *args, void *copy,
                            size_t known)
{
    size_t size = 0;
    memset(copy, 0, known);
    if (!args)
        return mote_fail(MOTE_ERROR_INVALID_ARGUMENT, "%s: args is NULL", function);
    memcpy(&size, args, sizeof(size));
    if (size < sizeof(size) || size > known + MOST_GROWTH)
        return mote_fail(MOTE_ERROR_INVALID_STRUCT, "%s: args.size is %zu: call %s() on it first",
                         function, size, init);
    memcpy(copy, args, size < known ? size : known);
    memcpy(copy, &known, sizeof(known));
    for (size_t i = known; i < size; i++)
        if (((const unsigned char *)args)[i])
            return mote_fail(MOTE_ERROR_INVALID_STRUCT,
                             "%s: args uses a field at byte %zu, which this version does not know "
                             "(it knows %zu of %zu bytes): a newer library is needed",
                             function, i, known, size);
    return MOTE_SUCCESS;
}

mote_status mote_check_result(const char *function, const char *init, void *result, size_t known)
{
    size_t size = 0;
    memcpy(&size, result, sizeof(size));
    if (size < sizeof(size) || size > known + MOST_GROWTH)
        return mote_fail(MOTE_ERROR_INVALID_STRUCT, "%s: result.size is %zu: call %s() on it first",
                         function, size, init);
    memset((unsigned char *)result + sizeof(size), 0, size - sizeof(size));
    return MOTE_SUCCESS;
}

void mote_give_result(void *result, const void *own, size_t known)
{
    size_t size = 0;
    memcpy(&size, result, sizeof(size));
    size_t shared = size < known ? size : known;
    memcpy((unsigned char *)result + sizeof(size), (const unsigned char *)own + sizeof(size),
           shared - sizeof(size));
}

mote_status mote_check_choice(const char *function, const char *field, int value, const char *name,
                              const char *type)
{
    if (name)
        return MOTE_SUCCESS;
    return mote_fail(MOTE_ERROR_INVALID_ARGUMENT, "%s: %s %d is not a value of %s", function, field,
                     value, type);
}

static mote_status fail_type(const mote_call *call, const mote_view_rule *rule, mote_type type)
{
    mote_text list = {0};
    for (unsigned t = 0; t < 32; t++)
        if (rule->types >> t & 1)
            mote_text_add(&list, "%s%s", list.length ? " or " : "", mote_type_name((mote_type)t));
    mote_status status =
        mote_fail(MOTE_ERROR_INVALID_TYPE, "%s: %s is %s (type %d), but must be %s", call->name,
                  rule->name, mote_type_name(type), (int)type, mote_text_get(&list));
    mote_text_free(&list);
    return status;
}

static mote_status check_count(const mote_call *call, const mote_view_rule *rule, size_t count)
{
    if (rule->count == VIEW_ANY_COUNT || count == rule->count ||
        (count > rule->count && !(rule->flags & VIEW_EXACT)))
        return MOTE_SUCCESS;
    return mote_fail(MOTE_ERROR_INVALID_ARGUMENT,
                     "%s: %s has %zu elements, but %s%zu are needed to go with the other arguments",
                     call->name, rule->name, count,
                     rule->flags & VIEW_EXACT ? "exactly " : "at least ", rule->count);
}

typedef struct mem_facts {
    cl_mem_object_type kind;
    cl_context cl;
    cl_mem_flags flags;
    size_t size;
} mem_facts;

static mote_status ask(const mote_call *call, const char *name, cl_mem mem, mem_facts *facts)
{
    cl_int code = clGetMemObjectInfo(mem, CL_MEM_TYPE, sizeof(facts->kind), &facts->kind, NULL);
    if (!code)
        code = clGetMemObjectInfo(mem, CL_MEM_CONTEXT, sizeof(facts->cl), &facts->cl, NULL);
    if (!code)
        code = clGetMemObjectInfo(mem, CL_MEM_FLAGS, sizeof(facts->flags), &facts->flags, NULL);
    if (!code)
        code = clGetMemObjectInfo(mem, CL_MEM_SIZE, sizeof(facts->size), &facts->size, NULL);
    if (code)
        return mote_fail(code, "%s: clGetMemObjectInfo failed with %s (%d) for %s", call->name,
                         mote_status_name(code), (int)code, name);
    return MOTE_SUCCESS;
}

static mote_status check_mem(const mote_call *call, const char *name, const mem_facts *facts,
                             bool writes)
{
    if (facts->kind != CL_MEM_OBJECT_BUFFER)
        return mote_fail(MOTE_ERROR_INVALID_VIEW, "%s: %s is an image, not a buffer", call->name,
                         name);
    if (facts->cl != call->ctx->cl)
        return mote_fail(MOTE_ERROR_WRONG_CONTEXT,
                         "%s: %s belongs to another OpenCL context than ctx", call->name, name);
    if (facts->flags & (writes ? CL_MEM_READ_ONLY : CL_MEM_WRITE_ONLY))
        return mote_fail(MOTE_ERROR_INVALID_VIEW,
                         "%s: %s is %s, but its buffer was made with %s: make it with "
                         "CL_MEM_READ_WRITE",
                         call->name, name, writes ? "written" : "read",
                         writes ? "CL_MEM_READ_ONLY" : "CL_MEM_WRITE_ONLY");
    return MOTE_SUCCESS;
}

mote_status mote_check_view(const mote_call *call, const mote_view_rule *rule)
{
    const mote_view *v = rule->view;
    bool absent = !v->mem && !v->offset && !v->count && !v->type;
    if (absent &&
        (rule->flags & VIEW_OPTIONAL || rule->count == 0 || rule->count == VIEW_ANY_COUNT))
        return MOTE_SUCCESS;
    if (absent)
        return mote_fail(MOTE_ERROR_INVALID_ARGUMENT,
                         "%s: %s is missing: a view of %zu elements is needed", call->name,
                         rule->name, rule->count);
    if (!mote_type_in(rule->types, v->type))
        return fail_type(call, rule, v->type);
    mote_status status = check_count(call, rule, v->count);
    if (status)
        return status;
    if (!v->mem && (call->preparing || v->count == 0))
        return MOTE_SUCCESS;
    if (!v->mem)
        return mote_fail(MOTE_ERROR_INVALID_VIEW, "%s: %s has %zu elements, but its mem is NULL",
                         call->name, rule->name, v->count);
    mem_facts facts;
    status = ask(call, rule->name, v->mem, &facts);
    if (!status)
        status = check_mem(call, rule->name, &facts, rule->flags & VIEW_WRITES);
    if (status)
        return status;
    size_t room = facts.size / mote_type_size(v->type);
    if (v->offset > room || v->count > room - v->offset)
        return mote_fail(MOTE_ERROR_INVALID_VIEW,
                         "%s: %s is %zu elements of %s from element %zu on, but its buffer of %zu "
                         "bytes ends after element %zu",
                         call->name, rule->name, v->count, mote_type_name(v->type), v->offset,
                         facts.size, room);
    return MOTE_SUCCESS;
}

/* The bytes of a view in its outermost buffer, because sub-buffers of one buffer can overlap as
 * well. The range of a view without a buffer or elements is empty. */
typedef struct byte_range {
    cl_mem root;
    size_t begin, end;
} byte_range;

static mote_status find_range(const mote_call *call, const mote_view *v, byte_range *range)
{
    cl_mem parent = NULL;
    size_t origin = 0, size = mote_type_size(v->type);
    *range = (byte_range){0};
    if (!v->mem || v->count == 0)
        return MOTE_SUCCESS;
    cl_int code =
        clGetMemObjectInfo(v->mem, CL_MEM_ASSOCIATED_MEMOBJECT, sizeof(parent), &parent, NULL);
    if (!code)
        code = clGetMemObjectInfo(v->mem, CL_MEM_OFFSET, sizeof(origin), &origin, NULL);
    if (code)
        return mote_fail_cl(code, call->name, "clGetMemObjectInfo");
    range->root = parent ? parent : v->mem;
    range->begin = origin + v->offset * size;
    range->end = range->begin + v->count * size;
    return MOTE_SUCCESS;
}

static mote_status check_apart(const mote_call *call, const char *a_name, const byte_range *a,
                               const char *b_name, const byte_range *b)
{
    if (a->root != b->root || a->end <= b->begin || b->end <= a->begin)
        return MOTE_SUCCESS;
    return mote_fail(
        MOTE_ERROR_INVALID_VIEW,
        "%s: %s (bytes %zu to %zu) and %s (bytes %zu to %zu) overlap in one buffer, and "
        "one of them is written",
        call->name, a_name, a->begin, a->end, b_name, b->begin, b->end);
}

static bool same_range(const mote_view *a, const mote_view *b)
{
    return a->mem == b->mem && a->offset == b->offset && a->count == b->count && a->type == b->type;
}

mote_status mote_check_views(const mote_call *call, const mote_view_rule *views, size_t count)
{
    static const mote_view none;
    mote_view_rule all[MOST_VIEWS];
    byte_range ranges[MOST_VIEWS];
    mote_status st = MOTE_SUCCESS;
    assert(count + 2 <= MOST_VIEWS);
    memcpy(all, views, count * sizeof(*views));
    all[count++] =
        (mote_view_rule){"workspace", call->workspace ? call->workspace : &none,
                         MOTE_TYPE_BIT(MOTE_UINT32), VIEW_ANY_COUNT, VIEW_OPTIONAL | VIEW_WRITES};
    all[count++] = (mote_view_rule){"error", &call->error, MOTE_TYPE_BIT(MOTE_UINT32),
                                    VIEW_ANY_COUNT, VIEW_OPTIONAL | VIEW_WRITES};
    for (size_t i = 0; !st && i < count; i++) {
        st = mote_check_view(call, &all[i]);
        if (!st)
            st = find_range(call, all[i].view, &ranges[i]);
    }
    for (size_t j = 1; !st && j < count; j++)
        for (size_t i = 0; !st && ranges[j].root && i < j; i++) {
            const mote_view_rule *a = &all[i], *b = &all[j];
            if ((a->flags | b->flags) & VIEW_WRITES &&
                !(i == 0 && b->flags & VIEW_IN_PLACE && same_range(a->view, b->view)))
                st = check_apart(call, a->name, &ranges[i], b->name, &ranges[j]);
        }
    return st;
}

mote_status mote_check_error_word(const mote_call *call, cl_mem error, size_t offset)
{
    mem_facts facts;
    if (!error)
        return MOTE_SUCCESS;
    mote_status status = ask(call, "error", error, &facts);
    if (!status)
        status = check_mem(call, "error", &facts, true);
    if (status)
        return status;
    if (offset % sizeof(uint32_t) != 0)
        return mote_fail(MOTE_ERROR_INVALID_ARGUMENT, "%s: error_offset %zu is not a multiple of 4",
                         call->name, offset);
    if (facts.size < sizeof(mote_error_word) || offset > facts.size - sizeof(mote_error_word))
        return mote_fail(
            MOTE_ERROR_INVALID_VIEW,
            "%s: the error word of %zu bytes at error_offset %zu exceeds its buffer of "
            "%zu bytes",
            call->name, sizeof(mote_error_word), offset, facts.size);
    return MOTE_SUCCESS;
}
