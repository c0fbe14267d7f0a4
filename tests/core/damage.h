/* SPDX-License-Identifier: Apache-2.0 */
/* What disks, crashes and people do to files. */
#ifndef TESTS_CORE_DAMAGE_H
#define TESTS_CORE_DAMAGE_H

#include <stddef.h>
#include <stdint.h>

/* Bytes beyond its length that damaged data may need. */
#define DAMAGE_ROOM ((size_t)300)

/* A new random number. */
uint64_t damage_random(uint64_t *state);

/* Changes data in one random way (bits, bytes, stretches set to zero or copied from elsewhere,
 * numbers at the ends of their range, cuts, additions) and returns its new length. It may by chance
 * leave everything as it was. */
size_t damage(uint64_t *state, unsigned char *data, size_t length);

#endif
