/* SPDX-License-Identifier: Apache-2.0 */
/* The shared cases on the device, with the limits that belong to them. */
#include "harness.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/context.h"

/* A set of options for all of them; with a host: plain arrays. */
typedef struct way {
    bed *b;
    mote_host *host;
    const char *form;
    mote_coordination_options options;
} way;

/* The limits: relative for the value, of the given scales for the others. */
typedef struct limits {
    double value, derivatives, virial;
} limits;

static limits limits_of(const char *name, mote_precision precision)
{
    if (precision != MOTE_PRECISION_DOUBLE)
        return (limits){2e-5, 2e-4, 2e-4};
    if (strncmp(name, "two_taylor_", 11) == 0)
        return (limits){1e-11, 1e-6, 1e-6};
    return (limits){2e-12, 1e-10, 1e-10};
}

static void check_within(const way *w, const char *name, size_t frame, const char *what, double got,
                         long double expected, double scale, double limit)
{
    ck_assert_msg(fabsl(got - expected) <= limit * (long double)scale,
                  "%s (%s, precision %d, method %d), frame %zu, %s: %.17g, not %.17Lg", name,
                  w->form, (int)w->options.precision, (int)w->options.method, frame, what, got,
                  expected);
}

static void check_frame(const way *w, const char *name, const mote_plumed_frame *f,
                        const mote_coordination_result *r, size_t k)
{
    limits most = limits_of(name, w->options.precision);
    if (!f->value_ill_defined)
        check_within(w, name, k, "value", r->value[k], f->value, fmax((double)f->value, 1e-3),
                     most.value);
    if (f->derivatives_ill_defined)
        return;
    for (size_t i = 0; i < 3 * r->rows; i++)
        check_within(w, name, k, "a derivative", r->derivatives[3 * k * r->rows + i],
                     f->derivatives[i], f->derivative_scale, most.derivatives);
    for (size_t v = 0; v < 9; v++)
        check_within(w, name, k, "the virial", r->virial[9 * k + v], f->virial[v], f->virial_scale,
                     most.virial);
}

/* Numbers of the entries have no column in the files: they must add up to the value. */
static void check_numbers(const way *w, const char *name, const mote_plumed_case *c,
                          const mote_coordination_result *r, size_t k)
{
    long double sum = 0.0L;
    for (size_t e = 0; e < r->entries; e++)
        sum += r->coordination[k * r->entries + e];
    if (!c->frames[k].value_ill_defined)
        check_within(w, name, k, "the sum of the entries", (double)sum / 2.0, c->frames[k].value,
                     fmax((double)c->frames[k].value, 1e-3),
                     limits_of(name, w->options.precision).value);
}

static bool run_host(const way *w, const mote_system *s, const mote_coordination *plan,
                     mote_coordination_result *r)
{
    mote_coordination_host_args args;
    size_t f = s->frames, entries = mote_system_entries(s);
    *r = (mote_coordination_result){.frames = f, .rows = entries, .entries = entries};
    mote_coordination_host_args_init(&args);
    args.plan = plan;
    args.frames = f;
    args.positions64 = s->positions;
    args.box = s->box;
    args.value = r->value = calloc(f, sizeof(double));
    args.virial = r->virial = calloc(9 * f, sizeof(double));
    args.derivatives64 = r->derivatives = calloc(3 * f * entries + 1, sizeof(double));
    args.coordination = r->coordination = calloc(f * entries + 1, sizeof(double));
    return r->value && r->virial && r->derivatives && r->coordination &&
           !mote_coordination_host(w->b->ctx, w->host, &args);
}

static void check_case(void *with, const char *name, const mote_plumed_case *c)
{
    const way *w = with;
    char message[MESSAGE_SIZE] = "the host layer failed";
    mote_coordination *plan;
    mote_coordination_result result;
    bool cells = w->options.method == MOTE_COORDINATION_CELLS && isinf(c->system.function.d_max);
    bed_ok(mote_coordination_plan_of(w->b->ctx, &c->system, w->options.precision,
                                     cells ? MOTE_COORDINATION_AUTO : w->options.method, &plan));
    bool good = w->host ? run_host(w, &c->system, plan, &result)
                        : mote_coordination_run(w->b->ctx, w->b->in_order, &c->system, plan,
                                                &w->options, &result, message, sizeof(message));
    ck_assert_msg(good && !result.status, "%s (%s): %s: %s", name, w->form, message,
                  mote_last_error());
    for (size_t k = 0; k < c->system.frames; k++) {
        check_frame(w, name, &c->frames[k], &result, k);
        check_numbers(w, name, c, &result, k);
    }
    mote_coordination_release(plan);
    mote_coordination_result_free(&result);
}

static const char *const forms[] = {"cpu", "gpu"};
static const mote_precision precisions[] = {MOTE_PRECISION_MIXED, MOTE_PRECISION_SINGLE,
                                            MOTE_PRECISION_DOUBLE};

START_TEST(within_limits)
{
    char tune[64], what[64];
    bed b;
    way w = {.b = &b, .form = forms[_i]};
    snprintf(tune, sizeof(tune), "coordination.form=%s", w.form);
    bed_open(&b, tune);
    for (size_t k = 0; k < COUNT(precisions) * COUNT(methods); k++) {
        w.options.precision = precisions[k % COUNT(precisions)];
        w.options.method = methods[k / COUNT(precisions)];
        snprintf(what, sizeof(what), "%s, precision %d, method %d", w.form,
                 (int)w.options.precision, (int)w.options.method);
        shared_each(what, &w, check_case);
    }
    bed_close(&b);
}
END_TEST

/* By the host layer, with positions that are recentred by the device and by the host. */
START_TEST(plain_arrays)
{
    bed b;
    way w = {.b = &b, .form = "host"};
    w.options.precision = _i == 0 ? MOTE_PRECISION_DOUBLE : MOTE_PRECISION_MIXED;
    bed_open(&b, NULL);
    if (_i == 2)
        b.ctx->device.has_fp64 = 0;
    bed_ok(mote_host_create(b.ctx, NULL, &w.host));
    shared_each("plain arrays", &w, check_case);
    mote_host_release(w.host);
    bed_close(&b);
}
END_TEST

Suite *shared_suite(void)
{
    Suite *suite = suite_create("shared");
    for (int form = 0; form < (int)COUNT(forms); form++) {
        TCase *cases = tcase_create(forms[form]);
        tcase_add_loop_test(cases, within_limits, form, form + 1);
        tcase_set_timeout(cases, 0);
        suite_add_tcase(suite, cases);
    }
    TCase *host = tcase_create("host");
    tcase_add_loop_test(host, plain_arrays, 0, 3);
    tcase_set_timeout(host, 0);
    suite_add_tcase(suite, host);
    suite_add_tcase(suite, oracle_shared_cases());
    return suite;
}
