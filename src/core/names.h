/* SPDX-License-Identifier: Apache-2.0 */
/* Names of public enumerations. */
#ifndef MOTE_CORE_NAMES_H
#define MOTE_CORE_NAMES_H

#include <stddef.h>

/* Defines a public function that returns the name of a number, NULL for an unknown number. */
#define MOTE_DEFINE_NAMES(type, ...)                                                               \
    const char *type##_name(type value)                                                            \
    {                                                                                              \
        static const char *const names[] = {__VA_ARGS__};                                          \
        size_t number = (size_t)value;                                                             \
        return number < sizeof(names) / sizeof(names[0]) ? names[number] : NULL;                   \
    }

#endif
