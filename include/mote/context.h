/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file context.h
 * @brief Devices and contexts: where the work runs.
 *
 * A mote_context belongs to one OpenCL device. It holds the built programs, a pool of scratch
 * memory and the properties of the device. A program that already has OpenCL objects wraps them
 * with mote_context_create(); other programs open a device by a device string with
 * mote_context_open().
 *
 * A device string is one of
 * - NULL or "": the environment variable MOTE_DEVICE, else the best GPU, else the CPU;
 * - "gpu", "cpu": the best device of that class (most compute units, the first of equals);
 * - "PLATFORM:INDEX" such as "pocl:0": a device by its number on the first platform whose name
 *   or vendor contains PLATFORM ("pocl" also means "Portable Computing Language"). PLATFORM may
 *   be the platform's number instead, as in "1:0": needed only when two have the same name;
 * - anything else: the first device whose name, vendor or platform contains the string, ignoring
 *   case.
 *
 * Kernels are built when they are first used, which can take a driver some seconds. The result is
 * stored on disk, in MOTE_CACHE_DIR if it is set, else in $XDG_CACHE_HOME/mote or
 * $HOME/.cache/mote. The directory must belong to the user, must not be a symbolic link, and must
 * not be writable by others; if it is missing, it is created with mode 0700. It holds at most 64
 * MiB: the least recently used programs are removed first. Damaged entries are detected and
 * rebuilt. A directory that cannot be used is reported once by a warning and never makes a call
 * fail. With MOTE_CACHE=off, no directory is used. MOTE_CACHE_DIR may name more directories,
 * separated by colons: programs that are not in the first one are read from them, and they are
 * never written. Such a directory may belong to another user, whom the user then trusts with the
 * code that runs, but it must not be writable by others than its owner. If the first name is empty,
 * the usual directory is the first one. PoCL on a CPU has a cache of its own (POCL_CACHE_DIR, by
 * default ~/.cache/pocl), and storing its programs here, too, would double the time of a first
 * call: they are stored in the directory above only if MOTE_CACHE is "on".
 *
 * The library reads these environment variables: MOTE_DEVICE, MOTE_CACHE, MOTE_CACHE_DIR and
 * XDG_CACHE_HOME, which are described above; MOTE_TUNE_FILE, see mote_tune_path(); MOTE_LOG, see
 * log.h; and MOTE_TUNE, which sets tuning values for measurements. MOTE_TUNE has the form
 * "area.name=VALUE,...", where each value is a number, gpu or cpu. A wrong entry is ignored, and a
 * warning reports it. MOTE_TUNE and the tune file are read when a context is made; the other
 * variables are read when they are used. A process with more rights than its caller (set-user-ID,
 * file capabilities) reads none of these variables and stores no built programs. MOTE_CL_DIR=FOLDER
 * is for users who edit the kernels: each program is then built from its source in that folder, the
 * `cl` of a checkout (with the headers in FOLDER/../include), instead of from the text inside the
 * library. If a file is missing or wrong, the call returns MOTE_ERROR_BUILD with the file's name. A
 * context keeps the programs that it has built; an edited kernel takes effect in the next context.
 * The compiler's warnings, which PoCL counts on standard error, are enabled only for kernels from
 * MOTE_CL_DIR.
 */
#ifndef MOTE_CONTEXT_H
#define MOTE_CONTEXT_H

#include "status.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A device with its programs and scratch memory. Threads: any number at once. */
typedef struct mote_context mote_context;

/** The two classes of devices that the library has kernels for; every device that is not a CPU
 * counts as a GPU. */
typedef enum mote_device_class { MOTE_DEVICE_GPU = 1, MOTE_DEVICE_CPU = 2 } mote_device_class;

/** Returns a value's name ("cpu"), NULL for an unknown number. Threads: any. Since: 0.1. */
MOTE_API const char *mote_device_class_name(mote_device_class device_class);

