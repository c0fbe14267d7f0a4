/* SPDX-License-Identifier: Apache-2.0 */
#include "tool/formats/trajectory/inner.h"

#include "tool/formats/trajectory/decimal.h"

#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_ATOMS ((size_t)1024)

void mote_trajectory_open(mote_trajectory *t, mote_trajectory_format format, const char *name,
                          mote_lines_source source, void *user)
{
    *t = (mote_trajectory){.format = format, .name = name};
    t->lines.source = source;
    t->lines.user = user;
}

void mote_trajectory_close(mote_trajectory *t)
{
    mote_lines_free(&t->lines);
    free(t->dcd.free_atoms);
    free(t->frame.positions);
    free(t->names);
    free(t->lammps.order);
    free(t->lammps.ids);
    free(t->lammps.spare);
    t->lammps = (mote_lammps){0};
    t->dcd = (mote_dcd){0};
    t->frame.positions = NULL;
    t->names = NULL;
    t->reserved = t->names_reserved = 0;
}

/* ---- messages -------------------------------------------------------------------------------- */

mote_shown mote_span_show(mote_span span)
{
    mote_shown shown;
    size_t n = 0;
    const char *p = span.begin;
    for (; p < span.end && n < 40; p++)
        shown.text[n++] = *p >= ' ' && *p <= '~' ? *p : '?';
    if (p < span.end)
        memcpy(shown.text + n - 3, "...", 3);
    shown.text[n] = '\0';
    return shown;
}

bool mote_trajectory_is_text(mote_trajectory_format format)
{
    return format != MOTE_TRAJECTORY_XTC && format != MOTE_TRAJECTORY_TRR &&
           format != MOTE_TRAJECTORY_DCD;
}

bool mote_trajectory_fail(mote_trajectory *t, const char *format, ...)
{
    int used =
        t->of_option ? snprintf(t->message, sizeof(t->message), "--box: ")
        : mote_trajectory_is_text(t->format)
            ? snprintf(t->message, sizeof(t->message), "%.480s:%zu: ", t->name, t->lines.number)
            : snprintf(t->message, sizeof(t->message), "%.480s: byte %zu: ", t->name, t->place);
    va_list values;
    va_start(values, format);
    vsnprintf(t->message + used, sizeof(t->message) - (size_t)used, format, values);
    va_end(values);
    if (t->lines.cut && !t->of_option)
        strncat(t->message, " (the file ends in this line)",
                sizeof(t->message) - strlen(t->message) - 1);
    return false;
}

bool mote_trajectory_fail_lines(mote_trajectory *t, mote_lines_status status, const char *what)
{
    char text[300];
    if (status == MOTE_LINES_END)
        return mote_trajectory_fail(t, "the file ends inside frame %zu; %s was expected", t->frames,
                                    what);
    mote_lines_fault(&t->lines, status, text, sizeof(text));
    if (status != MOTE_LINES_FAILED)
        return mote_trajectory_fail(t, "%s", text);
    snprintf(t->message, sizeof(t->message), "%.480s: cannot be read: %s", t->name, text);
    return false;
}

/* ---- lines and words ------------------------------------------------------------------------- */

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

bool mote_span_word(mote_span *line, mote_span *word)
{
    const char *p = line->begin;
    while (p < line->end && is_blank(*p))
        p++;
    word->begin = p;
    while (p < line->end && !is_blank(*p))
        p++;
    word->end = line->begin = p;
    return word->begin < word->end;
}

/* Reads a number in Fortran's notation, in which the exponent may begin with D. */
static bool is_fortran(mote_span span, double *value)
{
    char text[40] = ""; /* zero-terminated, because the parser looks at the byte after a number */
    size_t length = (size_t)(span.end - span.begin);
    if (length >= sizeof(text))
        return false;
    for (size_t i = 0; i < length; i++)
        text[i] = span.begin[i] == 'D' || span.begin[i] == 'd' ? 'e' : span.begin[i];
    return mote_decimal(text, text + length, value) == text + length;
}

bool mote_span_real(mote_span span, double *value)
{
    return mote_decimal(span.begin, span.end, value) == span.end || is_fortran(span, value);
}

bool mote_trajectory_line(mote_trajectory *t, const char *what, mote_span *line)
{
    mote_lines_status status = mote_lines_next(&t->lines, &line->begin, &line->end);
    return status == MOTE_LINES_LINE || mote_trajectory_fail_lines(t, status, what);
}

