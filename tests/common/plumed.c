/* SPDX-License-Identifier: Apache-2.0 */
#include "common/plumed.h"
#include "common/json.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PATH 4096
#define LINE 1024

static double number(const mote_json *object, const char *key, double otherwise)
{
    return (double)mote_json_number(mote_json_member(object, key), otherwise);
}

/* Returns the contents of FOLDER/FILE, to be freed. */
static char *read_text(const char *folder, const char *file)
{
    char path[PATH], *text = NULL;
    snprintf(path, sizeof(path), "%s/%s", folder, file);
    FILE *in = fopen(path, "rb");
    if (!in)
        return NULL;
    fseek(in, 0, SEEK_END);
    long length = ftell(in);
    rewind(in);
    if (length >= 0)
        text = malloc((size_t)length + 1);
    if (text)
        text[fread(text, 1, (size_t)length, in)] = '\0';
    fclose(in);
    return text;
}

/* ---- the system ------------------------------------------------------------------------------ */

static bool read_group(mote_system *s, bool b, const mote_json *list)
{
    if (!list || list->kind != MOTE_JSON_ARRAY)
        return true;
    uint32_t *atoms = calloc(list->count + 1, sizeof(*atoms));
    size_t i = 0;
    if (!atoms)
        return false;
    for (const mote_json *at = list->first; at; at = at->next)
        atoms[i++] = (uint32_t)mote_json_number(at, 0.0L);
    bool good = (b && i == 0) || mote_system_group(s, b, atoms, i);
    free(atoms);
    return good;
}

static bool read_function(mote_switch *f, const mote_json *from)
{
    int kind = 0;
    while (mote_switch_kind_name((mote_switch_kind)kind) &&
           !mote_json_is(mote_json_member(from, "type"),
                         mote_switch_kind_name((mote_switch_kind)kind)))
        kind++;
    mote_switch_init(f);
    f->kind = (mote_switch_kind)kind;
    /* CUBIC ends at d_max, so the other numbers of its cases are not used. */
    f->r_0 = kind == MOTE_SWITCH_CUBIC ? 0.0 : number(from, "r0", 0.0);
    f->d_0 = number(from, "d0", 0.0);
    bool keywords = mote_json_is(mote_json_member(from, "via"), "keywords");
    f->d_max = number(from, "d_max", keywords ? 0.0 : INFINITY);
    const mote_json *stretch = mote_json_member(from, "stretch");
    f->no_stretch = stretch && stretch->kind == MOTE_JSON_FALSE;
    if (kind == MOTE_SWITCH_RATIONAL) {
        f->nn = (int32_t)number(from, "nn", 0.0);
        f->mm = (int32_t)number(from, "mm", 0.0);
    }
    f->a = number(from, "a", 0.0);
    f->b = number(from, "b", 0.0);
    f->beta = number(from, "beta", 0.0);
    f->lambda = number(from, "lambda", 0.0);
    f->ref = number(from, "ref", 0.0);
    return kind != MOTE_SWITCH_CUSTOM && mote_switch_kind_name((mote_switch_kind)kind);
}

static void read_modes(mote_system *s, const mote_json *from)
{
    const mote_json *mode = mote_json_member(from, "mode"), *pbc = mote_json_member(from, "pbc");
    s->mode = mote_json_is(mode, "self")  ? MOTE_COORDINATION_SELF
              : mote_json_is(mode, "two") ? MOTE_COORDINATION_TWO
                                          : MOTE_COORDINATION_PAIR;
    s->pbc = mote_json_is(pbc, "none")    ? MOTE_PBC_NONE
             : mote_json_is(pbc, "ortho") ? MOTE_PBC_ORTHORHOMBIC
                                          : MOTE_PBC_TRICLINIC;
}

/* Reads the numbers of a line, after a word if there is one; returns their number. */
static size_t read_numbers(const char *line, double *numbers, size_t most)
{
    size_t count = 0;
    char *end;
    for (; count < most; line = end, count++) {
        numbers[count] = strtod(line, &end);
        if (end == line)
            break;
    }
    return count;
}

static bool read_frame(FILE *in, mote_system *s, size_t frame)
{
    char line[LINE];
    double *x = s->positions + 3 * frame * s->n_atoms;
    if (!fgets(line, sizeof(line), in) || strtoul(line, NULL, 10) != s->n_atoms)
        return false;
    if (!fgets(line, sizeof(line), in))
        return false;
    if (read_numbers(line, s->box + 9 * frame, 9) != 9 && s->pbc != MOTE_PBC_NONE)
        return false;
    for (size_t i = 0; i < s->n_atoms; i++) {
        if (!fgets(line, sizeof(line), in))
            return false;
        const char *blank = strpbrk(line, " \t");
        if (!blank || read_numbers(blank, x + 3 * i, 3) != 3)
            return false;
    }
    return true;
}