/** The properties of one device. All text is zero-terminated and cut to fit. */
typedef struct mote_device_info {
    size_t size;   /**< sizeof(mote_device_info) of the program in arrays of mote_devices(), else of
                      the library */
    char spec[64]; /**< the device string that opens exactly this device, such as "pocl:0" */
    char name[128];                 /**< of the device */
    char vendor[128];               /**< of the device */
    char platform[128];             /**< name of the OpenCL implementation */
    char driver[128];               /**< version of the driver */
    char c_version[64];             /**< OpenCL C version string */
    cl_device_id device;            /**< OpenCL's handle of it */
    cl_platform_id platform_id;     /**< of the platform */
    mote_device_class device_class; /**< decides which form of the kernels runs */
    uint32_t compute_units;         /**< units that run work-groups, 1 or more */
    uint32_t has_fp64;              /**< 1 when double precision works in kernels */
    size_t max_work_group;          /**< largest work-group */
    uint64_t local_bytes;           /**< local memory of a work-group */
    uint64_t global_bytes;          /**< global memory */
    uint64_t max_alloc_bytes;       /**< largest single buffer */
} mote_device_info;

/**
 * Lists every OpenCL device of this machine.
 *
 * size: sizeof(mote_device_info) of the program, the stride of the array: a program and a library
 * of different versions share the fields that both know. devices: receives an array owned by the
 * caller, to be freed with mote_devices_free(). count: receives its length; 0 devices (or no
 * platform at all) is a success; devices is then NULL. Devices without a compiler and
 * devices that are not available are omitted with a message of level info, drivers that return
 * errors with one of level warn.
 * Returns: MOTE_SUCCESS; MOTE_ERROR_INVALID_ARGUMENT for NULL; MOTE_ERROR_OUT_OF_HOST_MEMORY; an
 * OpenCL code when the list of platforms cannot be read.
 * Threads: any. Blocks: while drivers load. Since: 0.1.
 */
MOTE_API mote_status mote_devices(size_t size, mote_device_info **devices, size_t *count);

/**
 * Frees the array that mote_devices() returned. NULL is allowed.
 *
 * Threads: any. Since: 0.1.
 */
MOTE_API void mote_devices_free(mote_device_info *devices);

/**
 * The directory of built programs (see the top of this header), which need not exist yet.
 *
 * path: receives the zero-terminated path, truncated if it does not fit; NULL with room 0 queries
 * the length alone. room: bytes of path. Returns: the length without the zero; 0 when programs are
 * not stored: MOTE_CACHE is off, or no variable names a directory. Threads: any. Blocks: no. Since:
 * 0.1.
 */
MOTE_API size_t mote_cache_path(char *path, size_t room);

/**
 * Opens a device by a device string (see the top of this header) in an OpenCL context of its own.
 *
 * spec: the device string; NULL for the default. out: receives the context; NULL on failure.
 * Returns: MOTE_SUCCESS; MOTE_ERROR_NO_DEVICE with a sentence that lists every device found, or
 * says what to install when there is none; MOTE_ERROR_INVALID_ARGUMENT when out is NULL; an OpenCL
 * code; MOTE_ERROR_OUT_OF_HOST_MEMORY.
 * Threads: any. Blocks: while drivers load. Since: 0.1.
 */
MOTE_API mote_status mote_context_open(const char *spec, mote_context **out);

/**
 * Wraps an OpenCL context and one of its devices; both are retained until the release.
 *
 * context, device: the caller's; the device must belong to the context, which may have others.
 * out: receives the context, NULL on failure; its device's `spec` is "".
 * Returns: MOTE_SUCCESS; MOTE_ERROR_INVALID_ARGUMENT for NULL; MOTE_ERROR_WRONG_CONTEXT for a
 * device of another context; MOTE_ERROR_UNSUPPORTED for a device without a compiler; an OpenCL
 * code; MOTE_ERROR_OUT_OF_HOST_MEMORY.
 * Threads: any. Blocks: no. Since: 0.1.
 */
MOTE_API mote_status mote_context_create(cl_context context, cl_device_id device,
                                         mote_context **out);

/**
 * Releases a context: programs, kernels, scratch. NULL is allowed.
 *
 * Calls that still run on the device retain the objects they use (OpenCL counts references). Before
 * the release, all other calls must have returned, and buffers and mote_host objects must have been
 * released.
 * Threads: once, by one thread. Blocks: no. Since: 0.1.
 */
MOTE_API void mote_context_release(mote_context *ctx);

/** Returns the OpenCL context, not retained for the caller; NULL for NULL. Threads: any.
 * Since: 0.1. */
MOTE_API cl_context mote_context_cl(const mote_context *ctx);

/**
 * The properties of the context's device; they live as long as the context. NULL for NULL.
 *
 * Threads: any. Since: 0.1.
 */
