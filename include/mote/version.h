/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file version.h
 * @brief The version of the library, at compile time and at run time, the export macro, and the
 * initialisers of structures.
 *
 * The numbers in this header are the version that a program was compiled against; mote_version()
 * returns the version that it runs with. Within one SONAME (libmote.so.0) argument structures only
 * grow at their end, status codes keep their numbers, and a program compiled against an older
 * header keeps working.
 */
#ifndef MOTE_VERSION_H
#define MOTE_VERSION_H

#include <string.h>

/** 0 as long as calls may change. */
#define MOTE_VERSION_MAJOR 0
/** Grows with each release that adds something. */
#define MOTE_VERSION_MINOR 1
/** Grows with each release that only fixes defects. */
#define MOTE_VERSION_PATCH 0
/** All three. */
#define MOTE_VERSION_STRING "0.1.0"

/** Marks a symbol of the public interface: everything else in the library is hidden. */
#if defined(__GNUC__)
#define MOTE_API __attribute__((visibility("default")))
#else
#define MOTE_API
#endif

/**
 * Defines the initialiser of a structure, `type`_init(): it sets `size` and zeroes the rest.
 *
 * Initialisers are functions of the headers, not of the library: `size` is that of the structure
 * that the program was compiled with, and the structure of a later library may be longer. A program
 * in another language does the same: it zeroes its structure and sets `size`.
 */
#define MOTE_INITIALISER(type) MOTE_INITIALISER_WITH(type, )

/** The same, with statements that initialise structures inside of `*args`. */
#define MOTE_INITIALISER_WITH(type, statements)                                                    \
    static inline void type##_init(type *args)                                                     \
    {                                                                                              \
        if (!args)                                                                                 \
            return;                                                                                \
        memset(args, 0, sizeof(*args));                                                            \
        args->size = sizeof(*args);                                                                \
        statements                                                                                 \
    }

#ifdef __cplusplus
extern "C" {
#endif

/**
 * The version of the library this program runs with.
 *
 * Returns: a static string such as "0.1.0"; never NULL, never to be freed.
 * Threads: any. Blocks: no. Since: 0.1.
 */
MOTE_API const char *mote_version(void);

#ifdef __cplusplus
}
#endif

#endif