static bool read_positions(mote_system *s, const char *folder, const mote_json *file)
{
    char path[PATH];
    if (!file || file->kind != MOTE_JSON_STRING)
        return false;
    snprintf(path, sizeof(path), "%s/%s", folder, file->text);
    FILE *in = fopen(path, "r");
    if (!in)
        return false;
    size_t frame = 0;
    while (frame < s->frames && read_frame(in, s, frame))
        frame++;
    fclose(in);
    return frame == s->frames;
}

static bool read_system(mote_system *s, const char *folder, const mote_json *from)
{
    size_t n_atoms = (size_t)number(from, "natoms", 0.0);
    size_t frames = (size_t)number(from, "nframes", 0.0);
    if (!mote_system_make(s, n_atoms, frames))
        return false;
    read_modes(s, from);
    return read_function(&s->function, mote_json_member(from, "switch")) &&
           read_group(s, false, mote_json_member(from, "group_a")) &&
           read_group(s, true, mote_json_member(from, "group_b")) &&
           read_positions(s, folder, mote_json_member(from, "coords"));
}

/* ---- the results ----------------------------------------------------------------------------- */

/* Lines of list index, atom, three numbers of PLUMED, three of long double. */
static bool read_derivatives(mote_plumed_frame *f, const char *folder, const mote_json *file,
                             size_t entries)
{
    f->derivatives = calloc(3 * entries + 1, sizeof(*f->derivatives));
    char *text = file && file->text ? read_text(folder, file->text) : NULL;
    char *line = text;
    size_t count = 0;
    while (f->derivatives && line && *line && count < entries) {
        char *next = strchr(line, '\n');
        if (next)
            *next = '\0';
        if (*line != '#') {
            char *at = line;
            for (int k = 0; k < 5; k++)
                strtold(at, &at);
            for (size_t k = 0; k < 3; k++)
                f->derivatives[3 * count + k] = strtold(at, &at);
            count++;
        }
        line = next ? next + 1 : NULL;
    }
    free(text);
    return f->derivatives && count == entries;
}

static bool read_result(mote_plumed_frame *f, const char *folder, const mote_json *from,
                        size_t entries)
{
    const mote_json *flags = mote_json_member(from, "flags");
    const mote_json *rows = mote_json_member(from, "virial_longdouble");
    for (const mote_json *flag = flags ? flags->first : NULL; flag; flag = flag->next) {
        f->value_ill_defined |= mote_json_is(flag, "value_ill_defined");
        f->derivatives_ill_defined |= mote_json_is(flag, "derivatives_ill_defined");
    }
    f->value = mote_json_number(mote_json_member(from, "coordination_longdouble"), NAN);
    for (size_t k = 0; k < 9; k++)
        f->virial[k] = mote_json_number(mote_json_at(mote_json_at(rows, k / 3), k % 3), NAN);
    f->derivative_scale = number(from, "deriv_scale", NAN);
    f->virial_scale = number(from, "virial_scale", NAN);
    return read_derivatives(f, folder, mote_json_member(from, "derivatives"), entries);
}

static bool read_results(mote_plumed_case *c, const char *folder, const mote_json *from)
{
    const mote_json *effective = mote_json_member(from, "switch_effective");
    const mote_json *frame = mote_json_at(mote_json_member(from, "frames"), 0);
    size_t entries = mote_system_entries(&c->system);
    c->d_max = number(effective, "d_max", INFINITY);
    c->stretch = number(effective, "stretch", NAN);
    c->shift = number(effective, "shift", NAN);
    c->frames = calloc(c->system.frames + 1, sizeof(*c->frames));
    for (size_t k = 0; k < c->system.frames; k++, frame = frame->next)
        if (!c->frames || !frame || !read_result(&c->frames[k], folder, frame, entries))
            return false;
    return true;
}

bool mote_plumed_read(mote_plumed_case *c, const char *folder, const char *name, char *message,
                      size_t size)
{
    char file[PATH];
    *c = (mote_plumed_case){0};
    snprintf(file, sizeof(file), "%s.json", name);
    char *text = read_text(folder, file);
    mote_json *json = text ? mote_json_read(text) : NULL;
    bool good = json && read_system(&c->system, folder, json) && read_results(c, folder, json);
    if (!good) {
        snprintf(message, size, "%s/%s: %s", folder, file,
                 !text   ? "cannot be read"
                 : !json ? "is not JSON"
                         : "something is missing in it or in its files");
        mote_plumed_free(c);
    }
    mote_json_free(json);
    free(text);
    return good;
}

void mote_plumed_free(mote_plumed_case *c)
{
    for (size_t k = 0; c->frames && k < c->system.frames; k++)
        free(c->frames[k].derivatives);
    free(c->frames);
    mote_system_free(&c->system);
    *c = (mote_plumed_case){0};
}