MOTE_API const mote_device_info *mote_context_device(const mote_context *ctx);

/**
 * Makes a command queue on the context's device, for callers that do not use OpenCL otherwise.
 *
 * properties: as in clCreateCommandQueue (0 = in order, no profiling).
 * queue: receives it, NULL on failure; the caller releases it with clReleaseCommandQueue().
 * Returns: MOTE_SUCCESS; MOTE_ERROR_INVALID_ARGUMENT for NULL; an OpenCL code, as
 * CL_INVALID_QUEUE_PROPERTIES for properties the device does not have.
 * Threads: any. Blocks: no. Since: 0.1.
 */
MOTE_API mote_status mote_context_queue(mote_context *ctx, cl_command_queue_properties properties,
                                        cl_command_queue *queue);

/** The contents of a context's scratch pool, in bytes. */
typedef struct mote_memory {
    size_t size;           /**< sizeof(mote_memory) of the caller, set by mote_memory_init() */
    uint64_t scratch_busy; /**< used by calls that may still run */
    uint64_t scratch_idle; /**< kept for the next call */
    uint64_t scratch_peak; /**< largest sum of the two so far */
    uint64_t programs;     /**< number of built programs in memory */
} mote_memory;

/** Sets size and zeroes the rest. Threads: any. Since: 0.1. */
MOTE_INITIALISER(mote_memory)

/**
 * Reports the context's scratch memory.
 *
 * memory: initialised by mote_memory_init(). Returns: MOTE_SUCCESS; MOTE_ERROR_INVALID_ARGUMENT;
 * MOTE_ERROR_INVALID_STRUCT. Threads: any. Blocks: no. Since: 0.1.
 */
MOTE_API mote_status mote_context_memory(mote_context *ctx, mote_memory *memory);

/**
 * Frees scratch blocks whose last call has completed; the next calls allocate again.
 *
 * Returns: MOTE_SUCCESS; MOTE_ERROR_INVALID_ARGUMENT. Threads: any. Blocks: for some milliseconds
 * if calls made without an event have not completed. Since: 0.1.
 */
MOTE_API mote_status mote_context_trim(mote_context *ctx);

/** Where a tuning value comes from; a later origin overrides the earlier ones. */
typedef enum mote_tuning_origin {
    MOTE_TUNING_DERIVED = 0,     /**< chosen by each call from the device and the sizes */
    MOTE_TUNING_FILE = 1,        /**< the tune file's section for this device */
    MOTE_TUNING_ENVIRONMENT = 2, /**< MOTE_TUNE */
    MOTE_TUNING_CALLER = 3       /**< mote_context_tune() */
} mote_tuning_origin;

/** Returns a value's name ("derived"), NULL for an unknown number. Threads: any. Since: 0.1. */
MOTE_API const char *mote_tuning_origin_name(mote_tuning_origin origin);

/** A tuning value. Texts last until the context is released or tuned. */
typedef struct mote_tuning {
    size_t size;               /**< set by mote_tuning_init() */
    const char *key;           /**< such as "pixels.tile"; NULL after the last one */
    const char *unit;          /**< of its values, as "work-items" */
    const char *value;         /**< the requested value; for MOTE_TUNING_DERIVED the value that
                                    calls choose */
    mote_tuning_origin origin; /**< where it comes from */
} mote_tuning;

/** Sets size and zeroes the rest. Threads: any. Since: 0.1. */
MOTE_INITIALISER(mote_tuning)

/**
 * Reports tuning value number `index` of a context, counted from 0.
 *
 * If a device does not support a value, the call that uses it replaces it by the nearest supported
 * value. tuning: initialised by mote_tuning_init(); key is NULL when there are no more. Returns:
 * MOTE_SUCCESS; MOTE_ERROR_INVALID_ARGUMENT; MOTE_ERROR_INVALID_STRUCT. Threads: any, but not
 * during mote_context_tune(). Blocks: no. Since: 0.1.
 */
MOTE_API mote_status mote_context_tuning(const mote_context *ctx, size_t index,
                                         mote_tuning *tuning);

/**
 * Sets the tuning values of a context from a text in the format of MOTE_TUNE. They replace the
 * values of MOTE_TUNE and of the tune file. Results are correct with any values.
 *
 * text: "area.name=VALUE,..."; NULL or "" for derived values alone. A wrong entry is reported by a
 * warning and ignored. core.sub_groups and core.width have no effect here. Returns: MOTE_SUCCESS;
 * MOTE_ERROR_INVALID_ARGUMENT; MOTE_ERROR_OUT_OF_HOST_MEMORY, after which nothing has changed.
 * Threads: no other call may use the context meanwhile. Blocks: no. Since: 0.1.
 */
