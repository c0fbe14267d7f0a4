/* SPDX-License-Identifier: Apache-2.0 */
/* mote generate: the kinds of inputs, one file each. */
#ifndef MOTE_TOOL_GENERATE_KINDS_H
#define MOTE_TOOL_GENERATE_KINDS_H

#include "../option.h"

typedef struct generate_options {
    tool_common common;
    uint64_t seed;
    const char *topology; /* events */
    uint64_t events;
    double broken;     /* share of damaged modules */
    const char *marks; /* output for their ids; NULL = none */
    uint64_t atoms, frames;
    int format; /* atoms: generate_format */
    bool has_seed, has_format;
    uint64_t hits, most, disorder, chips; /* hits */
    uint64_t lists;                       /* jagged */
    double mean;
    int spread;         /* mote_length_kind: constant, poisson, power */
    int dtype;          /* int32, uint32, int64 */
    const char *values; /* output for the values of the lists; NULL = none */
} generate_options;

/* The output formats of atoms. */
enum generate_format { GENERATE_XYZ, GENERATE_EXTXYZ, GENERATE_GRO };

/* Generate and write the input; return the exit code. */
int generate_events(const generate_options *options);
int generate_hits(const generate_options *options);
int generate_atoms(const generate_options *options);
int generate_jagged(const generate_options *options);

#endif
