/* SPDX-License-Identifier: Apache-2.0 */
/* Describes mote_pixels_decode_timepix3() and mote_pixels_decode_timepix3_host(). */
#include "testkit/operations/pixels.h"

#include <string.h>

#include "mote/pixels_time.h"
#include "testkit/reference/pixels/timepix3_oracle.h"

/* The fields of a call. */
enum { PACKETS, CHIP, MODULE_ID, X, Y, T, CHARGE, N_HITS };

/* The kinds of packets: a stream of hits, any bits, or no hits. */
enum { STREAM, ANY_BITS, NO_HITS, KINDS };

static void choose_decode_timepix3(trial_call *c)
{
    mote_pixels_timepix3_args *a = (mote_pixels_timepix3_args *)(void *)&c->args;
    size_t n = trial_size(c), room = n;
    bool all = c->telling || !trial_once(c, 3);
    trial_array *array = c->array;

    c->kind = c->telling ? STREAM : mote_rng_below(&c->rng, KINDS);
    a->reference = c->kind == STREAM ? mote_rng_between(&c->rng, -1000, 1000)
                                     : (int64_t)mote_rng_next(&c->rng);
    if (!c->telling && !c->on_host && n && trial_once(c, 6)) /* may be too few */
        room = 1 + mote_rng_below(&c->rng, (uint32_t)n);
    array[PACKETS] = (trial_array){.type = MOTE_UINT64, .count = n};
    if (c->telling || trial_once(c, 2))
        array[CHIP] = (trial_array){.type = MOTE_UINT16, .count = n};
    for (size_t k = MODULE_ID; k <= CHARGE; k++)
        if (all || trial_once(c, 2))
            array[k] = (trial_array){.type = k == T ? MOTE_INT64 : MOTE_UINT16, .count = room};
    array[N_HITS] = (trial_array){.type = MOTE_UINT32, .count = 1};
}

static uint64_t draw_packet(trial_call *c, int64_t *at)
{
    static const uint64_t skipped[] = {2, 4, 5, 6, 7};
    uint64_t any = mote_rng_next(&c->rng), kind = skipped[any % 5];

    if (c->kind == NO_HITS || (c->kind == STREAM && mote_rng_below(&c->rng, 8) == 0))
        return any >> 4 | kind << 60;
    if (c->kind == ANY_BITS)
        return any >> 4 | (10 + any % 2) << 60;
    *at += mote_rng_between(&c->rng, -100, 1 << mote_rng_below(&c->rng, 31));
    mote_timepix3_hit hit = {(uint16_t)(any & 255), (uint16_t)(any >> 8 & 255),
                             (uint16_t)(any >> 16 & 1023), *at};
    return mote_timepix3_packet(&hit) ^ (any >> 63) << 60;
}

/* Writes element k of an output, if the call has it. */
static void write_element(trial_call *c, size_t field, size_t k, const void *value)
{
    const trial_array *a = &c->array[field];
    size_t size = mote_type_size(a->type);

    if (a->type && k < a->count)
        memcpy((char *)a->data + k * size, value, size);
}

static void expect_hits(trial_call *c)
{
    const mote_pixels_timepix3_args *a = (const mote_pixels_timepix3_args *)(void *)&c->args;
    const trial_array *array = c->array;
    const uint64_t *packets = array[PACKETS].data;
    const uint16_t *chip = array[CHIP].data;
    int64_t last = a->reference;
    uint32_t hits = 0;

    for (size_t i = 0; i < array[PACKETS].count; i++) {
        mote_timepix3_hit hit;

        if (mote_oracle_timepix3_is_bad(packets[i]) && !c->told) {
            c->told = MOTE_ERROR_PACKET;
            c->told_index = (uint32_t)i;
        }
        if (!mote_oracle_timepix3(packets[i], &last, &hit))
            continue;
        write_element(c, MODULE_ID, hits, array[CHIP].type ? &chip[i] : &(uint16_t){0});
        write_element(c, X, hits, &hit.x);
        write_element(c, Y, hits, &hit.y);
        write_element(c, T, hits, &hit.t);
        write_element(c, CHARGE, hits, &hit.charge);
        hits++;
    }
    write_element(c, N_HITS, 0, &hits);
    for (size_t k = MODULE_ID; k <= CHARGE; k++)
        if (array[k].type && hits > array[k].count && !c->told) {
            c->told = MOTE_ERROR_CAPACITY;
            c->told_index = hits;
        }
}

