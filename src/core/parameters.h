/* SPDX-License-Identifier: Apache-2.0 */
/* The parameters of kernels, as their sources declare them. Debug builds compare them with the
 * arguments that the host sets. */
#ifndef MOTE_CORE_PARAMETERS_H
#define MOTE_CORE_PARAMETERS_H

#include "core/context.h"

typedef enum mote_parameter_kind {
    MOTE_PARAMETER_GLOBAL, /* a pointer */
    MOTE_PARAMETER_LOCAL,
    MOTE_PARAMETER_U32,
    MOTE_PARAMETER_U64,
    MOTE_PARAMETER_STRUCT,
} mote_parameter_kind;

/* An argument, as the host names it: `name` and `end` joined. */
typedef struct mote_argument {
    const char *name, *end;
    mote_parameter_kind kind;
} mote_argument;

typedef struct mote_parameters mote_parameters;

/* Queries the driver for a kernel's parameters; the caller frees them. Does not change *parameters
 * if the driver does not know them, or after a failure of the function *failed. */
mote_status mote_parameters_ask(cl_kernel kernel, mote_parameters **parameters,
                                const char **failed);

/* Fails with MOTE_ERROR_INTERNAL if the parameter at `index` has another name or kind than the
 * argument. */
mote_status mote_parameters_check(const mote_parameters *parameters, const char *function,
                                  const char *kernel, cl_uint index, const mote_argument *argument);

#endif
