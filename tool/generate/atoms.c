/* SPDX-License-Identifier: Apache-2.0 */
/* mote generate atoms: frames of the benchmark system, written as they are drawn. */
#include "kinds.h"

#include "../io/out.h"
#include "../io/text.h"
#include "../progress.h"

#include <string.h>

#include "testkit/cases/coordination/liquid.h"

/* Five digits hold atom numbers in GRO files; readers count the lines. */
#define GRO_NUMBERS 100000u

static void write_head(out_file *out, int format, const mote_liquid *liquid, uint64_t atoms,
                       uint64_t frame)
{
    double side = liquid->side;
    if (format == GENERATE_GRO)
        out_print(out, "atoms like those of water, t= %llu.0\n%llu\n", (unsigned long long)frame,
                  (unsigned long long)atoms);
    else if (format == GENERATE_XYZ)
        out_print(out, "%llu\n%.17g %.17g %.17g\n", (unsigned long long)atoms, side, side, side);
    else
        out_print(out,
                  "%llu\nLattice=\"%.17g 0 0 0 %.17g 0 0 0 %.17g\" "
                  "Properties=species:S:1:pos:R:3 pbc=\"T T T\"\n",
                  (unsigned long long)atoms, side, side, side);
}

static void write_atom(out_file *out, int format, uint64_t atom, const double *x)
{
    unsigned number = (unsigned)((atom + 1) % GRO_NUMBERS);
    if (format == GENERATE_GRO)
        out_print(out, "%5uSOL     OW%5u%17.12f%17.12f%17.12f\n", number, number, x[0], x[1], x[2]);
    if (format == GENERATE_GRO)
        return;
    char *at = out_room(out, 4 * TEXT_ROOM);
    *at++ = 'O';
    for (int k = 0; k < 3; k++) {
        *at++ = ' ';
        at = text_exact(at, x[k]);
    }
    *at++ = '\n';
    out_used(out, at);
}

static void write_frames(out_file *out, const generate_options *options, int format)
{
    uint64_t seed = options->has_seed ? options->seed : options->atoms;
    mote_liquid liquid = mote_liquid_begin((size_t)options->atoms, seed);
    for (uint64_t f = 0; f < options->frames && !out_is_closed(out); f++) {
        write_head(out, format, &liquid, options->atoms, f);
        for (uint64_t i = 0; i < options->atoms && !out_is_closed(out); i++) {
            double x[3];
            for (int k = 0; k < 3; k++)
                x[k] = mote_liquid_next(&liquid);
            write_atom(out, format, i, x);
        }
        if (format == GENERATE_GRO)
            out_print(out, "%17.12f%17.12f%17.12f\n", liquid.side, liquid.side, liquid.side);
        progress_show((double)(f + 1) / (double)options->frames, f + 1);
    }
}

/* Determines the format for a name; a name with another format than --format is an error. */
static int choose_format(const generate_options *options, int *format)
{
    const char *path = options->common.output;
    bool stream = !path || strncmp(path, "/dev/", 5) == 0;
    bool gro = !stream && tool_ends_with(path, ".gro");
    bool xyz = !stream && (tool_ends_with(path, ".xyz") || tool_ends_with(path, ".extxyz"));
    *format = options->has_format                          ? options->format
              : gro                                        ? GENERATE_GRO
              : !stream && tool_ends_with(path, ".extxyz") ? GENERATE_EXTXYZ
                                                           : GENERATE_XYZ;
    if (!stream && !gro && !xyz)
        return tool_fail(TOOL_USAGE, "-o %s: the name must end in .xyz, .extxyz or .gro", path);
    if (!stream && gro != (*format == GENERATE_GRO))
        return tool_fail(TOOL_USAGE, "-o %s: the name and --format say different formats", path);
    return TOOL_GO_ON;
}

int generate_atoms(const generate_options *options)
{
    int format = GENERATE_XYZ;
    out_file *out;
    double start = tool_seconds();
    int code = choose_format(options, &format);
    if (code == TOOL_GO_ON)
        code = out_open(options->common.output, &out);
    if (code != TOOL_DONE)
        return code;
    progress_start("frame", !options->common.quiet);
    write_frames(out, options, format);
    progress_end();
    code = out_finish(&out, 1);
    tool_timing timing = {.write_s = tool_seconds() - start};
    if (code == TOOL_DONE && !out_reader_left()) {
        tool_summary(&options->common, "%llu frame%s of %llu atom%s",
                     (unsigned long long)options->frames, tool_plural(options->frames),
                     (unsigned long long)options->atoms, tool_plural(options->atoms));
        tool_timing_print(&options->common, "generate", "", &timing);
    }
    return code;
}
