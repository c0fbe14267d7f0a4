/* SPDX-License-Identifier: Apache-2.0 */
#include "digis_pdig.h"

#include <math.h>
#include <stdlib.h>

/* A part has this number of digis, which a device processes at once, or more only if a single event
 * has more. */
#define PART_DIGIS  ((size_t)1 << 19)
#define PART_EVENTS ((size_t)1 << 16)

/* Reports the first digi that does not fit the detector by event and index. */
static int check_digi(const digi_pdig *pdig, const digi_set *set, size_t number, size_t index,
                      size_t i)
{
    const struct {
        const char *name;
        uint32_t value, limit;
    } fields[] = {{"module_id", set->module32[i], set->n_modules},
                  {"x", set->x[i], set->rows},
                  {"y", set->y[i], set->columns}};
    for (int k = 0; k < 3; k++)
        if (fields[k].value >= fields[k].limit)
            return tool_fail(
                TOOL_INPUT,
                "%s: event %zu, digi %zu: %s = %u, expected below %u for %u modules of "
                "%u x %u pixels (the invalid module is %llu)",
                pdig->in->name, number, index, fields[k].name, fields[k].value, fields[k].limit,
                set->n_modules, set->rows, set->columns, (unsigned long long)set->invalid_module);
    return TOOL_GO_ON;
}

static int scale_charge(const digi_pdig *pdig, digi_set *set, size_t number, size_t index, size_t i)
{
    long double scaled = roundl(pdig->options->adc_scale * set->adc[i]);
    if (scaled >= 4294967296.0L)
        return tool_fail(TOOL_INPUT,
                         "%s: event %zu, digi %zu: adc %u times --adc-scale is above 4294967295",
                         pdig->in->name, number, index, set->adc[i]);
    set->value[i] = set->adc[i];
    set->adc[i] = (uint32_t)scaled;
    return TOOL_GO_ON;
}

/* `before`: number of events of the file before those of the set. */
static int take_digis(const digi_pdig *pdig, digi_set *set, size_t before)
{
    int code = TOOL_GO_ON;
    for (size_t e = 0; e < set->n_events; e++) {
        size_t first = set->event_offsets[e], end = set->event_offsets[e + 1];
        for (size_t i = first; i < end && code == TOOL_GO_ON; i++) {
            if (set->module32[i] == set->invalid_module)
                set->module32[i] = MOTE_PIXELS_INVALID_MODULE_U32;
            else
                code = check_digi(pdig, set, before + e, i - first, i);
            if (code == TOOL_GO_ON && set->value)
                code = scale_charge(pdig, set, before + e, i - first, i);
        }
    }
    return code;
}

/* Moves the arrays of `digis` into the set. */
static bool adopt(mote_digis *digis, const digi_options *options, digi_set *set)
{
    *set = (digi_set){.n = digis->n,
                      .module32 = digis->module_id,
                      .x = digis->x,
                      .y = digis->y,
                      .adc = digis->adc,
                      .scale = 1.0,
                      .n_events = digis->n_events,
                      .n_modules = digis->n_modules,
                      .rows = options->rows ? options->rows : digis->rows,
                      .columns = options->columns ? options->columns : digis->columns,
                      .has_invalid = true};
    set->invalid_module =
        options->has_invalid ? options->invalid_module : MOTE_PIXELS_INVALID_MODULE_U16;
    digis->module_id = NULL;
    digis->x = digis->y = NULL;
    digis->adc = NULL;
    set->event_offsets = malloc((set->n_events + 1) * sizeof(*set->event_offsets));
    if (options->adc_scale != 0.0L) {
        set->scale = (double)options->adc_scale;
        set->value = malloc((set->n + 1) * sizeof(*set->value));
    }
    if (!set->event_offsets || (options->adc_scale != 0.0L && !set->value))
        return false;
    set->event_offsets[0] = 0;
    for (size_t e = 0; e < set->n_events; e++)
        set->event_offsets[e + 1] = digis->event_offsets[e + 1];
    return true;
}

/* Prints why the file cannot be read. */
static int fail(const digi_pdig *pdig, mote_pdig_status status)
{
    return status == MOTE_PDIG_IO ? in_lines_fail(pdig->in, MOTE_LINES_FAILED)
                                  : tool_fail(TOOL_INPUT, "%s: %s", pdig->in->name, pdig->message);
}

int digi_pdig_open(in_lines *in, const digi_options *options, digi_pdig *pdig)
{
    *pdig = (digi_pdig){.in = in, .options = options};
    mote_pdig_status status =
        mote_pdig_open(&pdig->pdig, &in->lines, pdig->message, sizeof(pdig->message));
    return status ? fail(pdig, status) : TOOL_GO_ON;
}

/* Reads events until the part is full. After the last event, the file must end: MOTE_PDIG_END. */
static mote_pdig_status read_part(digi_pdig *pdig, mote_digis *digis)
{
    mote_pdig_status status;
    uint32_t n;
    while (!(status = mote_pdig_look(&pdig->pdig, &n))) {
        if (digis->n_events && (digis->n + n > PART_DIGIS || digis->n_events == PART_EVENTS))
            return MOTE_PDIG_OK;
        status = mote_pdig_next(&pdig->pdig, digis);
        if (status)
            break;
    }
    return status;
}

int digi_pdig_next(digi_pdig *pdig, digi_set *set)
{
    mote_digis digis;
    size_t before = pdig->pdig.event, n;
    *set = (digi_set){0};
    mote_digis_init(&digis, pdig->pdig.n_modules, pdig->pdig.rows, pdig->pdig.columns);
    mote_pdig_status status = read_part(pdig, &digis);
    if ((status && status != MOTE_PDIG_END) || !digis.n_events) {
        mote_digis_free(&digis);
        return status == MOTE_PDIG_END ? TOOL_DONE : fail(pdig, status);
    }
    n = digis.n;
    bool adopted = adopt(&digis, pdig->options, set);
    mote_digis_free(&digis);
    int code = adopted
                   ? take_digis(pdig, set, before)
                   : tool_fail(TOOL_INPUT, "%s: out of memory for %zu digis", pdig->in->name, n);
    size_t taken = in_lines_taken(pdig->in);
    set->bytes = taken - pdig->taken;
    pdig->taken = taken;
    if (code != TOOL_GO_ON)
        digi_set_free(set);
    return code;
}
