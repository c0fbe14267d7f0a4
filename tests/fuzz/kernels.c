/* SPDX-License-Identifier: Apache-2.0 */
/* Inputs of kernels: any bytes make a case, for which kernels compiled with the sanitizers must
 * agree with the oracle, on the host OpenCL, in both forms. */
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "testkit/cases/pixels/run.h"
#include "testkit/operations/jagged.h"
#include "mote/mote.h"

fuzz_target fuzz_pixels, fuzz_lists, fuzz_sums;

const fuzz_entry fuzz_table[] = {
    {"pixels", fuzz_pixels}, {"lists", fuzz_lists}, {"sums", fuzz_sums}, {NULL, NULL}};

/* Small groups, so that few elements need several groups; the number of programs stays small. */
static const char tune[] =
    "pixels.work_group=16,jagged.group=16,jagged.tile=64,jagged_reduce.group=32,"
    "reduce.sum_group=16,reduce.scan_group=16";

typedef struct device {
    mote_context *ctx;
    cl_command_queue queue;
} device;

/* Device 0 reports that it is a GPU, device 1 a CPU. */
static const device *get_device(unsigned which)
{
    static device devices[2];
    device *d = &devices[which % 2];
    if (d->ctx)
        return d;
    setenv("MOTE_TUNE", tune, 1);
    setenv("MOTE_CACHE", "off", 1);
    setenv("HOST_CL_CPU", which % 2 ? "1" : "0", 1);
    bool good = !mote_context_open(NULL, &d->ctx) &&
                !mote_context_queue(d->ctx, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, &d->queue);
    FUZZ_CHECK(good, "%s", mote_last_error());
    return d;
}

/* Four bytes per digi: module, x, y, adc; a module of 255 ends an event, 254 is the invalid one. */
static void make_digis(const uint8_t *data, size_t size, mote_digis *digis)
{
    for (; size >= 4; data += 4, size -= 4) {
        if (data[0] == 255)
            mote_digis_end_event(digis);
        else if (data[0] == 254)
            mote_digis_push_invalid(digis);
        else
            mote_digis_push(digis, data[0], data[1], data[2], data[3] * 100u);
    }
    mote_digis_end_event(digis);
}

void fuzz_pixels(const uint8_t *data, size_t size)
{
    char message[1024] = "";
    mote_digis digis;
    if (size < 5)
        return;
    const device *d = get_device(data[0]);
    mote_pixels_options options = {
        .strategy = data[0] & 2 ? MOTE_PIXELS_HISTOGRAM : MOTE_PIXELS_UNION_FIND,
        .duplicates = data[0] & 4 ? MOTE_DUPLICATES_SUM : MOTE_DUPLICATES_DROP,
        .connectivity = data[0] & 8 ? 4 : 8,
        .adc_threshold = data[0] & 16 ? 1000 : 0,
    };
    mote_digis_init(&digis, 1u + data[1] % 8, 1u + data[2], 1u + data[3]);
    make_digis(data + 4, size - 4, &digis);
    FUZZ_CHECK(!digis.failed, "no memory");
    bool good = mote_pixels_check(d->ctx, d->queue, &digis, &options,
                                  data[0] & 32 ? MOTE_RUN_N_DEVICE : MOTE_RUN_GATED, message,
                                  sizeof(message));
    FUZZ_CHECK(good, "%s", message);
    mote_digis_free(&digis);
}

/* One byte per list, its length; 255 is a list of 3000. */
typedef struct lengths {
    const uint8_t *data;
    size_t size;
} lengths;

static size_t length_of(const lengths *l, size_t k)
{
    return l->data[k] == 255 ? 3000 : l->data[k];
}

static void set_lengths(mote_case_lists *lists, mote_rng *rng, const void *about)
{
    const lengths *l = about;
    int64_t at = mote_index_get(lists->offsets, lists->type, 0);
    (void)rng;
    for (size_t k = 0; k < l->size; k++) {
        at += (int64_t)length_of(l, k);
        mote_index_set(lists->offsets, lists->type, k + 1, at);
    }
}

void fuzz_lists(const uint8_t *data, size_t size)
{
    static const trial_program questions[] = {
        TRIAL_PROGRAM("sum", MOTE_FLOAT32, MOTE_REDUCE_SUM, 0, MOTE_NAN_PROPAGATE, MOTE_INT32),
        TRIAL_PROGRAM("argmax", MOTE_INT64, MOTE_REDUCE_ARGMAX, 0, MOTE_NAN_PROPAGATE, MOTE_INT32),
    };
    char message[1024] = "";
    if (size < 4 || size > 600)
        return;
    const device *d = get_device(data[0]);
    lengths l = {data + 3, size - 3};
    mote_lists_case shape = {
        .name = "lengths",
        .lengths = {.kind = MOTE_LENGTH_EVEN, .lists = l.size},
        .first = data[1] % 8,
        .tail = data[2] % 4,
    };
    for (size_t k = 0; k < l.size; k++)
        shape.lengths.size += (int64_t)length_of(&l, k);
    trial_lists_given given = {.shape = &shape, .fault = -1, .change = set_lengths, .about = &l};
    given.good = true;
    if (data[0] & 64)
        given.fault = data[1] % MOTE_FAULT_OVERLAP;
    trial_choices choices = questions[data[0] >> 1 & 1].choices;
    choices.value[choices.fixed++] =
        data[0] & 4 ? MOTE_JAGGED_VALIDATE_FULL : MOTE_JAGGED_VALIDATE_TOUCHED;
    trial_call c = {.operation = &trial_jagged_reduce,
                    .ctx = d->ctx,
                    .choices = &choices,
                    .seed = data[1] + 256u * data[2] + 65536u * data[0],
                    .size = TRIAL_ANY,
                    .given = &given};
    FUZZ_CHECK(trial_try(&c, d->queue, NULL, message, sizeof(message)), "%s", message);
}

/* The input selects the program and the size of a reduction, and the seed of all its other random
 * choices. */
void fuzz_sums(const uint8_t *data, size_t size)
{
    char message[1024] = "";
    if (size < 6)
        return;
    const device *d = get_device(data[0]);
    trial_choices choices = trial_reduce.programs[(data[0] >> 1) % 5].choices;
    trial_call c = {.operation = &trial_reduce,
                    .ctx = d->ctx,
                    .choices = &choices,
                    .seed = data[1] + 256u * data[4] + 65536u * data[5],
                    .size = (size_t)data[2] * (data[3] & 1 ? 50 : 1) + data[3] / 64,
                    .most = 9u * (data[2] * 50u + 1u)};
    FUZZ_CHECK(trial_try(&c, d->queue, NULL, message, sizeof(message)), "%s", message);
}
