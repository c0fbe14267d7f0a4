/* SPDX-License-Identifier: Apache-2.0 */
/* Damage to files, as caused by disks, crashes and people. */
#ifndef TESTS_CORE_DAMAGE_H
#define TESTS_CORE_DAMAGE_H

#include <stddef.h>
#include <stdint.h>

/* Additional bytes that damaged data may need. */
#define DAMAGE_ROOM ((size_t)300)

/* A new random number. */
uint64_t damage_random(uint64_t *state);

/* Changes data in one random way (bits, bytes, ranges set to zero or copied from elsewhere, numbers
 * at the ends of their range, truncation, additions) and returns its new length. By chance, the
 * data may remain unchanged. */
size_t damage(uint64_t *state, unsigned char *data, size_t length);

#endif
