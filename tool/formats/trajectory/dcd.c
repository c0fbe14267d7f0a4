/* SPDX-License-Identifier: Apache-2.0 */
/* DCD files as CHARMM, NAMD, OpenMM and LAMMPS write them. A file consists of Fortran records in
 * either byte order, with record markers of 4 or 8 bytes. Coordinates are float32, usually in
 * Angstrom. A frame has an optional record for the cell and one record each for x, y and z. Atoms
 * declared as fixed are stored in the first frame only. */
#include "tool/formats/trajectory/inner.h"

#include <stdlib.h>
#include <strings.h>

#define HEAD       84                /* size of the first record in bytes */
#define TITLE      80                /* size of a line of the title in bytes */
#define MOST_TITLE ((size_t)1 << 20) /* in bytes; a longer title means a damaged record marker */
#define TIME       0.04888821        /* CHARMM's unit of time in ps */

/* The size in bytes of a record marker: the record's length, stored before and after the record. */
static size_t marker(const mote_trajectory *t)
{
    return t->dcd.wide ? 8 : 4;
}

static uint64_t length_at(const mote_trajectory *t, const unsigned char *at)
{
    bool big = t->dcd.big;
    if (!t->dcd.wide)
        return mote_word(at, big);
    uint64_t first = mote_word(at, big), second = mote_word(at + 4, big);
    return big ? first << 32 | second : second << 32 | first;
}

static bool begin_record(mote_trajectory *t, size_t bytes, const char *what)
{
    const unsigned char *at;
    if (!mote_trajectory_bytes(t, marker(t), what, &at))
        return false;
    uint64_t found = length_at(t, at);
    return found == bytes ||
           mote_trajectory_fail(t,
                                "frame %zu: a record of %zu bytes with %s was expected, not one "
                                "of %llu",
                                t->frames, bytes, what, (unsigned long long)found);
}

static bool end_record(mote_trajectory *t, size_t bytes, const char *what, const unsigned char *at)
{
    return length_at(t, at) == bytes ||
           mote_trajectory_fail(t,
                                "frame %zu: the record with %s ends with another length than it "
                                "begins",
                                t->frames, what);
}

/* Reads the bytes between the two lengths of a record. */
static bool take_record(mote_trajectory *t, size_t bytes, const char *what,
                        const unsigned char **record)
{
    return begin_record(t, bytes, what) &&
           mote_trajectory_bytes(t, bytes + marker(t), what, record) &&
           end_record(t, bytes, what, *record + bytes);
}

static bool pass_record(mote_trajectory *t, size_t bytes, const char *what)
{
    const unsigned char *at;
    return begin_record(t, bytes, what) && mote_trajectory_pass(t, bytes, what) &&
           mote_trajectory_bytes(t, marker(t), what, &at) && end_record(t, bytes, what, at);
}

bool mote_dcd_begins(const unsigned char *at, size_t count, mote_dcd *dcd)
{
    for (int k = 0; k < 4; k++) {
        bool wide = k & 1, big = k & 2;
        size_t width = wide ? 8 : 4;
        if (count < width + 4 || memcmp(at + width, "CORD", 4) != 0)
            continue;
        if (mote_word(at + (big ? width - 4 : 0), big) != HEAD ||
            (wide && mote_word(at + (big ? 0 : 4), big) != 0))
            continue;
        dcd->wide = wide;
        dcd->big = big;
        return true;
    }
    return false;
}

/* Reads the first record, from which the byte order and the size of record markers follow. */
static bool take_head(mote_trajectory *t, uint32_t *n_fixed)
{
    const unsigned char *at, *head;
    mote_dcd *dcd = &t->dcd;
    t->place = 0;
    mote_lines_status status = mote_lines_peek(&t->lines, 12, &at);
    if (status != MOTE_LINES_LINE)
        return mote_trajectory_fail_bytes(t, status, "the head");
    if (!mote_dcd_begins(at, 12, dcd))
        return mote_trajectory_fail(t,
                                    "this is no DCD file: it does not begin with a record of %d "
                                    "bytes and CORD",
                                    HEAD);
    if (!take_record(t, HEAD, "the head", &head))
        return false;
    head += 4; /* numbers 0 to 19 after CORD */
    dcd->version = mote_word(head + 4 * 19, dcd->big);
    bool charmm = dcd->version != 0;
    double delta =
        charmm ? (double)mote_float(head + 4 * 9, dcd->big) : mote_double(head + 4 * 9, dcd->big);
    dcd->cell = charmm && mote_word(head + 4 * 10, dcd->big) != 0;
    dcd->fourth = charmm && mote_word(head + 4 * 11, dcd->big) != 0;
    dcd->first = (double)(int32_t)mote_word(head + 4, dcd->big) * delta * TIME;
    dcd->step = (double)(int32_t)mote_word(head + 8, dcd->big) * delta * TIME;
    *n_fixed = mote_word(head + 4 * 8, dcd->big);
    return true;
}

