/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file layout/error.h
 * @brief The error word: how kernels report bad data, seen by C and by OpenCL C.
 *
 * An error word is 32 slots of 32 bits, one slot for each kind of bad data; some slots are not used
 * yet. A slot holds the lowest index at which that kind was seen, or MOTE_ERROR_SLOT_CLEAR when it
 * was not seen. Kernels lower a slot with a 32-bit atomic minimum, so the answer does not depend on
 * the order of work-items. A call that is given an error word clears it first, or with error_keep
 * lowers the existing slots.
 */
#ifndef MOTE_LAYOUT_ERROR_H
#define MOTE_LAYOUT_ERROR_H

/** Slots of an error word. */
#define MOTE_ERROR_SLOTS 32

/** Value of a slot in which nothing was reported. */
#define MOTE_ERROR_SLOT_CLEAR 0xffffffffu

/* The kinds of errors, whose numbers are frozen. mote_error_read() reports one of those that are
 * set. If kinds 7 to 11, which concern lists, are set, it reports the kind with the lowest list;
 * otherwise, it reports the kind with the lowest number. It reports MOTE_SLOT_CAPACITY only if no
 * other kind is set, because the needed length depends on the data. Each comment gives the meaning
 * of the index in parentheses. */
#define MOTE_SLOT_EVENT_OFFSETS         0  /**< offsets not from 0 to n, or decreasing (event) */
#define MOTE_SLOT_MODULE                1  /**< module id out of range (digi) */
#define MOTE_SLOT_COORDINATE            2  /**< x or y outside the module (digi) */
#define MOTE_SLOT_NOT_CONTIGUOUS        3  /**< a module is in two places (digi of the second) */
#define MOTE_SLOT_CAPACITY              4  /**< an output is too small (length needed, saturated) */
#define MOTE_SLOT_INTERNAL              5  /**< a bounded loop of a kernel hit its bound (where) */
#define MOTE_SLOT_CLUSTER_ID            6  /**< a cluster id out of range for its module (digi) */
#define MOTE_SLOT_OFFSETS_NEGATIVE      7  /**< a negative offset, start or count (list) */
#define MOTE_SLOT_OFFSETS_NOT_MONOTONIC 8  /**< an offset above the next one (list) */
#define MOTE_SLOT_OFFSETS_OUT_OF_RANGE  9  /**< a list ends beyond the content or its type (list) */
#define MOTE_SLOT_STOP_BEFORE_START     10 /**< a list stops before it starts (list) */
#define MOTE_SLOT_OVERLAP               11 /**< a list overlaps one of lower number (list) */
#define MOTE_SLOT_PARENTS               12 /**< a label out of range or below the last (element) */
#define MOTE_SLOT_POSITION              13 /**< a NaN or infinite position (frame x atoms + atom) */
#define MOTE_SLOT_BOX                   14 /**< a box: singular, not finite, out of range (frame) */
#define MOTE_SLOT_EDGES                 15 /**< an edge: NaN, or above the next one (edge) */
#define MOTE_SLOT_PACKET                16 /**< a packet of an unknown kind (packet) */

#ifndef __OPENCL_VERSION__
#include <stdint.h>

/** The error word in memory, on the device and on the host. */
typedef struct mote_error_word {
    uint32_t slot[MOTE_ERROR_SLOTS]; /**< by the numbers MOTE_SLOT_... */
} mote_error_word;
#endif

#endif
