/* SPDX-License-Identifier: Apache-2.0 */
/* The suites of the coordination tests. */
#ifndef MOTE_TESTS_COORDINATION_SUITES_H
#define MOTE_TESTS_COORDINATION_SUITES_H

#include <check.h>

Suite *switch_suite(void);
Suite *parse_suite(void);

#endif