static bool fill_decode_timepix3(trial_call *c, char *message, size_t size)
{
    const trial_array *array = c->array;
    uint64_t *packets = array[PACKETS].data;
    uint16_t *chip = array[CHIP].data;
    size_t n = array[PACKETS].count;
    int64_t at = c->seed % 2 ? 0 : (INT64_C(1) << 34) - 50;

    (void)message, (void)size;
    for (size_t i = 0; i < n; i++) {
        packets[i] = draw_packet(c, &at);
        if (array[CHIP].type)
            chip[i] = (uint16_t)mote_rng_next(&c->rng);
    }
    for (uint32_t k = 0; c->spoilt && n && k < 2; k++)
        packets[mote_rng_below(&c->rng, (uint32_t)n)] = mote_rng_next(&c->rng);
    expect_hits(c);
    return true;
}

static mote_status run_host(const trial_call *c, mote_host *host, void *const *arrays)
{
    const mote_pixels_timepix3_args *a = (const mote_pixels_timepix3_args *)(const void *)&c->args;
    mote_pixels_timepix3_host_args args = MOTE_PIXELS_TIMEPIX3_HOST_ARGS_INIT;

    args.n = c->array[PACKETS].count;
    args.packets = arrays[PACKETS];
    args.chip = c->array[CHIP].type ? arrays[CHIP] : NULL;
    args.reference = a->reference;
    args.module_id = c->array[MODULE_ID].type ? arrays[MODULE_ID] : NULL;
    args.x = c->array[X].type ? arrays[X] : NULL;
    args.y = c->array[Y].type ? arrays[Y] : NULL;
    args.t = c->array[T].type ? arrays[T] : NULL;
    args.charge = c->array[CHARGE].type ? arrays[CHARGE] : NULL;
    args.n_hits = arrays[N_HITS];
    mote_status status = mote_pixels_decode_timepix3_host(c->ctx, host, &args);
    size_t hits = !status || status == MOTE_ERROR_PACKET ? *args.n_hits : 0;
    /* Elements after the last hit are unspecified. */
    for (size_t k = MODULE_ID; k <= CHARGE; k++) {
        size_t element = mote_type_size(c->array[k].type);

        if (c->array[k].type && hits < args.n)
            memset((char *)arrays[k] + hits * element, TRIAL_POISON, (args.n - hits) * element);
    }
    return status;
}

static const char *const tunes[] = {"pixels.form=cpu", "pixels.form=gpu", NULL};

static const trial_program programs[] = {
    TRIAL_PROGRAM("packets", 0),
    TRIAL_END,
};

static const size_t borders[] = {1, 33, 256, 1024, 4096, 0};

TRIAL_FUNCTIONS(decode_timepix3, mote_pixels_decode_timepix3, mote_pixels_timepix3_args)
TRIAL_WORKSPACE_SIZE(decode_timepix3, mote_pixels_decode_timepix3_workspace_size)

const trial_operation trial_decode_timepix3 = {
    TRIAL_OPERATION(decode_timepix3, mote_pixels_decode_timepix3, mote_pixels_timepix3_args,
                    MOTE_OPERATION_PIXELS_DECODE_TIMEPIX3),
    TRIAL_WORKSPACE(decode_timepix3, mote_pixels_timepix3_args),
    .run_host = run_host,
    .borders = borders,
    .tunes = tunes,
    .programs = programs,
};
