/* SPDX-License-Identifier: Apache-2.0 */
/* Programs built on demand, and kernels leased from them. */
#ifndef MOTE_CORE_PROGRAM_H
#define MOTE_CORE_PROGRAM_H

#include "core/context.h"
#include "core/parameters.h"

/* A flattened OpenCL source, made by cl/embed.py as `const mote_source mote_cl_AREA_NAME` from
 * cl/AREA/NAME.cl: every #include resolved, #line kept. */
typedef struct mote_source {
    const char *name; /* "pixels/label/union_find.cl" */
    const char *text;
    size_t length;
    bool gpu_form; /* its head contains "Form: GPU."; CPUs run it for tests, or on request */
} mote_source;

typedef struct mote_program mote_program;

/* A kernel that no other thread uses until it is returned. */
typedef struct mote_kernel_lease {
    cl_kernel kernel;
    mote_program *program;
    const char *name;
    size_t slot;                       /* the program's free list for this kernel name */
    const mote_parameters *parameters; /* NULL in release builds, or if unknown */
} mote_kernel_lease;

mote_program_table *mote_program_table_create(void);
void mote_program_table_release(mote_program_table *table);
size_t mote_program_table_count(mote_program_table *table);

/* Returns a kernel of (source, defines): from the memory table, else the disk cache, else after a
 * build. `defines`: "-DX=1 -DY=2" or "", and compiler-specific options if a key of MOTE_TUNE
 * requests them. One thread builds a key, other threads wait for it; a failed build fails for all
 * waiting threads, and the next call tries again. `name` is static. */
mote_status mote_kernel_acquire(mote_context *ctx, const mote_source *source, const char *defines,
                                const char *name, mote_kernel_lease *lease);
void mote_kernel_give_back(mote_kernel_lease *lease);

#endif
