/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file buffer.h
 * @brief Element types, views, growing device buffers, and the state of the host layer.
 *
 * A view names a range of elements of one type inside an OpenCL buffer. The library never owns a
 * caller's memory object and never reads or writes outside the view. A mote_buffer is a device
 * buffer that grows and converts; a mote_host holds the state that the host layer, whose calls read
 * and write plain arrays, keeps between calls.
 */
#ifndef MOTE_BUFFER_H
#define MOTE_BUFFER_H

#include "context.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Element types. Numbers are frozen. */
typedef enum mote_type {
    MOTE_TYPE_NONE = 0,
    MOTE_BOOL = 1, /**< one byte, 0 or not 0 */
    MOTE_UINT8 = 2,
    MOTE_UINT16 = 3,
    MOTE_INT32 = 4,
    MOTE_UINT32 = 5,
    MOTE_INT64 = 6,
    MOTE_UINT64 = 7,
    MOTE_FLOAT32 = 8,
    MOTE_FLOAT64 = 9,
    MOTE_PIXELS_CLUSTER_TYPE = 10, /**< struct mote_pixels_cluster_record */
    MOTE_INT8 = 11,
    MOTE_INT16 = 12,
    MOTE_FLOAT16 = 13 /**< IEEE 754 binary16; values of sums and lists only */
} mote_type;

/** Returns the number of bytes of one element; 0 for an unknown type. Threads: any. Since: 0.1. */
MOTE_API size_t mote_type_size(mote_type type);

/** Returns the name of a type, such as "uint16"; "unknown type" for an unknown number.
 * Since: 0.1. */
MOTE_API const char *mote_type_name(mote_type type);

/**
 * A range of a device buffer: `count` elements of `type`, beginning `offset` elements after the
 * start of `mem`. A view of all zeros is the NULL view: absent. Views of one call may be ranges of
 * one memory object as long as no written range overlaps another range, except where a function
 * allows it.
 */
typedef struct mote_view {
    cl_mem mem;     /**< the memory object; NULL = no view */
    size_t offset;  /**< in elements of `type` */
    size_t count;   /**< in elements of `type` */
    mote_type type; /**< of the elements */
} mote_view;

/** Makes a view of the first `count` elements of `mem`. Threads: any. Since: 0.1. */
MOTE_API mote_view mote_view_make(cl_mem mem, size_t count, mote_type type);

/* ---- growing device buffers --------------------------------------------------------------- */

/** A device buffer with a size and a larger reserve. Threads: one at a time. */
typedef struct mote_buffer mote_buffer;

/**
 * Creates a buffer of `count` elements, contents undefined.
 *
 * flags: CL_MEM_READ_WRITE, CL_MEM_READ_ONLY or CL_MEM_WRITE_ONLY; 0 = read and write.
 * count may be 0. out receives the buffer, NULL on failure; free with mote_buffer_release().
 * Returns: MOTE_SUCCESS; MOTE_ERROR_INVALID_ARGUMENT; MOTE_ERROR_OUT_OF_DEVICE_MEMORY; an OpenCL
 * code. Threads: any. Blocks: no. Since: 0.1.
 */
MOTE_API mote_status mote_buffer_create(mote_context *ctx, mote_type type, size_t count,
                                        cl_mem_flags flags, mote_buffer **out);

/** Releases a buffer; work already enqueued keeps it alive. NULL is allowed. Since: 0.1. */
MOTE_API void mote_buffer_release(mote_buffer *buffer);

/** Returns the size in elements. Threads: one at a time. Since: 0.1. */
MOTE_API size_t mote_buffer_size(const mote_buffer *buffer);

/** Returns the number of allocated elements, at least the size. Threads: one at a time.
 * Since: 0.1. */
MOTE_API size_t mote_buffer_reserved(const mote_buffer *buffer);

/** Returns the whole buffer as a view; invalid after the next resize, reserve or swap.
 * Since: 0.1. */
MOTE_API mote_view mote_buffer_view(const mote_buffer *buffer);

/**
 * Changes the size; allocates only when the new size exceeds the reserve.
 *
 * keep: not 0 copies the old contents (up to the smaller size) on `queue`, ordered after `wait`;
 * 0 leaves the contents undefined when a new allocation is made (queue may then be NULL, without
 * wait and event).
 * A failed call does not change buffer, size or contents.
 * Returns: as mote_buffer_create(); MOTE_ERROR_WRONG_CONTEXT for a queue or event of another
 * context. event: completes when the copy has; may be NULL. Threads: one at a time. Blocks: no.
 * Since: 0.1.
 */
MOTE_API mote_status mote_buffer_resize(mote_buffer *buffer, size_t count, int keep,
                                        cl_command_queue queue, cl_uint num_wait,
                                        const cl_event *wait, cl_event *event);

/**
 * Reallocates to exactly `count` elements; size becomes `count`. Otherwise as mote_buffer_resize().
 * Since: 0.1.
 */
MOTE_API mote_status mote_buffer_reserve(mote_buffer *buffer, size_t count, int keep,
                                         cl_command_queue queue, cl_uint num_wait,
                                         const cl_event *wait, cl_event *event);

