/* SPDX-License-Identifier: Apache-2.0 */
/* Debug builds compare the arguments that the host sets with the parameters of the kernel. */
#include "call_bed.h"
#include "common/suite.h"
#include "core/quirks.h"
#include "faults/inject.h"

#include <stdio.h>

static bed b;
static cl_mem in, out;

static void setup(void)
{
    call_bed_open(&b, NULL);
    in = bed_numbers(&b, BED_GROUP);
    out = bed_numbers(&b, BED_GROUP);
}

static void teardown(void)
{
    fault_reset();
    clReleaseMemObject(in);
    clReleaseMemObject(out);
    call_bed_close(&b);
}

/* One letter for each setter: view, mem, u64, u32, struct, local. */
typedef struct setting {
    char how;
    const char *name;
} setting;

#define SETTINGS 7

static void set(mote_launch *l, const setting *s)
{
    static const uint32_t step[2] = {3, 1};
    const mote_view from = {.mem = in}, to = {.mem = out};
    bool reads = strcmp(s->name, "in") == 0;
    if (s->how == 'v')
        mote_launch_view(l, s->name, reads ? &from : &to);
    else if (s->how == 'm')
        mote_launch_mem(l, s->name, in);
    else if (s->how == '8')
        mote_launch_u64(l, s->name, strcmp(s->name, "first") == 0 ? 7 : 2);
    else if (s->how == '4')
        mote_launch_u32(l, s->name, BED_GROUP);
    else if (s->how == 's')
        mote_launch_struct(l, s->name, step, sizeof(step));
    else
        mote_launch_local(l, s->name, BED_GROUP * sizeof(uint32_t));
}

/* Launches the kernel once, or prepares it; *known receives whether its parameters are known. */
static mote_status launch(const setting settings[SETTINGS], bool prepare, bool *known)
{
    mote_call call;
    mote_launch l;
    bed_ok(
        mote_call_begin(&call, "test", b.ctx, prepare ? NULL : b.in_order, prepare, 0, NULL, NULL));
    mote_launch_begin(&l, &call, &mote_cl_core_call_trial, "", "trial_kinds");
    *known = l.lease.parameters != NULL;
    for (int k = 0; k < SETTINGS; k++)
        set(&l, &settings[k]);
    return mote_call_end(&call, mote_launch_run(&l, 1, BED_GROUP));
}

static const setting right[SETTINGS] = {{'v', "in"},     {'v', "out"},   {'8', "first"},
                                        {'8', "second"}, {'4', "count"}, {'s', "step"},
                                        {'l', "room"}};

START_TEST(right_arguments)
{
    bool known = false;
    bed_ok(launch(right, true, &known));
    bed_expect(&b, out, BED_GROUP, 1, 0);
    bed_ok(launch(right, false, &known));
    bed_expect(&b, out, BED_GROUP, 3, 1 + 7 - 2);
#ifndef NDEBUG
    ck_assert(known || !mote_has_quirk(b.ctx, MOTE_QUIRK_PARAMETERS));
#endif
}
END_TEST

/* The changed settings of `right`, and the message. */
static const struct {
    int place[2];
    setting given[2];
    const char *words;
} planted[] = {
    {{0, 1},
     {{'v', "out"}, {'v', "in"}},
     "argument 0 of kernel trial_kinds is \"in\", a global pointer, but the host sets \"out\", a "
     "global pointer"},
    {{2, 3},
     {{'8', "second"}, {'8', "first"}},
     "argument 4 of kernel trial_kinds is \"first\", a ulong, but the host sets \"second\", a "
     "ulong"},
    {{2}, {{'8', "firs"}}, "the host sets \"firs\", a ulong"},
    {{2}, {{'8', "first_at"}}, "the host sets \"first_at\", a ulong"},
    {{2}, {{'4', "first"}}, "is \"first\", a ulong, but the host sets \"first\", a uint"},
    {{4}, {{'8', "count"}}, "is \"count\", a uint, but the host sets \"count\", a ulong"},
    {{4}, {{'s', "count"}}, "is \"count\", a uint, but the host sets \"count\", a structure"},
    {{5}, {{'8', "step"}}, "is \"step\", a structure, but the host sets \"step\", a ulong"},
    {{6},
     {{'m', "room"}},
     "is \"room\", a local pointer, but the host sets \"room\", a global pointer"},
    {{1},
     {{'l', "out"}},
     "is \"out\", a global pointer, but the host sets \"out\", a local pointer"},
    {{1},
     {{'m', "out"}},
     "argument 3 of kernel trial_kinds is \"out_at\", a ulong, but the host sets \"first\", a "
     "ulong"},
};

#define PLANTED (sizeof(planted) / sizeof(planted[0]))

START_TEST(planted_defects)
{
    bool known = false;
    bed_ok(launch(right, true, &known));
    for (size_t k = 0; known && k < PLANTED; k++)
        for (int prepare = 0; prepare < 2; prepare++) {
            setting settings[SETTINGS];
            memcpy(settings, right, sizeof(right));
            for (int j = 0; j < 2 && planted[k].given[j].how; j++)
                settings[planted[k].place[j]] = planted[k].given[j];
            bed_refused(launch(settings, prepare, &known), MOTE_ERROR_INTERNAL, planted[k].words);
            bed_expect(&b, out, BED_GROUP, 1, 0);
        }
}
END_TEST

/* Kernels whose parameter names a driver does not report are launched without the comparison. */
START_TEST(names_not_available)
{
    bool known = true;
    fault_fail(FAULT_clGetKernelArgInfo, 1, 1000, CL_KERNEL_ARG_INFO_NOT_AVAILABLE);
    bed_ok(launch(right, false, &known));
    ck_assert(!known);
    bed_expect(&b, out, BED_GROUP, 3, 1 + 7 - 2);
}
END_TEST

static const suite_test tests[] = {
    SUITE_TEST(right_arguments),
    SUITE_TEST(planted_defects),
    SUITE_TEST(names_not_available),
};

SUITE_MAIN_FIXTURE("parameters", tests, setup, teardown)