/* Returns the cell convention of the program that the title names, or MOTE_DCD_CELL_AUTO if it
 * names none of these programs. */
static mote_dcd_cell find_writer(const unsigned char *at, size_t count)
{
    static const struct {
        const char *name;
        mote_dcd_cell cell;
    } writers[] = {{"cpptraj", MOTE_DCD_CELL_SHAPE},
                   {"NAMD", MOTE_DCD_CELL_COSINES},
                   {"DCD plugin", MOTE_DCD_CELL_COSINES},
                   {"LAMMPS", MOTE_DCD_CELL_COSINES},
                   {"OpenMM", MOTE_DCD_CELL_DEGREES}};
    for (size_t k = 0; k < sizeof(writers) / sizeof(writers[0]); k++) {
        size_t length = strlen(writers[k].name);
        for (size_t i = 0; i + length <= count; i++)
            if (strncasecmp((const char *)at + i, writers[k].name, length) == 0)
                return writers[k].cell;
    }
    return MOTE_DCD_CELL_AUTO;
}

/* Sets *good to whether the next `bytes` bytes are followed by a record marker of value
 * `length`. */
static mote_lines_status look_behind(mote_trajectory *t, size_t bytes, uint64_t length,
                                     const unsigned char **at, bool *good)
{
    mote_lines_status status = mote_lines_peek(&t->lines, bytes + marker(t), at);
    *good = status == MOTE_LINES_LINE && length_at(t, *at + bytes) == length;
    return status;
}

static bool is_readable(mote_lines_status status)
{
    return status == MOTE_LINES_LINE || status == MOTE_LINES_END;
}

/* Skips the title, which usually consists of a line count and lines of 80 bytes. MDAnalysis before
 * 0.19 wrote three lines, but record markers for two. */
static bool take_title(mote_trajectory *t)
{
    const unsigned char *at;
    bool good;
    if (!mote_trajectory_bytes(t, marker(t), "the title", &at))
        return false;
    uint64_t length = length_at(t, at);
    if (length > MOST_TITLE)
        return mote_trajectory_fail(
            t, "the title is a record of %llu bytes, but at most %zu were expected",
            (unsigned long long)length, MOST_TITLE);
    size_t bytes = (size_t)length;
    mote_lines_status status = look_behind(t, bytes, length, &at, &good);
    if (!good && is_readable(status) && length >= 4 &&
        mote_lines_peek(&t->lines, 4, &at) == MOTE_LINES_LINE &&
        mote_word(at, t->dcd.big) < MOST_TITLE / TITLE) {
        size_t lines = 4 + TITLE * (size_t)mote_word(at, t->dcd.big);
        mote_lines_status other = look_behind(t, lines, length, &at, &good);
        if (good || !is_readable(other)) {
            bytes = lines;
            status = other;
        }
    }
    if (status != MOTE_LINES_LINE)
        return mote_trajectory_fail_bytes(t, status, "the title");
    if (!good)
        return mote_trajectory_fail(t,
                                    "the title, a record of %llu bytes, ends with another length "
                                    "than it begins",
                                    (unsigned long long)length);
    t->dcd.writer = find_writer(at, bytes);
    mote_lines_take(&t->lines, bytes + marker(t));
    return true;
}

static int by_number(const void *a, const void *b)
{
    uint32_t p = *(const uint32_t *)a, q = *(const uint32_t *)b;
    return (p > q) - (p < q);
}

/* Fails if the list of moving atoms has an atom twice: another atom would keep its first position.
 */
