/* SPDX-License-Identifier: Apache-2.0 */
/* Replaces a function of Check (tests/meson.build) that writes the position of each successful
 * assertion to a file, with two system calls, so that a parent process can name the last one before
 * a crash. These tests have no parent process (suite.h), and they compare millions of values. */
#include <check.h>

void _mark_point(const char *file, int line)
{
    (void)file;
    (void)line;
}
