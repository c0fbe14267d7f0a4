/* SPDX-License-Identifier: Apache-2.0 */
/* Digis from PDIG files. */
#include "digis.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cases/pixels/pdig.h"

/* The first digi that does not fit the detector is named by event and index. */
static int check_digi(const char *path, const digi_set *set, size_t event, size_t i)
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
                path, event, i - set->event_offsets[event], fields[k].name, fields[k].value,
                fields[k].limit, set->n_modules, set->rows, set->columns,
                (unsigned long long)set->invalid_module);
    return TOOL_GO_ON;
}

static int check_digis(const char *path, const digi_set *set)
{
    for (size_t e = 0; e < set->n_events; e++) {
        for (size_t i = set->event_offsets[e]; i < set->event_offsets[e + 1]; i++) {
            int code = TOOL_GO_ON;
            if (set->module32[i] == set->invalid_module)
                set->module32[i] = MOTE_PIXELS_INVALID_MODULE_U32;
            else
                code = check_digi(path, set, e, i);
            if (code != TOOL_GO_ON)
                return code;
        }
    }
    return TOOL_DONE;
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
                      .has_invalid = true,
                      .bytes = 20 + 4 * digis->n_events + 8 * digis->n};
    set->invalid_module =
        options->has_invalid ? options->invalid_module : MOTE_PIXELS_INVALID_MODULE_U16;
    digis->module_id = NULL;
    digis->x = digis->y = NULL;
    digis->adc = NULL;
    set->event_offsets = malloc((set->n_events + 1) * sizeof(*set->event_offsets));
    if (!set->event_offsets)
        return false;
    set->event_offsets[0] = 0;
    for (size_t e = 0; e < set->n_events; e++)
        set->event_offsets[e + 1] = digis->event_offsets[e + 1];
    return true;
}

static int scale_charges(const char *path, const digi_options *options, digi_set *set)
{
    if (options->adc_scale == 0.0L)
        return TOOL_DONE;
    set->scale = (double)options->adc_scale;
    set->value = malloc((set->n + 1) * sizeof(*set->value));
    if (!set->value)
        return tool_fail(TOOL_INPUT, "%s: out of memory for %zu digis", path, set->n);
    for (size_t i = 0; i < set->n; i++) {
        long double scaled = roundl(options->adc_scale * set->adc[i]);
        if (scaled >= 4294967296.0L)
            return tool_fail(TOOL_INPUT,
                             "%s: adc %u of digi %zu times --adc-scale is above 4294967295", path,
                             set->adc[i], i);
        set->value[i] = set->adc[i];
        set->adc[i] = (uint32_t)scaled;
    }
    return TOOL_DONE;
}

int digi_pdig_read(const char *path, const digi_options *options, digi_set *set)
{
    *set = (digi_set){0};
    FILE *file = fopen(path, "rb");
    if (!file)
        return tool_fail(TOOL_INPUT, "%s: cannot be read: %s", path, strerror(errno));
    mote_digis digis;
    char message[256];
    mote_pdig_status status = mote_pdig_read(file, &digis, message, sizeof(message));
    fclose(file);
    if (status != MOTE_PDIG_OK)
        return tool_fail(TOOL_INPUT, "%s: %s", path, message);
    bool adopted = adopt(&digis, options, set);
    mote_digis_free(&digis);
    int code = adopted ? check_digis(path, set)
                       : tool_fail(TOOL_INPUT, "%s: out of memory for %zu digis", path, set->n);
    if (code == TOOL_DONE)
        code = scale_charges(path, options, set);
    if (code != TOOL_DONE)
        digi_set_free(set);
    return code;
}
