/* SPDX-License-Identifier: Apache-2.0 */
/* Captures all output to stdout and stderr between two calls. */
#ifndef TESTS_FAULTS_PRINTED_H
#define TESTS_FAULTS_PRINTED_H

#include <stdbool.h>
#include <stddef.h>

void printed_begin(void);

/* Returns true if there was output; its beginning is stored in `text`. */
bool printed_end(char *text, size_t room);

#endif
