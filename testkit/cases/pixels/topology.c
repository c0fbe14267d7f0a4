/* SPDX-License-Identifier: Apache-2.0 */
#include "testkit/cases/pixels/topology.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const mote_topology phase1 = {
    .n_modules = 1856,
    .rows = 160,
    .columns = 416,
    .ladders = {12, 28, 44, 64},
    .radius = {30000, 68000, 109000, 160000},
    .along = 8,
    .half_length = 270000,
    .disks = 3,
    .inner_ring = 44,
    .outer_ring = 68,
    .first_disk = 320000,
    .disk_step = 85000,
    .pitch_x = 100,
    .pitch_y = 150,
    .thickness = 285,
    .particles = 6800,
    .jet_most = 48,
    .threshold = 900,
};

static const mote_topology phase2 = {
    .n_modules = 3892,
    .rows = 1344,
    .columns = 432,
    .ladders = {12, 20, 28, 32},
    .radius = {30000, 61000, 104000, 146000},
    .along = 11,
    .half_length = 220000,
    .disks = 12,
    .inner_ring = 48,
    .outer_ring = 72,
    .first_disk = 250000,
    .disk_step = 90000,
    .pitch_x = 25,
    .pitch_y = 100,
    .thickness = 150,
    .particles = 34000,
    .jet_most = 64,
    .threshold = 600,
};

static bool fail_name(const char *name, char *message, size_t size)
{
    snprintf(message, size,
             "unknown topology '%s': expected phase1, phase2, heavy-ion or ROWSxCOLUMNS (each 1 to "
             "65536)",
             name);
    return false;
}

/* Reads "ROWSxCOLUMNS" without signs or spaces. */
static bool read_shape(const char *name, unsigned long *rows, unsigned long *columns)
{
    char *end = NULL;

    if (name[0] < '0' || name[0] > '9')
        return false;
    *rows = strtoul(name, &end, 10);
    if ((*end != 'x' && *end != 'X') || end[1] < '0' || end[1] > '9')
        return false;
    *columns = strtoul(end + 1, &end, 10);
    return *end == '\0' && *rows >= 1 && *rows <= 65536 && *columns >= 1 && *columns <= 65536;
}

bool mote_topology_find(const char *name, mote_topology *topology, char *message, size_t size)
{
    unsigned long rows = 0, columns = 0;

    if (strcmp(name, "phase2") == 0) {
        *topology = phase2;
        return true;
    }
    *topology = phase1;
    if (strcmp(name, "phase1") == 0)
        return true;
    if (strcmp(name, "heavy-ion") == 0) {
        topology->particles = 57000;
        topology->jet_most = 400;
        return true;
    }
    if (!read_shape(name, &rows, &columns))
        return fail_name(name, message, size);
    topology->rows = (uint32_t)rows;
    topology->columns = (uint32_t)columns;
    topology->ladders[1] = 20;
    topology->ladders[2] = 28;
    topology->ladders[3] = 40;
    topology->disks = 0;
    topology->n_modules = (12 + 20 + 28 + 40) * topology->along;
    return true;
}
