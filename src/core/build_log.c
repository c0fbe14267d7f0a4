/* SPDX-License-Identifier: Apache-2.0 */
#include "core/build_log.h"

#include <stdlib.h>
#include <string.h>

/* No compiler says this much: a larger size is a driver's mistake, not a log. */
#define LOG_MAX ((size_t)256 << 20)

char *mote_build_log(cl_program program, cl_device_id device)
{
    size_t size = 0;
    if (clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, 0, NULL, &size) ||
        size > LOG_MAX)
        size = 0;
    char *log = calloc(size + 1, 1);
    if (!log || size == 0)
        return log;
    if (clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, size, log, NULL))
        log[0] = '\0';
    size_t length = strlen(log);
    while (length > 0 && strchr(" \t\r\n", log[length - 1]))
        log[--length] = '\0';
    return log;
}
