/* SPDX-License-Identifier: Apache-2.0 */
/* Builds a source to a program for one device. */
#ifndef MOTE_CORE_PROGRAM_BUILD_H
#define MOTE_CORE_PROGRAM_BUILD_H

#include "core/program.h"

/* Loads the program from the disk cache, or builds and stores it. The sentence of MOTE_ERROR_BUILD
 * contains device, driver, options and the whole build log. */
mote_status mote_program_build(const mote_context *ctx, const mote_source *source,
                               const char *defines, cl_program *program);

#endif
