/* SPDX-License-Identifier: Apache-2.0 */
/* Digis in memory, whatever their file looked like. */
#ifndef MOTE_TOOL_IO_DIGIS_H
#define MOTE_TOOL_IO_DIGIS_H

#include "../tool.h"

enum digi_format { DIGIS_ANY, DIGIS_CSV, DIGIS_BIN };

/* What the command line says about reading. */
typedef struct digi_options {
    enum digi_format format; /* DIGIS_ANY: names and contents tell */
    uint32_t rows, columns;  /* 0 = find out */
    long double adc_scale;   /* 0 = find out */
    bool leave_room;         /* copies of a pixel will be added up: scale for sums */
    bool has_invalid;        /* --invalid-module was given */
    uint64_t invalid_module;
    const struct digi_columns *columns_given; /* --columns, or NULL */
    bool needs_charges;                       /* something looks at them */
    double most_gain, most_pedestal;          /* absolute values; 0 = charges stay as they are */
    bool number_modules;                      /* in 32 bits whatever the ids are */
} digi_options;

/* Some events of a file, one after the other; inside an event digis are in the order of the input.
 * Ids are kept in 32 bits where all of them are small enough to number the modules directly, else
 * in 64. */
typedef struct digi_set {
    size_t n, reserved;
    uint32_t *module32;   /* the invalid module is MOTE_PIXELS_INVALID_MODULE_U32 here */
    uint64_t *module64;   /* the invalid module is `invalid64` here; module32 is NULL then */
    uint64_t invalid64;   /* 0 = none */
    uint32_t n_modules;   /* with module32: ids are below it */
    uint64_t *module_ids; /* with module32: the id of each, ascending; NULL = their numbers */
    uint16_t *x, *y;
    uint32_t *adc;
    double *value; /* the charges as given, when adc holds scaled ones; else NULL */
    double scale;  /* adc = value * scale */
    size_t n_events;
    size_t *event_offsets; /* n_events + 1 */
    uint32_t *place;       /* input row k is digi place[k]; NULL = the same order */
    uint32_t rows, columns;
    bool has_invalid;
    uint64_t invalid_module; /* as the file has it */
    uint64_t bytes;          /* read for it, packed or not */
    bool no_charges;         /* the file has none: adc is 0 */
    char ignored[200];       /* names of columns that were not read */
    size_t lost, changed;    /* charges that became 0, or changed by more than 0.1 %, by scaling */
    uint64_t *event_number;  /* of each event as the file has it; NULL = counted from 0 */
} digi_set;

void digi_set_free(digi_set *set);

/* The id of a digi as its file has it. */
uint64_t digi_module(const digi_set *set, size_t i);
bool digi_is_invalid(const digi_set *set, size_t i);

/* With module32: the id of module k, and how many modules have a lower one than `id`. */
uint64_t digi_module_at(const digi_set *set, size_t k);
size_t digi_modules_below(const digi_set *set, uint64_t id);

/* The steps of reading that need the whole set; false = out of memory. */

/* Makes room for one more digi (and its value, when `values`). */
bool digi_set_grow(digi_set *set, bool values);
/* Turns values into scaled integers, with the power of two chosen from the largest charge. */
void digi_scale_values(digi_set *set, const digi_options *options);
/* Counts the charges that scaling has lost or changed. */
void digi_count_losses(digi_set *set);
/* Keeps ids in 32 bits when they are small, or numbers `all` of them, and gives the invalid module
 * an id of its own. */
bool digi_number_modules(digi_set *set, bool all);
/* Brings the digis of each event together, keeping their order; `event` has n values, which are
 * sorted too. */
bool digi_group_events(digi_set *set, uint64_t *event);

#endif
