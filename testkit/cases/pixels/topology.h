/* SPDX-License-Identifier: Apache-2.0 */
/* The detectors that the event generator knows. Lengths in micrometres. */
#ifndef MOTE_TESTKIT_CASES_PIXELS_TOPOLOGY_H
#define MOTE_TESTKIT_CASES_PIXELS_TOPOLOGY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MOTE_TOPOLOGY_LAYERS 4

typedef struct mote_topology {
    uint32_t n_modules, rows, columns;
    uint32_t ladders[MOTE_TOPOLOGY_LAYERS]; /* modules around the beam line in each barrel layer */
    int64_t radius[MOTE_TOPOLOGY_LAYERS];
    uint32_t along;                  /* modules of a ladder */
    int64_t half_length;             /* of the barrel */
    uint32_t disks;                  /* on each side; 0 = none */
    uint32_t inner_ring, outer_ring; /* modules of a disk */
    int64_t first_disk, disk_step;   /* distance from the centre */
    int64_t pitch_x, pitch_y, thickness;
    uint32_t particles; /* mean number in an event */
    uint32_t jet_most;  /* largest number of particles in a jet */
    uint32_t threshold; /* least charge of a digi, in electrons */
} mote_topology;

/* Finds a detector by its name or by "ROWSxCOLUMNS"; false with a sentence if there is none. */
bool mote_topology_find(const char *name, mote_topology *topology, char *message, size_t size);

#endif
