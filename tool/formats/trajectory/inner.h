/* SPDX-License-Identifier: Apache-2.0 */
/* Declares what the formats share. Functions that return bool have written a message if they return
 * false. */
#ifndef MOTE_TOOL_FORMATS_TRAJECTORY_INNER_H
#define MOTE_TOOL_FORMATS_TRAJECTORY_INNER_H

#include "tool/formats/trajectory/trajectory.h"

#include <stdint.h>
#include <string.h>

/* Units of length, in nm. */
#define MOTE_TRAJECTORY_NM       1.0
#define MOTE_TRAJECTORY_ANGSTROM 0.1

#if defined(__GNUC__)
#define MOTE_TRAJECTORY_PRINTF(f, a) __attribute__((format(printf, f, a)))
#else
#define MOTE_TRAJECTORY_PRINTF(f, a)
#endif

/* A stretch of a line. */
typedef struct mote_span {
    const char *begin, *end;
} mote_span;

/* A span shortened for messages: printable characters only. */
typedef struct mote_shown {
    char text[44];
} mote_shown;

mote_shown mote_span_show(mote_span span);

/* Reads the next word of a line; false at its end. */
bool mote_span_word(mote_span *line, mote_span *word);

/* Reads a span that is one number and nothing else. */
bool mote_span_real(mote_span span, double *value);

bool mote_trajectory_fail(mote_trajectory *t, const char *format, ...) MOTE_TRAJECTORY_PRINTF(2, 3);

/* Reads the next line, or fails; `what` was expected if the text has ended. */
bool mote_trajectory_line(mote_trajectory *t, const char *what, mote_span *line);

/* Reads the line with the number of atoms, which is the same in each frame. */
bool mote_trajectory_count(mote_trajectory *t, mote_span line);

/* Makes room for the positions of the first `atoms` atoms; binary formats make room for all of them
 * after they have seen the bytes that contain them. */
bool mote_trajectory_reserve(mote_trajectory *t, size_t atoms);

/* Makes room for the position of atom i. It grows by doubling, up to `most` atoms. */
bool mote_trajectory_room(mote_trajectory *t, size_t i, size_t most);

/* Reads the line of atom i, and makes room for its position. */
bool mote_trajectory_atom(mote_trajectory *t, size_t i, mote_span *line);

/* Reads coordinate k of atom i from a span that contains only it. */
bool mote_trajectory_coordinate(mote_trajectory *t, size_t i, int k, mote_span span);

/* The largest number of columns of a number. */
#define MOTE_TRAJECTORY_WIDEST 64

/* Reads coordinate k of atom i from columns that contain a number and blanks only. */
bool mote_trajectory_column(mote_trajectory *t, size_t i, int k, const char *at, size_t width);

/* Reads the time of the frame: the number after the last "t=" of a title, if there is one. */
void mote_trajectory_title(mote_trajectory *t, mote_span title);

/* Sets the frame's box from 3 lengths or 9 numbers by rows. Vectors along which the frame does not
 * repeat may have any value. */
bool mote_trajectory_box(mote_trajectory *t, const double *numbers, int count);

/* Makes a frame without box and time. */
void mote_trajectory_forget(mote_trajectory *t);

/* Returns whether the boxes of the file are ignored. */
static inline bool mote_trajectory_no_box(const mote_trajectory *t)
{
    return t->rules.ignore_boxes || t->rules.box;
}

/* The factor for the lengths of the file. */
double mote_trajectory_scale(const mote_trajectory *t);

/* The kind of a box. */
mote_pbc mote_trajectory_kind(const double *box);

/* Gives the frame, whose positions have been read, the box and the unit of the rules. */
bool mote_trajectory_settle(mote_trajectory *t);

/* Stores the name of atom i, if names are needed. */
bool mote_trajectory_name(mote_trajectory *t, size_t i, mote_span name);

/* Read one frame after its first line. */
bool mote_trajectory_xyz(mote_trajectory *t, mote_span first);
bool mote_trajectory_gro(mote_trajectory *t, mote_span first);
bool mote_trajectory_lammps(mote_trajectory *t, mote_span first);

