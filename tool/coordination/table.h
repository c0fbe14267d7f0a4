/* SPDX-License-Identifier: Apache-2.0 */
/* Tables of numbers in a file, whose name extension selects the format: .csv is CSV, .npy an array
 * of the real numbers alone, any other extension the columns of PLUMED's COLVAR files. */
#ifndef MOTE_TOOL_COORDINATION_TABLE_H
#define MOTE_TOOL_COORDINATION_TABLE_H

#include "../io/out.h"

#include <stdint.h>

typedef enum table_kind { TABLE_COLVAR, TABLE_CSV, TABLE_NPY } table_kind;

typedef struct coordination_table {
    out_file *out;
    table_kind kind;
    const char *format; /* format of real numbers, as "%f"; NULL = %.17g */
    bool padded;        /* lines begin with a blank and times use the format, too, as in PLUMED */
    bool whole;         /* it is written when all numbers are known, `frames` of them by `shape` */
    bool begun;         /* the line has a field already */
    uint64_t frames;    /* for an array: its first dimension */
    size_t shape[2];    /* for an array: the other dimensions; 0 = none */
} coordination_table;

/* Opens the file, as FILE.part unless `whole` is set; NULL = stdout. Returns TOOL_GO_ON, or prints
 * a message and returns an exit code. */
int table_open(coordination_table *table, const char *path);

/* Writes the names of the columns, separated by blanks. */
void table_head(coordination_table *table, const char *names);

/* A line "#! SET NAME VALUE", where there are such lines. */
void table_set(coordination_table *table, const char *name, const char *value);

/* Fields of a line. Arrays contain neither whole numbers nor words. */
void table_whole(coordination_table *table, uint64_t value);
void table_word(coordination_table *table, const char *word);
void table_time(coordination_table *table, double time);
void table_reals(coordination_table *table, const double *values, size_t count);

void table_end_line(coordination_table *table);

/* A frame is complete. */
void table_end_frame(coordination_table *table);

/* Writes the number of frames to the array's header, before the file is completed or kept. */
void table_settle(coordination_table *table);

#endif
