/* SPDX-License-Identifier: Apache-2.0 */
/* Trajectories (XYZ, GRO, XTC, TRR, DCD), the numbers in them, and lists of atoms. */
#include "fuzz.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tool/formats/trajectory/decimal.h"
#include "tool/formats/trajectory/trajectory.h"
#include "tool/coordination/cv.h"

fuzz_target fuzz_xyz, fuzz_gro, fuzz_xtc, fuzz_trr, fuzz_dcd, fuzz_decimal, fuzz_atoms, fuzz_words;

/* How a reading ended. */
typedef struct outcome {
    size_t frames, atoms;
    double sum; /* sum of all positions and box entries, with signs that depend on their order */
    char message[1024];
} outcome;

static void add_frame(outcome *o, const mote_trajectory_frame *frame)
{
    for (size_t i = 0; i < 3 * frame->n_atoms; i++) {
        FUZZ_CHECK(isfinite(frame->positions[i]), "coordinate %zu is not finite", i);
        o->sum = fmod(0.5 * o->sum + frame->positions[i], 1e6);
    }
    for (int i = 0; i < 9; i++) {
        FUZZ_CHECK(isfinite(frame->box[i]), "entry %d of the box is not finite", i);
        o->sum = fmod(0.5 * o->sum + frame->box[i], 1e6);
    }
    o->atoms += frame->n_atoms;
}

static size_t count_lines(const char *text, size_t size)
{
    size_t lines = 2;
    for (size_t i = 0; i < size; i++)
        lines += text[i] == '\n';
    return lines;
}

static outcome read_all(mote_trajectory_format format, const char *text, size_t size, size_t piece)
{
    outcome o = {0};
    mote_lines_text source = {text, size, piece};
    mote_trajectory t;
    mote_trajectory_status status;
    mote_trajectory_open(&t, format, "t", mote_lines_from_text, &source);
    while ((status = mote_trajectory_next(&t)) == MOTE_TRAJECTORY_FRAME)
        add_frame(&o, &t.frame);
    o.frames = t.frames;
    if (status == MOTE_TRAJECTORY_BAD) {
        unsigned long long place = 0;
        bool is_text = mote_trajectory_is_text(format);
        FUZZ_CHECK(sscanf(t.message, is_text ? "t:%llu: " : "t: byte %llu: ", &place) == 1,
                   "no place: %s", t.message);
        FUZZ_CHECK(is_text ? place >= 1 && place <= count_lines(text, size) : place <= size,
                   "no such place: %s", t.message);
        memcpy(o.message, t.message, sizeof(o.message));
    }
    FUZZ_CHECK(mote_trajectory_next(&t) == status, "it ends, and ends otherwise");
    mote_trajectory_close(&t);
    return o;
}

/* Reads the same bytes in pieces of any size. */
static void read_twice(mote_trajectory_format format, const uint8_t *data, size_t size)
{
    char *text = fuzz_text(data, size);
    outcome whole = read_all(format, text, size, 0), pieces = read_all(format, text, size, 61);
    FUZZ_CHECK(whole.frames == pieces.frames && whole.atoms == pieces.atoms &&
                   whole.sum == pieces.sum,
               "%zu frames, in pieces %zu", whole.frames, pieces.frames);
    FUZZ_CHECK(strcmp(whole.message, pieces.message) == 0, "\"%s\", in pieces \"%s\"",
               whole.message, pieces.message);
    /* Packed positions need two bits each, and fixed atoms of DCD need none after the first
     * frame. */
    FUZZ_CHECK(format == MOTE_TRAJECTORY_DCD || whole.atoms <= 4 * size, "%zu atoms of %zu bytes",
               whole.atoms, size);
    free(text);
}

void fuzz_xyz(const uint8_t *data, size_t size)
{
    read_twice(MOTE_TRAJECTORY_XYZ, data, size);
}

void fuzz_gro(const uint8_t *data, size_t size)
{
    read_twice(MOTE_TRAJECTORY_GRO, data, size);
}

void fuzz_pdb(const uint8_t *data, size_t size)
{
    read_twice(MOTE_TRAJECTORY_PDB, data, size);
}

