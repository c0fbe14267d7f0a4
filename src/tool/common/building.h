/* SPDX-License-Identifier: Apache-2.0 */
/* The time in which the driver builds kernels, which it does once for each device. Threads: any. */
#ifndef MOTE_TOOL_COMMON_BUILDING_H
#define MOTE_TOOL_COMMON_BUILDING_H

#include "../tool.h"

/* Installs the build callback. */
void building_watch(void);

/* A call of the library. Drivers of CPUs compile a kernel at its first launch, where nobody sees
 * it: the whole call counts when a program was built in it, for longer than loading one takes. */
typedef struct building_call {
    double start;
    unsigned built; /* programs, before it; UINT_MAX: the device compiles when it builds */
} building_call;

building_call building_begin(const mote_context *ctx);

/* True: the call counts, so what it has computed belongs to no rate. */
bool building_end(const building_call *call);

/* Seconds so far in which kernels were built; `at_work`: so they are now. */
double building_seconds(bool *at_work);

/* What a summary says of `seconds`, as "2.500 s, 2.100 s of them for building kernels". */
const char *building_text(double seconds, char *text, size_t size);

#endif
