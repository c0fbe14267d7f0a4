/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file version.h
 * @brief The version of the library, at compile time and at run time, and the export macro.
 *
 * The numbers in this header are the version that a program was compiled against; mote_version()
 * returns the version that it runs with. Within one SONAME (libmote.so.0) argument structures only
 * grow at their end, status codes keep their numbers, and a program compiled against an older
 * header keeps working.
 */
#ifndef MOTE_VERSION_H
#define MOTE_VERSION_H

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