MOTE_API mote_status mote_context_tune(mote_context *ctx, const char *text);

/**
 * The file of tuning values that a context reads when it is made: $MOTE_TUNE_FILE; if this variable
 * is not set, $XDG_CONFIG_HOME/mote/tune or else $HOME/.config/mote/tune. `mote tune` writes it;
 * docs/tuning.md describes its format. It need not exist. A file that is invalid or cannot be read
 * is reported by a warning and never makes a call fail. If MOTE_TUNE_FILE is empty, no file is
 * read.
 *
 * path: receives the zero-terminated path, truncated if it does not fit; NULL with room 0 queries
 * the length alone. room: bytes of path. Returns: the length without the zero; 0 when no file is
 * read. Threads: any. Blocks: no. Since: 0.1.
 */
MOTE_API size_t mote_tune_path(char *path, size_t room);

/** The operations mote_prepare() knows. Numbers are frozen. */
typedef enum mote_operation {
    MOTE_OPERATION_PIXELS_MODULE_START = 1,
    MOTE_OPERATION_PIXELS_CLUSTER = 2,
    MOTE_OPERATION_PIXELS_CHARGE_CUT = 3,
    MOTE_OPERATION_PIXELS_CLUSTER_START = 4,
    MOTE_OPERATION_REDUCE = 5, /**< mote_reduce() and mote_reduce_rows() */
    MOTE_OPERATION_JAGGED_PARENTS = 6,
    MOTE_OPERATION_JAGGED_LOCAL_INDEX = 7,
    MOTE_OPERATION_JAGGED_COUNTS = 8,
    MOTE_OPERATION_JAGGED_OFFSETS_FROM_COUNTS = 9,
    MOTE_OPERATION_JAGGED_OFFSETS_FROM_PARENTS = 10,
    MOTE_OPERATION_JAGGED_REDUCE = 11,
    MOTE_OPERATION_JAGGED_GATHER_BY_PARENT = 12,
    MOTE_OPERATION_JAGGED_PRODUCT = 13,
    MOTE_OPERATION_JAGGED_PAIRS = 14,
    MOTE_OPERATION_JAGGED_NONZERO = 15,
    MOTE_OPERATION_COORDINATION = 16,
    MOTE_OPERATION_JAGGED_SCAN = 17,
    MOTE_OPERATION_JAGGED_SORT = 18,
    MOTE_OPERATION_HISTOGRAM = 19,
    MOTE_OPERATION_JAGGED_PAD = 20,
    MOTE_OPERATION_JAGGED_SLICE = 21,
    MOTE_OPERATION_JAGGED_QUANTILE = 22,
    MOTE_OPERATION_JAGGED_COMBINATIONS = 23,
    MOTE_OPERATION_JAGGED_RUN_LENGTHS = 24,
    MOTE_OPERATION_PIXELS_CLUSTER_TIME = 25,
    MOTE_OPERATION_NEIGHBOURS = 26,
    MOTE_OPERATION_PAIR_HISTOGRAM = 27,
    MOTE_OPERATION_PIXELS_CLUSTER_DIGIS = 28,
    MOTE_OPERATION_PIXELS_MEASURE = 29,
    MOTE_OPERATION_STEINHARDT = 30,
    MOTE_OPERATION_PIXELS_DECODE_TIMEPIX3 = 31
} mote_operation;

/**
 * Builds every kernel and reserves the scratch that a call with these arguments can need.
 *
 * Afterwards such a call, one at a time, neither builds nor allocates: useful before a
 * time-critical loop. operation: the call to prepare for. args: its initialised argument structure;
 * views need their counts and types but may have NULL memory objects. Returns: what the call itself
 * would return for these arguments; MOTE_ERROR_INVALID_STRUCT also for a structure with the size of
 * another operation's structure; MOTE_ERROR_BUILD. Threads: any. Blocks: while kernels build.
 * Since: 0.1.
 */
MOTE_API mote_status mote_prepare(mote_context *ctx, mote_operation operation, const void *args);

#ifdef __cplusplus
}
#endif

#endif
