/* SPDX-License-Identifier: Apache-2.0 */
/* Binary trajectories in memory, with every variant of their formats, written by code that shares
 * nothing with the readers. */
#ifndef MOTE_TESTS_TRAJECTORY_BINARY_H
#define MOTE_TESTS_TRAJECTORY_BINARY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "testkit/rng.h"

/* A file that is being written; free() its bytes. */
typedef struct binary {
    unsigned char *bytes;
    size_t count, reserved;
    bool big;  /* byte order of words */
    bool wide; /* DCD's record markers have 8 bytes */
} binary;

void binary_byte(binary *file, unsigned byte);
void binary_word(binary *file, uint32_t word);
void binary_float(binary *file, float value);
void binary_double(binary *file, double value);

/* A frame of XTC. positions: 3 n whole numbers of 1 / precision. Frames of more than nine atoms are
 * packed with runs and sizes of steps that `rng` chooses among the possible ones. */
void binary_xtc(binary *file, mote_rng *rng, size_t n, const int32_t *positions, float precision,
                float time, const float *box);

/* A frame of TRR; a NULL array is omitted, and there are as many velocities as positions. */
typedef struct binary_trr_frame {
    size_t n;
    bool wide; /* double precision */
    double time;
    const double *box, *positions, *velocities;
} binary_trr_frame;
void binary_trr(binary *file, const binary_trr_frame *frame);

/* The head of a DCD file. */
typedef struct binary_dcd_head {
    size_t n;
    size_t n_free; /* n: all atoms move; otherwise the first ones are fixed */
    bool charmm, cell, fourth;
    int32_t first, every;
    float delta;
    uint32_t version;      /* version of CHARMM; 0 means 24 */
    const char *title;     /* NULL means blanks */
    uint32_t title_bytes;  /* size of the title's record; 0 means two lines */
    uint32_t title_length; /* value of its record markers; 0 means the correct one */
} binary_dcd_head;
void binary_dcd(binary *file, const binary_dcd_head *head);

/* Appends a frame: `positions` are those of all atoms; the first frame stores all of them, later
 * frames only those of the moving atoms. cell: a, gamma, b, beta, alpha, c. */
void binary_dcd_frame(binary *file, const binary_dcd_head *head, bool is_first, const double *cell,
                      const float *positions);

#endif
