/* SPDX-License-Identifier: Apache-2.0 */
/* The format of a trajectory, from its first bytes. */
#include "tool/formats/trajectory/inner.h"

#define LOOK_MOST ((size_t)1 << 16) /* bytes within which two lines end */

const char *mote_trajectory_format_name(mote_trajectory_format format)
{
    static const char *const names[MOTE_TRAJECTORY_FORMATS] = {"xyz", "gro", "xtc", "trr", "dcd"};
    return (unsigned)format < MOTE_TRAJECTORY_FORMATS ? names[format] : NULL;
}

/* A line of text that is a number of atoms and nothing else. */
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

/* In XYZ the first line that is not blank is the number of atoms, in GRO the second line is. So it
 * is in dumps of LAMMPS, which the reader of XYZ refuses by their name. */
static mote_trajectory_format recognise_text(const unsigned char *at, const unsigned char *end)
{
    static const char dump[] = "ITEM: TIMESTEP", mark[] = "\xef\xbb\xbf";
    if (end - at >= 3 && memcmp(at, mark, 3) == 0)
        at += 3;
    if ((size_t)(end - at) >= sizeof(dump) && memcmp(at, dump, sizeof(dump) - 1) == 0)
        return MOTE_TRAJECTORY_XYZ;
    for (bool title = false; at < end; title = true) {
        const unsigned char *newline = memchr(at, '\n', (size_t)(end - at));
        if (!newline)
            break;
        if (is_count(at, newline))
            return title ? MOTE_TRAJECTORY_GRO : MOTE_TRAJECTORY_XYZ;
        if (title)
            break;
        at = newline + 1;
    }
    return MOTE_TRAJECTORY_XYZ;
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

const char *mote_trajectory_foreign(mote_span line)
{
    static const struct {
        const char *begin, *kind;
    } kinds[] = {{"ITEM: ", "a dump of LAMMPS"},
                 {"HEADER", "PDB"},
                 {"TITLE ", "PDB"},
                 {"CRYST1", "PDB"},
                 {"REMARK", "PDB"},
                 {"COMPND", "PDB"},
                 {"MODEL ", "PDB"},
                 {"ATOM  ", "PDB"},
                 {"HETATM", "PDB"}};
    for (size_t k = 0; k < sizeof(kinds) / sizeof(kinds[0]); k++) {
        size_t n = strlen(kinds[k].begin);
        if ((size_t)(line.end - line.begin) >= n && memcmp(line.begin, kinds[k].begin, n) == 0)
            return kinds[k].kind;
    }
    return NULL;
}

static size_t count_lines(const unsigned char *at, size_t count)
{
    size_t lines = 0;
    for (const unsigned char *p = at; (p = memchr(p, '\n', count - (size_t)(p - at))); p++)
        lines++;
    return lines;
}

/* Waits for no more of a slow pipe than tells. */
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
