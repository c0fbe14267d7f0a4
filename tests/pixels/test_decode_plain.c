/* SPDX-License-Identifier: Apache-2.0 */
/* Dead pixels and charges of adc counts for plain arrays: part of the suite `decode`. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "testkit/cases/pixels/decode.h"
#include "testkit/cases/pixels/events.h"
#include "core/context.h"
#include "harness.h"

/* A call as a whole and in parts. */
typedef struct plain_call {
    mote_digis digis;
    mote_pixels_options options;
    mote_pixels_host_args args;
    int32_t *labels;
} plain_call;

static void plain_call_open(plain_call *p)
{
    char message[MESSAGE_SIZE] = "";

    *p = (plain_call){.options = {.charge_cut = 900, .charge_min = 40}};
    mote_pixels_host_args_init(&p->args);
    ck_assert_msg(mote_case_events("60x50", 5, 3, &p->digis, message, sizeof(message)), "%s",
                  message);
    const mote_digis *d = &p->digis;
    size_t words = mote_case_mask_words(d);

    p->labels = malloc(d->n * sizeof(int32_t));
    p->options.mask = malloc(words * sizeof(uint32_t));
    p->options.gain = malloc(d->n_modules * sizeof(float));
    p->options.pedestal = malloc(d->n_modules * sizeof(float));
    ck_assert(p->labels && p->options.mask && p->options.gain && p->options.pedestal);
    for (size_t k = 0; k < words; k++)
        p->options.mask[k] = 0x11u << k % 20;
    for (size_t m = 0; m < d->n_modules; m++) {
        p->options.gain[m] = 0.25f + 0.125f * (float)(m % 9);
        p->options.pedestal[m] = 1.75f * (float)(m % 50);
    }
}

static void plain_call_fill(plain_call *p)
{
    const mote_digis *d = &p->digis;

    p->args.n = d->n;
    p->args.module_id32 = d->module_id;
    p->args.invalid_module_id = d->invalid_module_id;
    p->args.x = d->x;
    p->args.y = d->y;
    p->args.adc32 = d->adc;
    p->args.event_offsets = d->event_offsets;
    p->args.n_events = d->n_events;
    p->args.n_modules = d->n_modules;
    p->args.rows = d->rows;
    p->args.columns = d->columns;
    p->args.charge_cut = p->options.charge_cut;
    p->args.cluster_id = p->labels;
    p->args.mask = p->options.mask;
    p->args.gain = p->options.gain;
    p->args.pedestal = p->options.pedestal;
    p->args.charge_min = p->options.charge_min;
}

static void plain_refused(bed *b, const plain_call *p, const char *word)
{
    ck_assert_int_eq(mote_pixels_cluster_host(b->ctx, NULL, &p->args, NULL),
                     MOTE_ERROR_INVALID_ARGUMENT);
    ck_assert_msg(strstr(mote_last_error(), word) != NULL, "%s", mote_last_error());
}

START_TEST(plain_arrays)
{
    static const char *const tunes[] = {NULL, "pixels.host_digis=900"};
    const uint64_t id64 = 0;
    mote_pixels_host_result result = MOTE_PIXELS_HOST_RESULT_INIT;
    mote_pixels_result expected;
    mote_host *host = NULL;
    plain_call p;
    bed b;

    bed_open(&b, tunes[_i]);
    bed_ok(mote_host_create(b.ctx, NULL, &host));
    plain_call_open(&p);
    plain_call_fill(&p);
    ck_assert(mote_pixels_oracle(&p.digis, &p.options, &expected));
    bed_ok(mote_pixels_cluster_host(b.ctx, host, &p.args, NULL));
    ck_assert_mem_eq(p.labels, expected.cluster_id, p.digis.n * sizeof(int32_t));
    bed_ok(mote_pixels_cluster_host(b.ctx, host, &p.args, &result));
    ck_assert_uint_eq(result.n_clusters, expected.n_total);
    ck_assert_mem_eq(result.properties, expected.properties,
                     expected.n_total * sizeof(mote_pixels_cluster_record));
    mote_pixels_result_free(&expected);
    p.options.pedestal[p.digis.n_modules - 1] = NAN;
    plain_refused(&b, &p, "must be a finite number");
    p.options.pedestal[p.digis.n_modules - 1] = 0.0f;
    p.args.rows = 70000;
    plain_refused(&b, &p, "rows and columns");
    p.args.rows = 60;
    p.args.module_id32 = NULL;
    p.args.module_id64 = &id64;
    plain_refused(&b, &p, "cannot go with module_id64");
    mote_host_release(host);
    free(p.labels);
    mote_pixels_options_free(&p.options);
    mote_digis_free(&p.digis);
    bed_close(&b);
}
END_TEST

