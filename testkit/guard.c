/* SPDX-License-Identifier: Apache-2.0 */
#include "testkit/guard.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define POISON          0xA5
#define MARGIN_ELEMENTS 32

cl_int mote_guard_refill(const mote_guard *guard, cl_command_queue queue, const void *contents)
{
    size_t all = guard->bytes + 2 * guard->margin;
    unsigned char *image = malloc(all);
    if (!image)
        return CL_OUT_OF_HOST_MEMORY;
    memset(image, POISON, all);
    if (contents && guard->bytes)
        memcpy(image + guard->margin, contents, guard->bytes);
    /* A blocking write may return when the bytes have been read, before they are on the device. */
    cl_event done = NULL;
    cl_int code =
        clEnqueueWriteBuffer(queue, guard->view.mem, CL_TRUE, 0, all, image, 0, NULL, &done);
    if (code == CL_SUCCESS) {
        code = clWaitForEvents(1, &done);
        clReleaseEvent(done);
    }
    free(image);
    return code;
}

cl_int mote_guard_create(mote_guard *guard, mote_context *ctx, cl_command_queue queue,
                         const char *name, mote_type type, size_t count, const void *contents)
{
    size_t element = mote_type_size(type), margin = MARGIN_ELEMENTS * element;
    size_t bytes = count * element;
    cl_int code = CL_SUCCESS;
    cl_mem mem =
        clCreateBuffer(mote_context_cl(ctx), CL_MEM_READ_WRITE, bytes + 2 * margin, NULL, &code);

    *guard = (mote_guard){.name = name};
    if (code != CL_SUCCESS)
        return code;
    guard->view = (mote_view){.mem = mem, .offset = MARGIN_ELEMENTS, .count = count, .type = type};
    guard->margin = margin;
    guard->bytes = bytes;
    code = mote_guard_refill(guard, queue, contents);
    if (code != CL_SUCCESS)
        mote_guard_release(guard);
    return code;
}

void mote_guard_release(mote_guard *guard)
{
    if (guard->view.mem)
        clReleaseMemObject(guard->view.mem);
    *guard = (mote_guard){.name = guard->name};
}

static bool poisoned(const unsigned char *bytes, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (bytes[i] != POISON)
            return false;
    return true;
}

static bool check_image(const mote_guard *guard, const unsigned char *image, char *message,
                        size_t size)
{
    if (poisoned(image, guard->margin) &&
        poisoned(image + guard->margin + guard->bytes, guard->margin))
        return true;
    snprintf(message, size, "%s: memory %s the view was written", guard->name,
             poisoned(image, guard->margin) ? "after" : "before");
    return false;
}

/* The whole memory object, margins included; NULL with a sentence on failure. */
static unsigned char *read_image(const mote_guard *guard, cl_command_queue queue, cl_uint num_wait,
                                 const cl_event *wait, char *message, size_t size)
{
    size_t bytes = guard->bytes + 2 * guard->margin;
    unsigned char *image = malloc(bytes);

    if (!image) {
        snprintf(message, size, "%s: no memory to read it back", guard->name);
        return NULL;
    }
    cl_int code =
        clEnqueueReadBuffer(queue, guard->view.mem, CL_TRUE, 0, bytes, image, num_wait, wait, NULL);

    if (code == CL_SUCCESS)
        return image;
    snprintf(message, size, "%s: reading it back failed with %s", guard->name,
             mote_status_name(code));
    free(image);
    return NULL;
}

bool mote_guard_read(const mote_guard *guard, cl_command_queue queue, void *out, cl_uint num_wait,
                     const cl_event *wait, char *message, size_t size)
{
    if (!guard->view.mem)
        return true;
    unsigned char *image = read_image(guard, queue, num_wait, wait, message, size);

    if (!image)
        return false;
    if (out)
        memcpy(out, image + guard->margin, guard->bytes);
    bool good = check_image(guard, image, message, size);

    free(image);
    return good;
}

bool mote_guard_unchanged(const mote_guard *guard, cl_command_queue queue, const void *contents,
                          cl_uint num_wait, const cl_event *wait, char *message, size_t size)
{
    if (!guard->view.mem)
        return true;
    unsigned char *image = read_image(guard, queue, num_wait, wait, message, size);

    if (!image)
        return false;
    bool good = check_image(guard, image, message, size);

    if (good && memcmp(image + guard->margin, contents, guard->bytes) != 0) {
        snprintf(message, size, "%s: an input was written", guard->name);
        good = false;
    }
    free(image);
    return good;
}
