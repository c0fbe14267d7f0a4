/* SPDX-License-Identifier: Apache-2.0 */
/* The folder of shared cases and data, which is not part of the project: tests read it only if
 * MOTE_SHARED names it. */
#ifndef MOTE_TESTS_COMMON_SHARED_H
#define MOTE_TESTS_COMMON_SHARED_H

#include <stdbool.h>
#include <stddef.h>

/* The path of a file in the folder; false without MOTE_SHARED. */
bool shared_path(const char *path, char *out, size_t size);

/* For main(): returns whether CK_RUN_SUITE selects `suite`, which reads the folder, and MOTE_SHARED
 * is not set. If so, it reports by TAP that the suite is skipped. */
bool shared_skips(const char *suite);

#endif
