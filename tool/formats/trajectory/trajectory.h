/* SPDX-License-Identifier: Apache-2.0 */
/* Reads trajectories of atoms frame by frame: XYZ (with boxes as PLUMED writes them, and extended
 * XYZ), GRO, PDB, dumps of LAMMPS, and the binary formats XTC, TRR and DCD. A callback supplies the
 * bytes, so that files, pipes and memory are read by the same code. */
#ifndef MOTE_TOOL_FORMATS_TRAJECTORY_TRAJECTORY_H
#define MOTE_TOOL_FORMATS_TRAJECTORY_TRAJECTORY_H

#include "tool/formats/trajectory/lines.h"
#include "mote/coordination.h"

#include <stdint.h>

/* The largest number of atoms of a frame. */
#define MOTE_TRAJECTORY_MOST_ATOMS 2147483647u

typedef enum mote_trajectory_format {
    MOTE_TRAJECTORY_XYZ,
    MOTE_TRAJECTORY_GRO,
    MOTE_TRAJECTORY_XTC,
    MOTE_TRAJECTORY_TRR,
    MOTE_TRAJECTORY_DCD,
    MOTE_TRAJECTORY_PDB,
    MOTE_TRAJECTORY_LAMMPS,
    MOTE_TRAJECTORY_FORMATS,
    MOTE_TRAJECTORY_ANY = MOTE_TRAJECTORY_FORMATS /* recognised from the first bytes of the file */
} mote_trajectory_format;

/* Returns the extension of such files, as "xtc"; NULL for an unknown number. */
const char *mote_trajectory_format_name(mote_trajectory_format format);

/* True for formats whose messages count lines, not bytes. */
bool mote_trajectory_is_text(mote_trajectory_format format);

/* One frame; the reader owns the memory and overwrites it with each frame. */
typedef struct mote_trajectory_frame {
    size_t n_atoms;
    double *positions; /* x, y, z of each atom */
    mote_pbc pbc;
    double box[9];     /* rows are lattice vectors */
    unsigned periodic; /* bits of the lattice vectors along which the frame repeats; along the
                          others the box is longer than the frame */
    bool has_time;
    double time;
} mote_trajectory_frame;

typedef enum mote_trajectory_status {
    MOTE_TRAJECTORY_FRAME,
    MOTE_TRAJECTORY_END,
    MOTE_TRAJECTORY_BAD /* message has the position and the reason; all later calls return this
                           status */
} mote_trajectory_status;

/* The conventions for the cell of a DCD frame: dcd_cell.c. */
typedef enum mote_dcd_cell {
    MOTE_DCD_CELL_AUTO, /* chosen from the head of the file and the cells */
    MOTE_DCD_CELL_SHAPE,
    MOTE_DCD_CELL_COSINES,
    MOTE_DCD_CELL_DEGREES,
    MOTE_DCD_CELLS
} mote_dcd_cell;

/* "auto", "shape", "cosines" or "degrees"; NULL for other numbers. */
const char *mote_dcd_cell_name(mote_dcd_cell cell);

/* Properties of all frames from the head of a DCD file. */
typedef struct mote_dcd {
    bool known;           /* the head has been read */
    bool big;             /* big endian */
    bool wide;            /* lengths of records have 8 bytes */
    uint32_t version;     /* version of CHARMM; 24 for other programs, 0 for X-PLOR */
    mote_dcd_cell writer; /* convention of the program named in the title; AUTO if none is named */
    mote_dcd_cell kind;   /* convention in use; AUTO until it is chosen */
    bool cell, fourth;    /* each frame has a record of this kind */
    size_t n_free;        /* atoms stored in frames after the first; the other atoms are fixed */
    uint32_t *free_atoms;
    double first, step; /* of the time */
} mote_dcd;

/* Data for sorting the atoms of a LAMMPS dump by their ids. */
typedef struct mote_lammps_atom {
    uint64_t id;
    size_t at; /* index among the lines of its frame */
} mote_lammps_atom;
typedef struct mote_lammps {
    size_t reserved; /* room for atoms below */
    mote_lammps_atom *order;
    uint64_t *ids; /* ids of the first frame, ascending */
    double *spare; /* positions */
} mote_lammps;

#define MOTE_TRAJECTORY_ALL 7u /* the bits of three lattice vectors: 1, 2 and 4 */

/* The longest name of an atom, including a zero. */
#define MOTE_TRAJECTORY_NAME 16
typedef char mote_trajectory_name_text[MOTE_TRAJECTORY_NAME];

/* Rules for frames, to be set before the first one is read. */
typedef struct mote_trajectory_rules {
    bool ignore_boxes; /* ignore the boxes of the file */
    const double *box; /* instead of the file's box, in the requested unit */
    int box_numbers;   /* 3 lengths or 9 numbers by rows */
    unsigned periodic; /* bit k: lattice vector k is periodic; 0 = as in the file, or all */
    double unit; /* unit of lengths, in nm: 1, or 0.1 for Angstrom; 0 = the unit of the file. XYZ
                    without the keys of extended XYZ has no unit, and is assumed to have this one */
    bool names;  /* the names of the first frame's atoms are needed */
    mote_dcd_cell dcd_cell; /* cell convention of DCD files */
} mote_trajectory_rules;

typedef struct mote_trajectory {
    mote_trajectory_format format;
    const char *name; /* for messages */
    mote_trajectory_rules rules;
    bool skip; /* the next frame's positions are not needed */
    mote_dcd dcd;
    mote_lammps lammps;
    double cell[9]; /* PDB: lattice vectors that are valid until the next ones; 0 = none */
    size_t place;   /* position of the bytes read last */
    double unit; /* unit of the file's lengths in nm, from its format; 0 = XYZ or a dump of LAMMPS,
                    which have no unit. Extended XYZ is in Angstrom. Known when a frame has been
                    read */
    mote_lines lines;
    mote_trajectory_frame frame;
    size_t reserved;                  /* capacity of frame.positions in atoms */
    mote_trajectory_name_text *names; /* NULL: not needed, or the format has none */
    size_t names_reserved;
    size_t frames; /* complete frames so far; all have as many atoms as the first */
    bool blank;    /* blank lines preceded the frame's first line */
    bool bad;
    bool of_option;     /* the box of the rules is invalid: the message begins with --box */
    char message[1024]; /* NAME:LINE: sentence; of binary files NAME: byte PLACE: sentence */
    char note[400];     /* a note for the user about the frames read so far, or "" */
} mote_trajectory;

/* Prepares for reading; nothing is read yet. With MOTE_TRAJECTORY_ANY t->format is known once
 * mote_trajectory_next() has returned. `name` must live as long as the trajectory. */
void mote_trajectory_open(mote_trajectory *t, mote_trajectory_format format, const char *name,
                          mote_lines_source source, void *user);

/* Recognises the format of a file by its first bytes: XTC, TRR or DCD by their magic numbers, PDB
 * and dumps of LAMMPS by the first word of the text, XYZ or GRO by the second line. */
mote_trajectory_format mote_trajectory_recognise(const unsigned char *bytes, size_t count);

/* Returns the smallest distance of two opposite faces of the box, among the directions along which
 * the frame repeats; INFINITY for none. */
double mote_trajectory_height(const mote_trajectory_frame *frame);

/* Reads the next frame into t->frame. Frames before a bad one are good. Memory grows with the bytes
 * that were read, not with numbers in the text. */
mote_trajectory_status mote_trajectory_next(mote_trajectory *t);

void mote_trajectory_close(mote_trajectory *t);

#endif