static bool is_blank_line(mote_span line)
{
    mote_span word;
    return !mote_span_word(&line, &word);
}

/* Skips the mark that some editors put before a text. */
static void skip_byte_order_mark(mote_span *line)
{
    if (line->end - line->begin >= 3 && memcmp(line->begin, "\xef\xbb\xbf", 3) == 0)
        line->begin += 3;
}

/* Finds the first line of a frame that is not blank; sets *ended if there is none. */
static bool find_first(mote_trajectory *t, mote_span *line, bool *ended)
{
    mote_lines_status status;
    t->blank = false;
    while ((status = mote_lines_next(&t->lines, &line->begin, &line->end)) == MOTE_LINES_LINE) {
        if (t->lines.number == 1)
            skip_byte_order_mark(line);
        if (t->lines.number == 1 && t->lines.cut && mote_lines_have_cr(line->begin, line->end)) {
            t->lines.cut = false; /* the sentence already contains this */
            return mote_trajectory_fail(t, MOTE_LINES_CR);
        }
        if (!is_blank_line(*line))
            return true;
        t->blank = true;
    }
    *ended = status == MOTE_LINES_END && t->frames > 0;
    if (status == MOTE_LINES_END && !*ended)
        return mote_trajectory_fail(t, "the file is empty; a frame was expected");
    return *ended || mote_trajectory_fail_lines(t, status, "");
}

/* Lists of atoms and outputs of each atom need one number for all frames, as in PLUMED's driver. */
bool mote_trajectory_atoms(mote_trajectory *t, uint64_t count)
{
    if (count > MOTE_TRAJECTORY_MOST_ATOMS)
        return mote_trajectory_fail(t, "%llu atoms; a frame has at most %u",
                                    (unsigned long long)count, MOTE_TRAJECTORY_MOST_ATOMS);
    if (t->frames && count != t->frame.n_atoms)
        return mote_trajectory_fail(t,
                                    "frame %zu has %zu atoms, but those before it have %zu; put "
                                    "frames of different numbers of atoms into different files",
                                    t->frames, (size_t)count, t->frame.n_atoms);
    t->frame.n_atoms = (size_t)count;
    return true;
}

bool mote_trajectory_count(mote_trajectory *t, mote_span line)
{
    mote_span word, more;
    uint64_t count = 0;
    if (!mote_span_word(&line, &word))
        return mote_trajectory_fail(t,
                                    "the line is blank; the number of atoms of frame %zu was "
                                    "expected",
                                    t->frames);
    const char *told = t->frames ? NULL : mote_trajectory_told((mote_span){word.begin, line.end});
    if (told)
        return mote_trajectory_fail(
            t, "this looks like a file that ends in %s: rename it, or say so by --format", told);
    bool alone = !mote_span_word(&line, &more);
    for (const char *p = word.begin; p < word.end; p++) {
        unsigned digit = (unsigned char)(*p - '0');
        if (digit > 9 || !alone)
            return mote_trajectory_fail(t, "'%s' is not the number of atoms of frame %zu",
                                        mote_span_show((mote_span){word.begin, line.end}).text,
                                        t->frames);
        count = count > MOTE_TRAJECTORY_MOST_ATOMS ? count : count * 10 + digit;
    }
    if (count > MOTE_TRAJECTORY_MOST_ATOMS)
        return mote_trajectory_fail(t, "%s atoms; a frame has at most %u",
                                    mote_span_show(word).text, MOTE_TRAJECTORY_MOST_ATOMS);
    return mote_trajectory_atoms(t, count);
}

bool mote_trajectory_reserve(mote_trajectory *t, size_t atoms)
{
    if (atoms <= t->reserved)
        return true;
    double *more = realloc(t->frame.positions, 3 * atoms * sizeof(double));
    if (!more)
        return mote_trajectory_fail(t, "out of memory: the positions of %zu atoms need %zu bytes",
                                    atoms, 3 * atoms * sizeof(double));
    t->frame.positions = more;
    t->reserved = atoms;
    return true;
}

bool mote_trajectory_room(mote_trajectory *t, size_t i, size_t most)
{
    if (i < t->reserved)
        return true;
    size_t atoms = t->reserved ? 2 * t->reserved : FIRST_ATOMS;
    return mote_trajectory_reserve(t, atoms < most ? atoms : most);
}

