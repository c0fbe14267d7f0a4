/* SPDX-License-Identifier: Apache-2.0 */
/* What the formats share. Functions that return bool have said what is wrong when it is false. */
#ifndef MOTE_FORMATS_TRAJECTORY_INNER_H
#define MOTE_FORMATS_TRAJECTORY_INNER_H

#include "formats/trajectory/trajectory.h"

#if defined(__GNUC__)
#define MOTE_TRAJECTORY_PRINTF(f, a) __attribute__((format(printf, f, a)))
#else
#define MOTE_TRAJECTORY_PRINTF(f, a)
#endif

/* A stretch of a line. */
typedef struct mote_span {
    const char *begin, *end;
} mote_span;

/* A span cut for printing: printing characters only. */
typedef struct mote_shown {
    char text[44];
} mote_shown;

mote_shown mote_span_show(mote_span span);

/* Takes the next word off a line; false at its end. */
bool mote_span_word(mote_span *line, mote_span *word);

/* A span that is one number and nothing else. */
bool mote_span_real(mote_span span, double *value);

bool mote_trajectory_fail(mote_trajectory *t, const char *format, ...) MOTE_TRAJECTORY_PRINTF(2, 3);

/* The next line, or a failure; `what` was expected when the text has ended. */
bool mote_trajectory_line(mote_trajectory *t, const char *what, mote_span *line);

/* The line with the number of atoms, the same in each frame. */
bool mote_trajectory_count(mote_trajectory *t, mote_span line);

/* The line of atom i, and room for its position. */
bool mote_trajectory_atom(mote_trajectory *t, size_t i, mote_span *line);

/* Coordinate k of atom i, read from a span that holds it and nothing else. */
bool mote_trajectory_coordinate(mote_trajectory *t, size_t i, int k, mote_span span);

/* The frame's box, from 3 lengths or 9 numbers by rows. */
bool mote_trajectory_box(mote_trajectory *t, const double *numbers, int count);

/* One frame behind its first line. */
bool mote_trajectory_xyz(mote_trajectory *t, mote_span first);
bool mote_trajectory_gro(mote_trajectory *t, mote_span first);

/* The comment of an XYZ frame: its box, and the column of x in the lines of atoms. */
bool mote_trajectory_comment(mote_trajectory *t, mote_span line, int *column);

#endif
