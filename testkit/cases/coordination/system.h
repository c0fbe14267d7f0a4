/* SPDX-License-Identifier: Apache-2.0 */
/* Atoms in boxes, the lists of atoms, and a switching function. */
#ifndef MOTE_TESTKIT_CASES_COORDINATION_SYSTEM_H
#define MOTE_TESTKIT_CASES_COORDINATION_SYSTEM_H

#include <stdbool.h>

#include "mote/coordination.h"

typedef struct mote_system {
    size_t n_atoms, frames;
    double *positions; /* frames x n_atoms x 3 */
    double *box;       /* frames x 9, rows are lattice vectors */
    mote_pbc pbc;
    mote_coordination_mode mode;
    uint32_t *group_a; /* NULL with n_a 0: all atoms */
    uint32_t *group_b;
    size_t n_a, n_b;
    mote_switch function;
    bool weighted; /* weights of mote_system_weight() */
} mote_system;

/* Makes atoms at the origin of unit boxes, all in one group; false if memory runs out. */
bool mote_system_make(mote_system *s, size_t n_atoms, size_t frames);
void mote_system_free(mote_system *s);

/* Makes a deep copy; false if memory runs out. */
bool mote_system_copy(mote_system *copy, const mote_system *s);

/* Copies a list to group A or B (`b`); false if memory runs out. */
bool mote_system_group(mote_system *s, bool b, const uint32_t *atoms, size_t count);

/* The number of entries of the lists, and the atom of an entry: A, then B. */
size_t mote_system_entries(const mote_system *s);
uint32_t mote_system_atom(const mote_system *s, size_t entry);

/* Returns the weight of entry `entry % entries` in frame `entry / entries`: a small number of
 * either sign, or 0, which float32 can represent and whose sums are exact. */
double mote_system_weight(size_t entry);

/* Rounds positions or boxes to float32. */
void mote_system_round(mote_system *s, bool positions, bool boxes);

/* Returns the largest coordinate of the lists' atoms, in magnitude. */
double mote_system_extent(const mote_system *s, size_t frame);

/* Atoms like those of a liquid: uniform in a cube of 33.4 a unit volume, which is the periodic box,
 * and r_0 = 0.3; the same numbers on every machine. */
bool mote_system_liquid(mote_system *s, size_t n_atoms);

/* ---- random systems -------------------------------------------------------------------------- */

/* The distribution of atoms. */
typedef enum mote_layout {
    MOTE_LAYOUT_UNIFORM,
    MOTE_LAYOUT_CLUSTERED, /* most in a few small clusters */
    MOTE_LAYOUT_OUTSIDE,   /* uniform, then up to twenty boxes away */
    MOTE_LAYOUT_EQUAL,     /* many at the same position */
    MOTE_LAYOUT_GRID,      /* at multiples of r_0 / 2, so that some distances are r_0 */
    MOTE_LAYOUT_FAR,       /* uniform, all of them far from the origin */
    MOTE_LAYOUTS
} mote_layout;

/* The kind of boxes. */
typedef enum mote_lattice {
    MOTE_LATTICE_CUBE,
    MOTE_LATTICE_ORTHORHOMBIC, /* sides of 0.4 to 2.5; one may be negative */
    MOTE_LATTICE_TRICLINIC,    /* angles from 60 to 120 degrees or so */
    MOTE_LATTICE_SKEWED,       /* vectors several times as long as the shortest in the lattice */
    MOTE_LATTICE_LEFT,         /* triclinic and left-handed */
    MOTE_LATTICE_NEEDLE,       /* triclinic, one vector twelve times as long */
    MOTE_LATTICES
} mote_lattice;

/* Which lists. */
typedef enum mote_groups_kind {
    MOTE_GROUPS_ALL,     /* self, no list */
    MOTE_GROUPS_SELF,    /* self, some atoms, some of them repeatedly */
    MOTE_GROUPS_TWO,     /* two lists without a common atom */
    MOTE_GROUPS_OVERLAP, /* two lists with common and repeated atoms */
    MOTE_GROUPS_PAIR,    /* pairs, some of an atom with itself */
    MOTE_GROUPS
} mote_groups_kind;

typedef struct mote_system_recipe {
    size_t n_atoms, frames;
    mote_layout layout;
    mote_lattice lattice;
    mote_groups_kind groups;
    mote_pbc pbc;
    mote_switch function; /* in units of a box of a volume of about 1 */
    uint64_t seed;
} mote_system_recipe;

/* Returns the number of entries in the lists of a recipe. */
size_t mote_recipe_entries(const mote_system_recipe *recipe);

/* Makes the system of a recipe; every frame has its own positions and box. */
bool mote_system_random(mote_system *s, const mote_system_recipe *recipe);

#endif
