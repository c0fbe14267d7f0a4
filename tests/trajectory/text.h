/* SPDX-License-Identifier: Apache-2.0 */
/* Trajectories in memory, read in pieces of any size. */
#ifndef MOTE_TESTS_TRAJECTORY_TEXT_H
#define MOTE_TESTS_TRAJECTORY_TEXT_H

#include "binary.h"

#include "common/suite.h"
#include "tool/formats/trajectory/trajectory.h"

typedef struct text_reader {
    mote_lines_text text;
    mote_trajectory trajectory;
} text_reader;

/* The text must live as long as the reader. */
void text_open(text_reader *reader, mote_trajectory_format format, const char *text, size_t length,
               size_t piece);
void text_open_binary(text_reader *reader, mote_trajectory_format format, const binary *file,
                      size_t piece);
void text_close(text_reader *reader);

/* Reads the next frame, which must be valid and have n atoms; returns its positions. */
const double *text_next(text_reader *reader, size_t n);

/* Checks that no frame is left; closes the reader. */
void text_end(text_reader *reader);

/* Checks that the text contains `frames` frames and ends without an error, if it is read in pieces
 * of any size. */
void text_good(mote_trajectory_format format, const char *text, size_t frames);

/* The text contains `frames` frames and then fails with this message ("t:3: ..."), which may be the
 * beginning of a longer one. */
void text_bad(mote_trajectory_format format, const char *text, size_t frames, const char *message);

#endif