bool mote_trajectory_atom(mote_trajectory *t, size_t i, mote_span *line)
{
    mote_lines_status status = mote_lines_next(&t->lines, &line->begin, &line->end);
    if (status == MOTE_LINES_END)
        return mote_trajectory_fail(t, "the file ends inside frame %zu, after %zu of %zu atoms",
                                    t->frames, i, t->frame.n_atoms);
    if (status != MOTE_LINES_LINE)
        return mote_trajectory_fail_lines(t, status, "");
    return mote_trajectory_room(t, i, t->frame.n_atoms);
}

/* Memory grows together with that of the positions. */
bool mote_trajectory_name(mote_trajectory *t, size_t i, mote_span name)
{
    size_t length = (size_t)(name.end - name.begin);
    if (length >= MOTE_TRAJECTORY_NAME)
        return mote_trajectory_fail(
            t, "frame %zu, atom %zu: the name '%s' has more than %d characters", t->frames, i + 1,
            mote_span_show(name).text, MOTE_TRAJECTORY_NAME - 1);
    if (i >= t->names_reserved) {
        mote_trajectory_name_text *more = realloc(t->names, t->reserved * sizeof(*more));
        if (!more)
            return mote_trajectory_fail(t, "out of memory for the names of %zu atoms",
                                        t->frame.n_atoms);
        t->names = more;
        t->names_reserved = t->reserved;
    }
    memset(t->names[i], 0, sizeof(t->names[i]));
    memcpy(t->names[i], name.begin, length);
    return true;
}

bool mote_trajectory_coordinate(mote_trajectory *t, size_t i, int k, mote_span span)
{
    double *x = &t->frame.positions[3 * i + (size_t)k];
    if (mote_span_real(span, x) && isfinite(*x))
        return true;
    const char *what = !mote_span_real(span, x) ? "not a number"
                       : isnan(*x)              ? "not a number, but must be finite"
                                                : "infinite, but must be finite";
    return mote_trajectory_fail(t, "frame %zu, atom %zu: %c is '%s', %s", t->frames, i + 1,
                                "xyz"[k], mote_span_show(span).text, what);
}

/* ---- frames ---------------------------------------------------------------------------------- */

void mote_trajectory_forget(mote_trajectory *t)
{
    mote_trajectory_frame *frame = &t->frame;
    frame->pbc = MOTE_PBC_NONE;
    frame->periodic = t->rules.periodic ? t->rules.periodic : MOTE_TRAJECTORY_ALL;
    frame->has_time = false;
    memset(frame->box, 0, sizeof(frame->box));
}

static bool read_text(mote_trajectory *t, bool *ended)
{
    mote_span first;
    if (!find_first(t, &first, ended))
        return false;
    if (*ended) /* the last frame does not change */
        return true;
    const mote_trajectory_frame last = t->frame;
    mote_trajectory_forget(t);
    switch (t->format) {
    case MOTE_TRAJECTORY_GRO:
        return mote_trajectory_gro(t, first);
    case MOTE_TRAJECTORY_PDB:
        if (!mote_trajectory_pdb(t, first, ended))
            return false;
        t->frame = *ended ? last : t->frame;
        return true;
    case MOTE_TRAJECTORY_LAMMPS:
        return mote_trajectory_lammps(t, first);
    default:
        return mote_trajectory_xyz(t, first);
    }
}

static bool read_binary(mote_trajectory *t, bool *ended)
{
    if (!mote_trajectory_ended(t, ended))
        return false;
    if (*ended && !t->frames)
        return mote_trajectory_fail(t, "the file is empty; a frame was expected");
    if (*ended)
        return true;
    mote_trajectory_forget(t);
    bool good = t->format == MOTE_TRAJECTORY_XTC   ? mote_trajectory_xtc(t, ended)
                : t->format == MOTE_TRAJECTORY_TRR ? mote_trajectory_trr(t, ended)
                                                   : mote_trajectory_dcd(t, ended);
    return good && (*ended || t->skip || mote_trajectory_finite(t));
}

mote_trajectory_status mote_trajectory_next(mote_trajectory *t)
{
    bool ended = false;
    if (t->bad)
        return MOTE_TRAJECTORY_BAD;
    if (t->format == MOTE_TRAJECTORY_ANY)
        mote_trajectory_look(t);
    bool good = mote_trajectory_is_text(t->format) ? read_text(t, &ended) : read_binary(t, &ended);
    if (good && ended)
        return MOTE_TRAJECTORY_END;
    good = good && (t->skip || mote_trajectory_settle(t));
    t->frames += good;
    t->bad = !good;
    return good ? MOTE_TRAJECTORY_FRAME : MOTE_TRAJECTORY_BAD;
}
