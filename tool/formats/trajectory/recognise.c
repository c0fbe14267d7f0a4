/* SPDX-License-Identifier: Apache-2.0 */
/* The format of a trajectory, from its first bytes. */
#include "tool/formats/trajectory/inner.h"

#define LOOK_MOST ((size_t)1 << 16) /* bytes within which two lines end */

const char *mote_trajectory_format_name(mote_trajectory_format format)
{
    static const char *const names[MOTE_TRAJECTORY_FORMATS] = {"xyz", "gro", "xtc",      "trr",
                                                               "dcd", "pdb", "lammpstrj"};
    return (unsigned)format < MOTE_TRAJECTORY_FORMATS ? names[format] : NULL;
}

/* Returns whether a line of text is a number of atoms and nothing else. */
static bool is_count(const unsigned char *at, const unsigned char *end)
{
    bool digits = false, after = false;
    for (; at < end; at++) {
        bool digit = *at >= '0' && *at <= '9';
        if (!digit && *at != ' ' && *at != '\t' && *at != '\r')
            return false;
        if (digit && after)
            return false;
        after = digits && !digit;
        digits = digits || digit;
    }
    return digits;
}

/* Returns the format that the first line of a text shows; MOTE_TRAJECTORY_ANY for other texts. */
static mote_trajectory_format told(const char *at, size_t count)
{
    static const char *const begin[] = {"ITEM: ", "HEADER", "TITLE ", "CRYST1", "REMARK",
                                        "COMPND", "MODEL ", "ATOM  ", "HETATM"};
    for (size_t k = 0; k < sizeof(begin) / sizeof(begin[0]); k++)
        if (count >= 6 && memcmp(at, begin[k], 6) == 0)
            return k ? MOTE_TRAJECTORY_PDB : MOTE_TRAJECTORY_LAMMPS;
    return MOTE_TRAJECTORY_ANY;
}

const char *mote_trajectory_told(mote_span line)
{
    mote_trajectory_format format = told(line.begin, (size_t)(line.end - line.begin));
    return format == MOTE_TRAJECTORY_PDB      ? ".pdb"
           : format == MOTE_TRAJECTORY_LAMMPS ? ".lammpstrj"
                                              : NULL;
}

/* In XYZ the first line that is not blank is the number of atoms, in GRO the second line is. A
 * title of GRO may begin like a line of PDB. */
static mote_trajectory_format recognise_text(const unsigned char *at, const unsigned char *end)
{
    static const char mark[] = "\xef\xbb\xbf";
    if (end - at >= 3 && memcmp(at, mark, 3) == 0)
        at += 3;
    mote_trajectory_format format = told((const char *)at, (size_t)(end - at));
    if (format == MOTE_TRAJECTORY_LAMMPS)
        return format;
    for (bool title = false; at < end; title = true) {
        const unsigned char *newline = memchr(at, '\n', (size_t)(end - at));
        if (!newline)
            return MOTE_TRAJECTORY_XYZ;
        if (is_count(at, newline))
            return title ? MOTE_TRAJECTORY_GRO : MOTE_TRAJECTORY_XYZ;
        if (title)
            break;
        at = newline + 1;
    }
    return format == MOTE_TRAJECTORY_PDB ? format : MOTE_TRAJECTORY_XYZ;
}

mote_trajectory_format mote_trajectory_recognise(const unsigned char *bytes, size_t count)
{
    uint32_t word = count >= 8 ? mote_word(bytes, true) : 0;
    if (word == 1995 || word == 2023)
        return MOTE_TRAJECTORY_XTC;
    if (word == 1993)
        return MOTE_TRAJECTORY_TRR;
    mote_dcd dcd;
    if (mote_dcd_begins(bytes, count, &dcd))
        return MOTE_TRAJECTORY_DCD;
    return recognise_text(bytes, bytes + count);
}

static size_t count_lines(const unsigned char *at, size_t count)
{
    size_t lines = 0;
    for (const unsigned char *p = at; (p = memchr(p, '\n', count - (size_t)(p - at))); p++)
        lines++;
    return lines;
}

/* Reads no more of a slow pipe than is needed to recognise the format. */
void mote_trajectory_look(mote_trajectory *t)
{
    const unsigned char *at = NULL;
    mote_lines_status status = mote_lines_peek(&t->lines, 8, &at);
    if (status == MOTE_LINES_LINE && (mote_word(at, true) == 0 || mote_word(at + 4, true) == 0))
        status = mote_lines_peek(&t->lines, 12, &at); /* DCD with record markers of 8 bytes */
    size_t count = t->lines.end - t->lines.begin;
    t->format = mote_trajectory_recognise(at, count);
    while (status == MOTE_LINES_LINE && t->format == MOTE_TRAJECTORY_XYZ && count < LOOK_MOST &&
           count_lines(at, count) < 2) {
        status = mote_lines_peek(&t->lines, count + 1, &at);
        count = t->lines.end - t->lines.begin;
        t->format = mote_trajectory_recognise(at, count);
    }
}