/**
 * Exchanges two buffers of one OpenCL context: memory, size, reserve and type.
 *
 * Returns: MOTE_SUCCESS; MOTE_ERROR_INVALID_ARGUMENT for NULL; MOTE_ERROR_WRONG_CONTEXT.
 * Threads: one at a time for each of the two. Blocks: no. Since: 0.1.
 */
MOTE_API mote_status mote_buffer_swap(mote_buffer *a, mote_buffer *b);

/**
 * Writes host values to the buffer, converting their type when it differs.
 *
 * Conversions follow C's rules for values in range; a value that does not fit (or NaN to an
 * integer) gives the nearest representable one (NaN: 0; a float64 beyond float32's range:
 * infinity). In a conversion to bool, values other than 0 become 1, except that NaN becomes 0.
 * offset, count: in elements of the buffer. values: `count` elements of `type`; must live until the
 * event when not blocking.
 * blocking: not 0 converts on the host and returns when the data is on the device. 0 converts on
 * the device (float64 needs a device with fp64, else MOTE_ERROR_UNSUPPORTED).
 * Returns: MOTE_SUCCESS; MOTE_ERROR_INVALID_ARGUMENT (the range exceeds the size; types that do not
 * convert); MOTE_ERROR_WRONG_CONTEXT; MOTE_ERROR_BUILD and MOTE_ERROR_OUT_OF_DEVICE_MEMORY of a
 * conversion on the device; an OpenCL code.
 * Threads: one at a time. Blocks: if `blocking` is set. Since: 0.1.
 */
MOTE_API mote_status mote_buffer_write(mote_buffer *buffer, size_t offset, size_t count,
                                       const void *values, mote_type type, int blocking,
                                       cl_command_queue queue, cl_uint num_wait,
                                       const cl_event *wait, cl_event *event);

/** Reads into host memory, converting the type: the mirror of mote_buffer_write(). Since: 0.1. */
MOTE_API mote_status mote_buffer_read(const mote_buffer *buffer, size_t offset, size_t count,
                                      void *values, mote_type type, int blocking,
                                      cl_command_queue queue, cl_uint num_wait,
                                      const cl_event *wait, cl_event *event);

/* ---- the host layer -----------------------------------------------------------------------
 *
 * On a CPU device the arrays are used in place: only a few sums and error words are copied. An
 * array is copied nevertheless if it is not aligned to its elements, or if it shares bytes with
 * another array of the call and either is written. If tuning selects a form for GPUs, as
 * jagged.form=gpu does, inputs are copied, and so are outputs that are not aligned to 128 bytes. On
 * other devices all arrays are copied; copies from memory of mote_host_alloc() are the fastest.
 * Large ordinary arrays are copied to and from pinned memory by several threads, which a mote_host
 * keeps. Including the caller's thread there are half as many threads as cores that the process may
 * use, but at most 8. With MOTE_TUNE=core.copy_threads=1 the caller's thread copies alone.
 *
 * If another thread changes an input while a call runs, the outputs are unspecified, and the call
 * may succeed or fail. The call still ends, and reads and writes nothing outside of its arrays. No
 * other thread may read or write an output while a call runs.
 *
 * When a call on host arrays fails, its output arrays are unspecified, inputs and memory around
 * them are untouched, no part of it is still running, and the next call works. */

/**
 * The state that the host layer keeps between calls: a queue, device buffers and pinned staging
 * memory, all of which only grow. Threads: one call at a time; use one for each thread.
 */
typedef struct mote_host mote_host;

/**
 * Creates the state for host-layer calls on a context, which must outlive it.
 *
 * queue: an in-order queue of the context to use, or NULL to make one.
 * Returns: MOTE_SUCCESS; MOTE_ERROR_INVALID_ARGUMENT; MOTE_ERROR_WRONG_CONTEXT; an OpenCL code.
 * Threads: any. Blocks: no. Since: 0.1.
 */
MOTE_API mote_status mote_host_create(mote_context *ctx, cl_command_queue queue, mote_host **out);

/** Waits for the host's queue, then releases everything. NULL is allowed. Since: 0.1. */
MOTE_API void mote_host_release(mote_host *host);

/** Returns the host's queue, not retained for the caller. Threads: any. Since: 0.1. */
MOTE_API cl_command_queue mote_host_queue(const mote_host *host);

/** Device time of the last host-layer call in seconds, by the host's clock around its wait.
 * Since: 0.1. */
MOTE_API double mote_host_device_seconds(const mote_host *host);

/**
 * Allocates pinned host memory, which copies faster. Free with mote_host_free().
 *
 * bytes: at least 1. out: receives the address, aligned to 64 bytes or better.
 * Returns: MOTE_SUCCESS; MOTE_ERROR_INVALID_ARGUMENT; MOTE_ERROR_OUT_OF_HOST_MEMORY; an OpenCL
 * code. Threads: any. Blocks: while mapping. Since: 0.1.
 */
MOTE_API mote_status mote_host_alloc(mote_context *ctx, size_t bytes, void **out);

/** Frees memory that mote_host_alloc() returned for the same context. NULL is allowed.
 * Since: 0.1. */
MOTE_API void mote_host_free(mote_context *ctx, void *memory);

#ifdef __cplusplus
}
#endif

#endif