static bool check_free(mote_trajectory *t)
{
    size_t n = t->dcd.n_free, i = 1;
    uint32_t *sorted = malloc((n + 1) * sizeof(*sorted));
    if (!sorted)
        return mote_trajectory_fail(t, "out of memory for the list of %zu atoms that move", n);
    memcpy(sorted, t->dcd.free_atoms, n * sizeof(*sorted));
    qsort(sorted, n, sizeof(*sorted), by_number);
    while (i < n && sorted[i] != sorted[i - 1])
        i++;
    bool good =
        i >= n || mote_trajectory_fail(t, "atom %u is twice in the list of the %zu atoms that move",
                                       (unsigned)sorted[i] + 1, n);
    free(sorted);
    return good;
}

/* Reads the numbers of the atoms that move, from 1. */
static bool take_free(mote_trajectory *t)
{
    const unsigned char *at;
    mote_dcd *dcd = &t->dcd;
    size_t n = dcd->n_free;
    if (!take_record(t, 4 * n, "the atoms that move", &at))
        return false;
    dcd->free_atoms = malloc((n + 1) * sizeof(*dcd->free_atoms));
    if (!dcd->free_atoms)
        return mote_trajectory_fail(t, "out of memory for the list of %zu atoms that move", n);
    for (size_t i = 0; i < n; i++) {
        dcd->free_atoms[i] = mote_word(at + 4 * i, dcd->big) - 1;
        if (dcd->free_atoms[i] >= t->frame.n_atoms)
            return mote_trajectory_fail(t,
                                        "atom %d is in the list of the atoms that move, but the "
                                        "atoms are 1 to %zu",
                                        (int)(int32_t)mote_word(at + 4 * i, dcd->big),
                                        t->frame.n_atoms);
    }
    return check_free(t);
}

static bool take_file_head(mote_trajectory *t)
{
    const unsigned char *at;
    uint32_t n_fixed = 0;
    if (!take_head(t, &n_fixed) || !take_title(t) ||
        !take_record(t, 4, "the number of atoms", &at) ||
        !mote_trajectory_atoms(t, mote_word(at, t->dcd.big)))
        return false;
    if (n_fixed > t->frame.n_atoms)
        return mote_trajectory_fail(t, "%u of %zu atoms are said not to move", n_fixed,
                                    t->frame.n_atoms);
    t->dcd.n_free = t->frame.n_atoms - n_fixed;
    t->dcd.known = true;
    return !n_fixed || take_free(t);
}

static bool take_cell(mote_trajectory *t)
{
    const unsigned char *at;
    double number[6];
    if (!take_record(t, 48, "the cell", &at))
        return false;
    for (int k = 0; k < 6; k++)
        number[k] = mote_double(at + 8 * k, t->dcd.big);
    return mote_trajectory_cell(t, number);
}

/* Reads one coordinate of every atom, or of those that move. */
static bool take_coordinate(mote_trajectory *t, size_t k, size_t atoms)
{
    static const char *const names[] = {"x of all atoms", "y of all atoms", "z of all atoms"};
    const unsigned char *at;
    double scale = mote_trajectory_scale(t);
    const uint32_t *place = atoms < t->frame.n_atoms ? t->dcd.free_atoms : NULL;
    if (t->skip && (t->frames || !t->dcd.free_atoms))
        return pass_record(t, 4 * atoms, names[k]);
    if (!take_record(t, 4 * atoms, names[k], &at) || !mote_trajectory_reserve(t, t->frame.n_atoms))
        return false;
    for (size_t i = 0; i < atoms; i++)
        t->frame.positions[3 * (place ? place[i] : i) + k] =
            scale * (double)mote_float(at + 4 * i, t->dcd.big);
    return true;
}

bool mote_trajectory_dcd(mote_trajectory *t, bool *ended)
{
    t->unit = MOTE_TRAJECTORY_ANGSTROM;
    if (!t->dcd.known && !take_file_head(t))
        return false;
    if (t->frames == 0) {
        if (!mote_trajectory_ended(t, ended))
            return false;
        if (*ended)
            return mote_trajectory_fail(t, "the file holds no frames");
    }
    if (t->dcd.cell && !take_cell(t))
        return false;
    size_t atoms = t->frames ? t->dcd.n_free : t->frame.n_atoms;
    for (size_t k = 0; k < 3; k++)
        if (!take_coordinate(t, k, atoms))
            return false;
    mote_trajectory_time(t, (float)(t->dcd.first + (double)t->frames * t->dcd.step));
    t->frame.has_time = t->frame.has_time && t->dcd.step > 0.0;
    return !t->dcd.fourth || pass_record(t, 4 * atoms, "the fourth dimension");
}
