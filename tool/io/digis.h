/* SPDX-License-Identifier: Apache-2.0 */
/* Digis in memory, from any file format. */
#ifndef MOTE_TOOL_IO_DIGIS_H
#define MOTE_TOOL_IO_DIGIS_H

#include "../tool.h"

enum digi_format { DIGIS_ANY, DIGIS_CSV, DIGIS_BIN, DIGIS_TIMEPIX3 };

/* Options of the command line for reading. */
typedef struct digi_options {
    enum digi_format format; /* DIGIS_ANY: names and contents decide */
    uint32_t rows, columns;  /* 0 = find out */
    long double adc_scale;   /* 0 = find out */
    bool leave_room;         /* copies of a pixel will be added up, so sums must fit */
    bool has_invalid;        /* --invalid-module was given */
    uint64_t invalid_module;
    const struct digi_columns *columns_given; /* --columns, or NULL */
    bool needs_charges;                       /* charges are used */
    double most_gain, most_pedestal;          /* absolute values; 0 = charges do not change */
    bool number_modules;                      /* ids in 32 bits, whatever their size */
    long double time_scale; /* ticks of one unit of the input's times; 0 = they are in ticks */
} digi_options;

/* Some events of a file, one after the other; inside an event digis are in the order of the input.
 * Ids are stored in 32 bits if all of them are small enough to number the modules directly, else in
 * 64. */
typedef struct digi_set {
    size_t n, reserved;
    uint32_t *module32; /* the invalid module is MOTE_PIXELS_INVALID_MODULE_U32 */
    uint64_t *module64; /* the invalid module is `invalid64`; module32 is NULL in this case */
    uint64_t invalid64; /* 0 = none */
    uint32_t n_modules; /* with module32: ids are below this */
    /* With module32: the id of each module, ascending; NULL = their numbers. */
    uint64_t *module_ids;
    uint16_t *x, *y;
    uint32_t *adc;
    double *value; /* the original charges if adc contains scaled ones; else NULL */
    double scale;  /* adc = value * scale */
    size_t n_events;
    size_t *event_offsets; /* n_events + 1 */
    uint32_t *place;       /* input row k is digi place[k]; NULL = the same order */
    uint32_t rows, columns;
    bool has_invalid;
    uint64_t invalid_module; /* the id in the file */
    uint64_t bytes;          /* bytes read for it, compressed or not */
    bool no_charges;         /* the file has no charges: adc is 0 */
    char ignored[200];       /* names of columns that were not read */
    size_t lost, changed;    /* charges that became 0, or changed by more than 0.1 %, by scaling */
    uint64_t *event_number;  /* number of each event in the file; NULL = counted from 0 */
} digi_set;

/* Identifies an event, since two runs may use the same numbers. What the file does not have is 0.
 */
enum { EVENT_RUN, EVENT_LUMI, EVENT_NUMBER, EVENT_KEYS };

typedef struct digi_event {
    uint64_t key[EVENT_KEYS];
} digi_event;

/* Consecutive rows of one event. */
typedef struct digi_stretch {
    digi_event event;
    uint32_t begin, count;
} digi_stretch;

void digi_set_free(digi_set *set);

/* Returns the id of a digi in its file. */
uint64_t digi_module(const digi_set *set, size_t i);
bool digi_is_invalid(const digi_set *set, size_t i);

/* With module32: the id of module k, and the number of modules with a lower id than `id`. */
uint64_t digi_module_at(const digi_set *set, size_t k);
size_t digi_modules_below(const digi_set *set, uint64_t id);

/* The steps of reading that need the whole set; false if memory ran out. */

/* Makes room for one more digi (and its value if `values` is set). */
bool digi_set_grow(digi_set *set, bool values);
/* Converts values to scaled integers, with a power of two that depends on the largest charge. */
void digi_scale_values(digi_set *set, const digi_options *options);
/* Counts the charges that scaling has set to 0 or changed. */
void digi_count_losses(digi_set *set);
/* Stores ids in 32 bits if they are small, or numbers `all` of them, and gives the invalid module a
 * separate id. */
bool digi_number_modules(digi_set *set, bool all);
/* Sorts the digis by event, keeping their order; the n stretches, which are sorted, too, cover the
 * set. With `numbers`, event_number is set. */
bool digi_group_events(digi_set *set, digi_stretch *stretches, size_t n, bool numbers);

/* Returns a number below, equal to or above 0 as a comes before, equals or follows b. */
int digi_event_compare(const digi_event *a, const digi_event *b);

#endif
