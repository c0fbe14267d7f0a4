/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the data of --mask, --gain and --morph: dead pixels, calibration from adc counts to charge,
 * and marked modules. */
#ifndef MOTE_TOOL_CLUSTERS_MODULES_H
#define MOTE_TOOL_CLUSTERS_MODULES_H

#include "../io/digis.h"

typedef struct dead_pixel {
    uint64_t module;
    uint32_t x, y;
} dead_pixel;

typedef struct charge_line {
    uint64_t module;
    float gain, pedestal;
} charge_line;

/* The contents of the files. Dead pixels and lines ascend by module. */
typedef struct modules_table {
    const char *mask_path, *gain_path, *morph_path; /* NULL if not given */
    dead_pixel *dead;
    size_t n_dead;
    charge_line *lines;
    size_t n_lines;
    uint64_t *marked;
    size_t n_marked;
} modules_table;

/* Reads the structuring elements of --morph-elements, each of 9 digits, row by row. */
int modules_elements(const char *text, uint32_t elements[2]);

/* Reads what is given; TOOL_GO_ON, or TOOL_INPUT after a message. Free with modules_free() in
 * either case. */
int modules_read(const char *mask_path, const char *gain_path, const char *morph_path,
                 const digi_options *digis, modules_table *table);
/* Finds the largest gain and pedestal of all lines. */
void modules_most(const modules_table *table, digi_options *digis);
void modules_free(modules_table *table);

/* The same for the modules of a set, in the form that mote_pixels_cluster_host() reads; NULL = not
 * given. */
typedef struct modules_arrays {
    uint32_t *mask;
    float *gain, *pedestal;
    uint8_t *morph;
} modules_arrays;

/* TOOL_GO_ON, or TOOL_INPUT after a message: a module with digis must have a line. */
int modules_arrange(const modules_table *table, const digi_set *set, const char *input,
                    modules_arrays *arrays);
void modules_arrays_free(modules_arrays *arrays);

/* Of a valid digi. */
bool modules_dead(const modules_arrays *arrays, const digi_set *set, size_t i);
uint32_t modules_charge(const modules_arrays *arrays, const digi_set *set, size_t i);

#endif
