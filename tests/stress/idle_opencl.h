/* SPDX-License-Identifier: Apache-2.0 */
#ifndef MOTE_TESTS_TRUST_IDLE_OPENCL_H
#define MOTE_TESTS_TRUST_IDLE_OPENCL_H

/* Returns how many programs were built from source, failures included. */
unsigned idle_builds(void);

#endif
