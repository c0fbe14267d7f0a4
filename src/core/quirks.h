/* SPDX-License-Identifier: Apache-2.0 */
/* Drivers' quirks: where a driver differs from the standard or from other drivers, and the library
 * acts on it. The table in quirks.c lists the quirks of each driver; code queries a quirk by name.
 *
 * Workarounds that run on every device because of one driver have no name:
 *   llvmpipe 22.3   allows 32 work-items of a kernel without a size of its own (launch.c)
 *   rusticl         reads a buffer ahead of a loop that would not, and faults at NULL: kernels get
 *                   another buffer instead (reduce/scan.c, jagged/lengths/compact.c)
 *   Intel, CPUs     vectorises across work-items, and makes wrong boxes in groups of more than one
 *                   (coordination/frames.c)
 *   Intel, CPUs     may return from a write that blocks before the bytes are on the device, on
 *                   queues out of order (transfer.c)
 *   PoCL            files the binary of a context's second device under the first (program_build.c)
 *   some            allocate a buffer only when it is used, and fail only then (call.c)
 *   some            pad names with leading blanks, answer with absurd sizes (device.c) */
#ifndef MOTE_CORE_QUIRKS_H
#define MOTE_CORE_QUIRKS_H

#include "core/context.h"

enum {
    MOTE_QUIRK_PTX = 1, /* inline PTX works */
    MOTE_QUIRK_SHORT_LOOPS =
        2, /* ends a work-item's loop after 65 535 iterations, without an error */
    MOTE_QUIRK_LOSES_INLINE = 4, /* fails at functions that it has not inlined */
    MOTE_QUIRK_UNOPTIMISED =
        8, /* GPU forms fail when they are optimised, or optimising takes longer than a run */
    MOTE_QUIRK_ADDS_BARRIERS =
        16,                     /* adds barriers at points that only a part of the group reaches */
    MOTE_QUIRK_LOW_LIMITS = 32, /* reports limits of a compiled kernel that do not apply */
    MOTE_QUIRK_CALLS =
        64, /* reserves kibibytes of memory per work-item for a function that is called */
    MOTE_QUIRK_LENT = 128, /* does not know the contents of a buffer over an array of the host */
    MOTE_QUIRK_FEW_REGISTERS = 256,   /* keeps arrays of 64 numbers in memory */
    MOTE_QUIRK_PREFETCH = 512,        /* prefetch() does nothing; clang's function works */
    MOTE_QUIRK_KEEPS_PROGRAMS = 1024, /* caches programs on disk; returning a binary is slow */
    MOTE_QUIRK_PARAMETERS = 2048,     /* reports the names of a kernel's parameters on request */
};

/* Returns the quirks of a device's driver. */
uint32_t mote_quirks_find(const mote_device_info *device);

/* Queries an NVIDIA device for its compute capability, which determines the PTX that it accepts: 90
 * for 9.0, or 1 if the driver does not report it. A context keeps the answer. */
uint32_t mote_nvidia_capability(const mote_device_info *device);

/* Returns whether a driver passes vectors in two different ways, on a processor with AVX-512 or
 * without. */
bool mote_quirk_mixes_vectors(const mote_device_info *device, bool avx512);

/* Fails for a device whose results cannot be right. */
mote_status mote_quirk_refuse(const mote_device_info *device);

static inline bool mote_has_quirk(const mote_context *ctx, uint32_t quirk)
{
    return (ctx->quirks & quirk) != 0;
}

/* Returns whether kernels have group_is_last(): common/last.clh. */
bool mote_has_last_group(const mote_context *ctx);

#endif