/* Reads one frame of a PDB file after its first line; sets *ended if no atoms follow. */
bool mote_trajectory_pdb(mote_trajectory *t, mote_span first, bool *ended);

/* Read one frame of a binary file; set *ended if the file ends before it. */
bool mote_trajectory_xtc(mote_trajectory *t, bool *ended);
bool mote_trajectory_trr(mote_trajectory *t, bool *ended);
bool mote_trajectory_dcd(mote_trajectory *t, bool *ended);

/* True if a file begins like a DCD file. Sets its byte order and the size of its record markers. */
bool mote_dcd_begins(const unsigned char *at, size_t count, mote_dcd *dcd);

/* Makes lattice vectors from lengths and the cosines of alpha, beta and gamma. Vector a points
 * along x, and b lies in the xy plane. Some of its numbers are NaN if the parameters are not a
 * cell. */
void mote_trajectory_cell_box(const double *length, const double *cosine, double *box);

/* Sets the box of a DCD frame from the six numbers of its cell. On an error, returns false and
 * writes a message. */
bool mote_trajectory_cell(mote_trajectory *t, const double *number);

/* Reads the next bytes, or fails; `what` was expected if the file has ended. */
bool mote_trajectory_bytes(mote_trajectory *t, size_t count, const char *what,
                           const unsigned char **at);

/* Writes a message that says why `what` could not be read; returns false. */
bool mote_trajectory_fail_lines(mote_trajectory *t, mote_lines_status status, const char *what);
bool mote_trajectory_fail_bytes(mote_trajectory *t, mote_lines_status status, const char *what);

/* Skips the next bytes. */
bool mote_trajectory_pass(mote_trajectory *t, size_t count, const char *what);

/* Returns true if the file ends here; false, with t->message, if it cannot be read. */
bool mote_trajectory_ended(mote_trajectory *t, bool *ended);

/* Sets the number of atoms of a frame, which is the same in each. */
bool mote_trajectory_atoms(mote_trajectory *t, uint64_t count);

/* Returns the extension of the format that the first line of a text shows, as ".pdb"; NULL if it
 * shows none. */
const char *mote_trajectory_told(mote_span line);

/* Sets t->format from the first bytes of the file. */
void mote_trajectory_look(mote_trajectory *t);

/* Checks that positions are finite. */
bool mote_trajectory_finite(mote_trajectory *t);

/* Sets the time of a frame from a number in single precision: the decimal number that was meant. */
void mote_trajectory_time(mote_trajectory *t, float time);

/* Words of big-endian files, and of either byte order. */
static inline uint32_t mote_word(const unsigned char *at, bool big)
{
    return big ? (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3]
               : (uint32_t)at[3] << 24 | (uint32_t)at[2] << 16 | (uint32_t)at[1] << 8 | at[0];
}

static inline float mote_float(const unsigned char *at, bool big)
{
    uint32_t word = mote_word(at, big);
    float value;
    memcpy(&value, &word, sizeof(value));
    return value;
}

static inline double mote_double(const unsigned char *at, bool big)
{
    uint64_t high = mote_word(at + (big ? 0 : 4), big), low = mote_word(at + (big ? 4 : 0), big);
    uint64_t word = high << 32 | low;
    double value;
    memcpy(&value, &word, sizeof(value));
    return value;
}

/* Unpacks the n positions of an XTC frame, x, y, z of each atom as whole numbers: see xtc_unpack.c.
 * Returns NULL, or the error. */
typedef struct mote_xtc_packed {
    int32_t least[3], most[3];
    uint32_t small; /* index of the first size of small steps */
    const unsigned char *bytes;
    size_t count;
} mote_xtc_packed;
const char *mote_xtc_unpack(const mote_xtc_packed *packed, size_t n, float scale,
                            double *positions);

/* Columns of the lines of atoms in an XYZ frame, from 0. */
typedef struct mote_xyz_columns {
    int x;    /* y and z follow */
    int name; /* -1 = none */
    int all;  /* the number of columns in Properties; 0 = unknown */
} mote_xyz_columns;

/* Parses the comment of an XYZ frame: its box and columns. */
bool mote_trajectory_comment(mote_trajectory *t, mote_span line, mote_xyz_columns *columns);

#endif
