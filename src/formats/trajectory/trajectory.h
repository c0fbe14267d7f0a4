/* SPDX-License-Identifier: Apache-2.0 */
/* Trajectories of atoms, frame by frame: XYZ (boxes as PLUMED writes them, and extended XYZ) and
 * GRO. Text comes from a function, so that files, pipes and memory are read alike. */
#ifndef MOTE_FORMATS_TRAJECTORY_TRAJECTORY_H
#define MOTE_FORMATS_TRAJECTORY_TRAJECTORY_H

#include "formats/trajectory/lines.h"
#include "mote/coordination.h"

/* The most atoms of a frame. */
#define MOTE_TRAJECTORY_MOST_ATOMS 2147483647u

typedef enum mote_trajectory_format {
    MOTE_TRAJECTORY_XYZ,
    MOTE_TRAJECTORY_GRO
} mote_trajectory_format;

/* One frame; the reader owns the memory and fills it again with each frame. */
typedef struct mote_trajectory_frame {
    size_t n_atoms;
    double *positions; /* x, y, z of each atom */
    mote_pbc pbc;
    double box[9]; /* rows are lattice vectors */
    bool has_time;
    double time;
} mote_trajectory_frame;

typedef enum mote_trajectory_status {
    MOTE_TRAJECTORY_FRAME,
    MOTE_TRAJECTORY_END,
    MOTE_TRAJECTORY_BAD /* message says where and why; so do all calls from then on */
} mote_trajectory_status;

typedef struct mote_trajectory {
    mote_trajectory_format format;
    const char *name; /* for messages */
    bool ignore_boxes;
    mote_lines lines;
    mote_trajectory_frame frame;
    size_t reserved; /* atoms that frame.positions has room for */
    size_t frames;   /* complete ones; all have as many atoms as the first */
    bool blank;      /* blank lines preceded the frame's first line */
    bool bad;
    char message[1024]; /* NAME:LINE: sentence */
} mote_trajectory;

/* Prepares for reading; nothing is read yet. `name` must live as long as the trajectory. */
void mote_trajectory_open(mote_trajectory *t, mote_trajectory_format format, const char *name,
                          mote_lines_source source, void *user);

/* Reads the next frame into t->frame. Frames before a bad one are good. Memory grows with what was
 * read, not with what the text promises. */
mote_trajectory_status mote_trajectory_next(mote_trajectory *t);

void mote_trajectory_close(mote_trajectory *t);

#endif
