/* SPDX-License-Identifier: Apache-2.0 */
/* Parts of simulated-pixels besides the table. */
#ifndef TESTS_PIXELS_SIMULATED_H
#define TESTS_PIXELS_SIMULATED_H

#include "testkit/cases/pixels/run.h"

/* Clusters modules of `digis` digis or a few more: if that exceeds the registers of a group,
 * cl/pixels/label/large_dense.clh is used. Prints differences; adds to the numbers of cases. */
void simulated_dense(mote_context *ctx, cl_command_queue queue, uint32_t digis, int *ran,
                     int *failed);

#endif
