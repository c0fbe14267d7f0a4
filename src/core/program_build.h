/* SPDX-License-Identifier: Apache-2.0 */
/* From a source to a program that is ready for one device. */
#ifndef MOTE_CORE_PROGRAM_BUILD_H
#define MOTE_CORE_PROGRAM_BUILD_H

#include "core/program.h"

/* Takes the program from the disk cache or builds it, and then stores it there. MOTE_ERROR_BUILD
 * carries device, driver, options and the whole build log. */
mote_status mote_program_build(const mote_context *ctx, const mote_source *source,
                               const char *defines, cl_program *program);

#endif
