/* SPDX-License-Identifier: Apache-2.0 */
#include "core/parameters.h"
#include "core/fail.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define WORD 64 /* bytes of a name, with the 0 at its end */

typedef struct parameter {
    char name[WORD];
    mote_parameter_kind kind;
} parameter;

struct mote_parameters {
    cl_uint count;
    parameter each[];
};

static const char *const kinds[] = {
    [MOTE_PARAMETER_GLOBAL] = "a global pointer",
    [MOTE_PARAMETER_LOCAL] = "a local pointer",
    [MOTE_PARAMETER_U32] = "a uint",
    [MOTE_PARAMETER_U64] = "a ulong",
    [MOTE_PARAMETER_STRUCT] = "a structure",
};

static cl_int ask(cl_kernel kernel, cl_uint index, parameter *p)
{
    char type[WORD] = "";
    cl_kernel_arg_address_qualifier space = CL_KERNEL_ARG_ADDRESS_PRIVATE;
    cl_int code =
        clGetKernelArgInfo(kernel, index, CL_KERNEL_ARG_NAME, sizeof(p->name) - 1, p->name, NULL);
    /* In PoCL the names of OpenCL's functions, such as length, are macros for _cl_length. */
    if (strncmp(p->name, "_cl_", 4) == 0)
        memmove(p->name, p->name + 4, sizeof(p->name) - 4);
    if (!code)
        code = clGetKernelArgInfo(kernel, index, CL_KERNEL_ARG_ADDRESS_QUALIFIER, sizeof(space),
                                  &space, NULL);
    if (!code && space == CL_KERNEL_ARG_ADDRESS_PRIVATE)
        code = clGetKernelArgInfo(kernel, index, CL_KERNEL_ARG_TYPE_NAME, sizeof(type) - 1, type,
                                  NULL);
    p->kind = space == CL_KERNEL_ARG_ADDRESS_LOCAL     ? MOTE_PARAMETER_LOCAL
              : space != CL_KERNEL_ARG_ADDRESS_PRIVATE ? MOTE_PARAMETER_GLOBAL
              : strcmp(type, "uint") == 0              ? MOTE_PARAMETER_U32
              : strcmp(type, "ulong") == 0             ? MOTE_PARAMETER_U64
                                                       : MOTE_PARAMETER_STRUCT;
    return code;
}

mote_status mote_parameters_ask(cl_kernel kernel, mote_parameters **parameters, const char **failed)
{
    cl_uint count = 0;
    *failed = "clGetKernelInfo";
    cl_int code = clGetKernelInfo(kernel, CL_KERNEL_NUM_ARGS, sizeof(count), &count, NULL);
    if (code)
        return code;
    *failed = "calloc";
    mote_parameters *all = calloc(1, sizeof(*all) + count * sizeof(all->each[0]));
    if (!all)
        return MOTE_ERROR_OUT_OF_HOST_MEMORY;
    *failed = "clGetKernelArgInfo";
    for (; all->count < count && !code; all->count++)
        code = ask(kernel, all->count, &all->each[all->count]);
    if (code)
        free(all);
    else
        *parameters = all;
    return code == CL_KERNEL_ARG_INFO_NOT_AVAILABLE ? MOTE_SUCCESS : code;
}

static bool agree(const parameter *p, const mote_argument *a)
{
    size_t length = strlen(a->name);
    return p->kind == a->kind && strncmp(p->name, a->name, length) == 0 &&
           strcmp(p->name + length, a->end) == 0;
}

mote_status mote_parameters_check(const mote_parameters *parameters, const char *function,
                                  const char *kernel, cl_uint index, const mote_argument *argument)
{
    if (index >= parameters->count || agree(&parameters->each[index], argument))
        return MOTE_SUCCESS;
    const parameter *p = &parameters->each[index];
    return mote_fail(MOTE_ERROR_INTERNAL,
                     "%s: argument %u of kernel %s is \"%s\", %s, but the host sets \"%s%s\", %s",
                     function, (unsigned)index, kernel, p->name, kinds[p->kind], argument->name,
                     argument->end, kinds[argument->kind]);
}