static void count_copies(const mote_launch_record *record, void *user)
{
    if (strcmp(record->kernel, "copy to device") == 0)
        *(size_t *)user += record->bytes;
}

/* Returns the bytes that a call sends to the device; its labels must equal those of the oracle. */
static size_t copied_by(bed *b, mote_host *host, plain_call *p)
{
    mote_pixels_host_result result = MOTE_PIXELS_HOST_RESULT_INIT;
    mote_pixels_result expected;
    size_t copied = 0;

    ck_assert(mote_pixels_oracle(&p->digis, &p->options, &expected));
    memset(p->labels, 0x5a, p->digis.n * sizeof(int32_t));
    mote_launch_callback_set(count_copies, &copied);
    bed_ok(mote_pixels_cluster_host(b->ctx, host, &p->args, p->args.positions ? &result : NULL));
    mote_launch_callback_set(NULL, NULL);
    ck_assert_mem_eq(p->labels, expected.cluster_id, p->digis.n * sizeof(int32_t));
    mote_pixels_result_free(&expected);
    return copied;
}

/* Arrays of modules are copied to the device once, unless another array is passed, or the host has
 * stored other data in the slot. The device is treated as a GPU, to which arrays are copied. */
START_TEST(same_modules)
{
    static const char *const tunes[] = {"pixels.form=cpu", "pixels.form=cpu,pixels.host_digis=900"};
    mote_host *host = NULL;
    plain_call p;
    bed b;

    bed_open(&b, tunes[_i]);
    b.ctx->device.device_class = MOTE_DEVICE_GPU;
    bed_ok(mote_host_create(b.ctx, NULL, &host));
    plain_call_open(&p);
    plain_call_fill(&p);
    size_t modules = p.digis.n_modules, words = mote_case_mask_words(&p.digis);
    size_t tables = sizeof(uint32_t) * (words + 2 * modules);
    size_t whole = copied_by(&b, host, &p);

    ck_assert_uint_eq(copied_by(&b, host, &p), whole);
    p.args.same_modules = 1;
    ck_assert_uint_eq(copied_by(&b, host, &p), whole - tables);
    ck_assert_uint_eq(copied_by(&b, NULL, &p), whole);
    p.args.pitch_x = p.options.gain;
    p.args.positions = 1;
    size_t first = copied_by(&b, host, &p);

    ck_assert_uint_eq(copied_by(&b, host, &p), first - sizeof(float) * modules);
    /* An array that the previous call did not have is copied, even if an earlier call had it. */
    for (uint32_t turn = 0; turn < 2; turn++) {
        p.args.positions = turn;
        p.args.pitch_x = turn ? p.options.gain : NULL;
        ck_assert_uint_eq(copied_by(&b, host, &p), turn ? first : whole - tables);
    }
    p.args.positions = 0;
    p.args.pitch_x = NULL;
    /* Another array, then the first one, changed without same_modules. */
    uint32_t *other = calloc(words, sizeof(*other)), *mask = p.options.mask;

    ck_assert_ptr_nonnull(other);
    p.args.mask = p.options.mask = other;
    ck_assert_uint_eq(copied_by(&b, host, &p), whole - tables + sizeof(uint32_t) * words);
    other[0] = ~0u;
    p.args.same_modules = 0;
    ck_assert_uint_eq(copied_by(&b, host, &p), whole);
    p.args.same_modules = 1;
    ck_assert_uint_eq(copied_by(&b, host, &p), whole - tables);
    /* After a failure, the contents of the device are unknown. */
    p.digis.x[2] = 60000;
    ck_assert_int_eq(mote_pixels_cluster_host(b.ctx, host, &p.args, NULL), MOTE_ERROR_COORDINATE);
    p.digis.x[2] = 0;
    ck_assert_uint_eq(copied_by(&b, host, &p), whole);
    free(mask);
    mote_host_release(host);
    free(p.labels);
    mote_pixels_options_free(&p.options);
    mote_digis_free(&p.digis);
    bed_close(&b);
}
END_TEST

void tcase_add_decode_plain(TCase *quick, TCase *rest)
{
    tcase_add_loop_test(quick, plain_arrays, 0, 2);
    tcase_add_loop_test(rest, same_modules, 0, 2);
}
