/* SPDX-License-Identifier: Apache-2.0 */
/* The command line of mote coordination while it is read. */
#ifndef MOTE_TOOL_COORDINATION_OPTIONS_H
#define MOTE_TOOL_COORDINATION_OPTIONS_H

#include "../option.h"
#include "job.h"

/* The commands' options. */
enum {
    ID_R0 = 300,
    ID_NN,
    ID_MM,
    ID_D0,
    ID_DMAX,
    ID_SWITCH,
    ID_GROUP_A,
    ID_GROUP_B,
    ID_PAIR,
    ID_MEAN,
    ID_MOMENTS,
    ID_LESS_THAN,
    ID_MORE_THAN,
    ID_NOPBC,
    ID_PRECISION,
    ID_METHOD,
    ID_VIRIAL,
    ID_DERIVATIVES,
    ID_PER_ATOM,
    ID_FORMAT,
    ID_BEGIN,
    ID_END,
    ID_STRIDE,
    ID_PART,
    ID_BOX,
    ID_PERIODIC,
    ID_UNIT,
    ID_DCD_CELL,
    ID_NAMES,
    ID_CV,
    ID_PLUMED,
    ID_DIGITS,
    ID_SVG,
    ID_OTHERS /* the options of other commands begin here */
};

/* Rows of the tables of options of several commands. */
#define OPTION_GROUP_A                                                                             \
    {                                                                                              \
        ID_GROUP_A, "group-a", "LIST",                                                             \
            "atoms of group A, counted from 1: 1-108 or 1,5,9-20:2, name:OW\n"                     \
            "or name:C*, element:O, @FILE with such items, or\n"                                   \
            "@FILE.ndx:GROUP of a GROMACS index file (default: all)"                               \
    }
#define OPTION_NAMES                                                                               \
    {                                                                                              \
        ID_NAMES, "names", "FILE", "a GRO, PDB or XYZ file with the names of the atoms"            \
    }
#define OPTIONS_OF_SPACE                                                                           \
    {ID_NOPBC, "nopbc", NULL, "ignore the boxes"},                                                 \
        {ID_BOX, "box", "NUMBERS",                                                                 \
         "box of all frames, instead of the boxes of the files: 3\n"                               \
         "lengths or 9 numbers, vector by vector, such as \"3 3 4.5\""},                           \
        {ID_PERIODIC, "periodic", "AXES",                                                          \
         "vectors of the box along which frames repeat: xyz, xy (a\n"                              \
         "slab), x, ... (default: all, or pbc= of extended XYZ)"},                                 \
        {ID_UNIT, "length-unit", "nm|A",                                                           \
         "unit of all lengths that are given and printed, to which files\n"                        \
         "are converted (default: the unit of the file; lengths of plain\n"                        \
         "XYZ, which states no unit, are assumed to be in this unit)"},                            \
    {                                                                                              \
        ID_DCD_CELL, "dcd-cell", "auto|shape|cosines|degrees",                                     \
            "meaning of the cell in DCD: shape (the symmetric matrix of\n"                         \
            "CHARMM), cosines or degrees (lengths, and angles in this\n"                           \
            "form), or auto (default: the meaning that gives a valid cell\n"                       \
            "and suits the header of the file)"                                                    \
    }
#define OPTION_FORMAT                                                                              \
    {                                                                                              \
        ID_FORMAT, "format", "xyz|gro|pdb|xtc|trr|dcd|lammpstrj",                                  \
            "format of the trajectories (default: by the ending of each\n"                         \
            "name, or else by the first bytes)"                                                    \
    }
#define OPTIONS_OF_FRAMES                                                                          \
    OPTION_FORMAT, {ID_BEGIN, "begin", "N", "first frame, counted from 0 (default: 0)"},           \
        {ID_END, "end", "N", "frame after the last one (default: none)"},                          \
    {                                                                                              \
        ID_STRIDE, "stride", "N", "use every N-th frame (default: 1)"                              \
    }

typedef struct coordination_state {
    coordination_options options;
    coordination_cv cv; /* of the options for one number */
    bool keywords;      /* one of --r0 --nn --mm --d0 --dmax */
    bool has_r0;
    const char *text;   /* of --switch */
    const char *plumed; /* an input of PLUMED */
    const char *digits; /* of --fmt */
    int n_stdin;
} coordination_state;

extern const tool_option coordination_list[];

/* Fills in the help of --switch: names the kinds of the library's table, three a line. */
void coordination_describe(void);

/* Reads one option; a tool_option_fn. */
int coordination_option(void *state, int id, const char *value);

/* --box, --periodic and --length-unit: space.c. */
int coordination_box(coordination_options *options, const char *value);
int coordination_periodic(coordination_options *options, const char *value);
int coordination_unit(coordination_options *options, const char *value);

/* Adds a coordination number, or those that it stands for, and takes ownership of the memory of
 * `cv`. Returns TOOL_GO_ON, or prints a message and returns an exit code. Makes labels unique. */
int coordination_add(coordination_options *options, coordination_cv *cv, const char *where,
                     int code);

/* --cv TEXT. */
int coordination_take_cv(coordination_options *options, const char *text);

/* Adds a table of all numbers, or of those that its caller fills in; NULL if memory ran out. */
coordination_print *coordination_add_print(coordination_options *options);

/* Checks the format of a number, such as "%8.3f"; false if it is invalid. */
bool coordination_digits(const char *text, char format[24]);

/* --plumed FILE: plumed.c. */
int coordination_plumed(coordination_options *options, const char *path);

void coordination_options_free(coordination_state *state);

/* Checks of the choice of frames, and that no output is an input: parts of coordination_check() for
 * other commands. Returns TOOL_GO_ON, or prints a message and returns an exit code. */
int coordination_check_frames(coordination_state *state, const char *command, int argc, char **argv,
                              int first);
int coordination_check_names(const coordination_state *state);

/* Checks that need all options. Returns TOOL_GO_ON, or prints a message and returns an exit code.
 */
int coordination_check(coordination_state *state, int argc, char **argv, int first);

#endif
