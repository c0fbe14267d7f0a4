/* SPDX-License-Identifier: Apache-2.0 */
/* What is written to stdout and stderr, by whomever, between two moments. */
#ifndef TESTS_FAULTS_PRINTED_H
#define TESTS_FAULTS_PRINTED_H

#include <stdbool.h>
#include <stddef.h>

void printed_begin(void);

/* True when there was anything; its beginning goes to `text`. */
bool printed_end(char *text, size_t room);

#endif
