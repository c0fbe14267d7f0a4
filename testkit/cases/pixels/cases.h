/* SPDX-License-Identifier: Apache-2.0 */
/* The case table of pixel clustering: one copy for tests, benchmark and selftest. */
#ifndef MOTE_TESTKIT_CASES_PIXELS_CASES_H
#define MOTE_TESTKIT_CASES_PIXELS_CASES_H

#include "testkit/cases/pixels/run.h"

typedef struct mote_pixels_case mote_pixels_case;

struct mote_pixels_case {
    const char *name;
    /* Appends the digis, and changes the options if the case needs it. */
    void (*fill)(const mote_pixels_case *self, mote_digis *digis, mote_pixels_options *options,
                 mote_rng *rng);
    uint32_t n_modules, rows, columns;
    uint32_t n;                 /* number of digis, passes, ...: its meaning depends on fill */
    bool small;                 /* has few digis: for simulators and the selftest */
    bool wide_module, wide_adc; /* 32-bit ids, charges */
    bool permute;               /* shuffle every event at the end */
    uint32_t parameter;         /* as n */
    mote_pixels_options options;
};

/* Number of cases. */
size_t mote_pixels_case_count(void);

/* Case `index` below the count. */
const mote_pixels_case *mote_pixels_case_at(size_t index);

/* Makes digis and options, always the same; false if memory ran out. The caller frees both. */
bool mote_pixels_case_make(const mote_pixels_case *self, mote_digis *digis,
                           mote_pixels_options *options);

/* Makes the case, runs the device on it and compares with the oracle, with `strategy` and `how`
 * (MOTE_RUN_*). Returns false with a sentence about the first difference, or about the failure. */
bool mote_pixels_case_check(mote_context *ctx, cl_command_queue queue, const mote_pixels_case *self,
                            mote_pixels_strategy strategy, unsigned how, char *message,
                            size_t size);

#endif