void fuzz_lammps(const uint8_t *data, size_t size)
{
    read_twice(MOTE_TRAJECTORY_LAMMPS, data, size);
}

void fuzz_xtc(const uint8_t *data, size_t size)
{
    read_twice(MOTE_TRAJECTORY_XTC, data, size);
}

void fuzz_trr(const uint8_t *data, size_t size)
{
    read_twice(MOTE_TRAJECTORY_TRR, data, size);
}

void fuzz_dcd(const uint8_t *data, size_t size)
{
    read_twice(MOTE_TRAJECTORY_DCD, data, size);
}

/* Numbers must equal those of the C library, to the last bit. */
void fuzz_decimal(const uint8_t *data, size_t size)
{
    char *text = fuzz_text(data, size), *end = NULL;
    double value = NAN;
    const char *stop = mote_decimal(text, text + size, &value);
    if (stop) {
        FUZZ_CHECK(stop > text && stop <= text + size, "a number that ends elsewhere");
        text[stop - text] = '\0';
        double expected = strtod(text, &end);
        FUZZ_CHECK(end == stop, "'%s' is a number up to another place", text);
        FUZZ_CHECK(memcmp(&value, &expected, sizeof(value)) == 0 || isnan(expected),
                   "'%s' is %.17g, not %.17g", text, expected, value);
        FUZZ_CHECK(isnan(value) == isnan(expected), "'%s' is %g", text, value);
    }
    free(text);
}

/* Words of PLUMED's syntax: an accepted text has a valid function, a rejected one has a
 * sentence. */
void fuzz_words(const uint8_t *data, size_t size)
{
    coordination_words words;
    coordination_cv cv = {0};
    bool taken = false;
    char *label = NULL, *text = fuzz_text(data, size);
    if (strchr(text, '@')) /* no other files are read */
        *strchr(text, '@') = '\0';
    int code = words_split(&words, "--cv", TOOL_USAGE, text);
    if (code == TOOL_GO_ON)
        code = words_label(&words, &label);
    if (code == TOOL_GO_ON)
        code = cv_take(&cv, &words, NULL, &taken);
    FUZZ_CHECK(code == TOOL_GO_ON || *fuzz_message(), "a failure without a sentence");
    if (code == TOOL_GO_ON && taken) {
        double value = mote_switch_value(&cv.function, 0.5, NULL);
        FUZZ_CHECK(!isnan(value), "'%s' gives no number", text);
    }
    free(label);
    cv_free(&cv);
    words_free(&words);
    free(text);
}

/* The input is a word of the command line or, after an @, the text of a file; after @@ that of an
 * index file. */
void fuzz_atoms(const uint8_t *data, size_t size)
{
    enum { ATOMS = 500 };
    static mote_trajectory_name_text names[ATOMS] = {"O", "H1", "H2", "CA"};
    mote_trajectory t = {.name = "t", .names = names, .frame.n_atoms = ATOMS};
    coordination_group group = {0};
    char message[600] = "", name[64], *text = fuzz_text(data, size);
    size_t begin = *text == '@' && text[1] == '@' ? 2 : 1;
    FILE *file = *text == '@' ? fuzz_file(data + begin, size - begin) : NULL;
    if (file)
        snprintf(name, sizeof(name), "@/proc/self/fd/%d", fileno(file));
    bool index = file && size > 1 && data[1] == '@';
    int code = index ? group_take_index(&group, "--group-a", TOOL_USAGE, name + 1, "Water")
                     : group_take(&group, "--group-a", TOOL_USAGE, file ? name : text, NULL);
    FUZZ_CHECK(code == TOOL_GO_ON || code == (file ? TOOL_INPUT : TOOL_USAGE), "code %d", code);
    if (code == TOOL_GO_ON && group_expand(&group, &t, message, sizeof(message)) == TOOL_GO_ON)
        for (size_t i = 0; i < group.count; i++)
            FUZZ_CHECK(group.atoms[i] < ATOMS, "atom %u", (unsigned)group.atoms[i]);
    else
        FUZZ_CHECK(*message || *fuzz_message(), "a failure without a sentence");
    group_free(&group);
    if (file)
        fclose(file);
    free(text);
}
