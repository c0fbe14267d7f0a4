/* SPDX-License-Identifier: Apache-2.0 */
/* The idle kernels of one program, by name. OpenCL does not allow two threads to set arguments of
 * one kernel, so each launch uses its own kernel. Threads: any. */
#ifndef MOTE_CORE_KERNELS_H
#define MOTE_CORE_KERNELS_H

#include "core/program.h"

typedef struct mote_kernels mote_kernels;

mote_kernels *mote_kernels_create(void);
void mote_kernels_release(mote_kernels *kernels);

/* Fills kernel, name and slot of the lease with an idle kernel, else with a new one. Returns 0, an
 * OpenCL code, or MOTE_ERROR_OUT_OF_HOST_MEMORY. `name` is static. */
mote_status mote_kernels_take(mote_kernels *kernels, cl_program program, const char *name,
                              mote_kernel_lease *lease);

/* Adds the parameters to a lease that has a kernel. */
mote_status mote_kernels_describe(mote_kernels *kernels, mote_kernel_lease *lease);
void mote_kernels_return(mote_kernels *kernels, const mote_kernel_lease *lease);

#endif
