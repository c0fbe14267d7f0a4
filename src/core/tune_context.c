/* SPDX-License-Identifier: Apache-2.0 */
/* The tuning values of a context: their origins, and their replacement. */
#include "core/check.h"
#include "core/fail.h"
#include "core/fork.h"
#include "core/log.h"
#include "core/system.h"
#include "core/tune.h"
#include "core/tune_file.h"
#include "core/tune_keys.h"

#include <string.h>

mote_status mote_tune_find(const mote_device_info *device, mote_tune **tune)
{
    mote_text file = {0};
    *tune = NULL;
    mote_tune_file_read(device, &file);
    if (file.failed) {
        mote_text_free(&file);
        return mote_fail(MOTE_ERROR_OUT_OF_HOST_MEMORY, "tuning values: out of host memory");
    }
    const char *const texts[MOTE_TUNE_ORIGINS] = {
        [MOTE_TUNING_FILE] = file.data,
        [MOTE_TUNING_ENVIRONMENT] = mote_variable("MOTE_TUNE"),
    };
    mote_status status = mote_tune_create(texts, tune);
    mote_text_free(&file);
    return status;
}

mote_status mote_context_tune(mote_context *ctx, const char *text)
{
    if (!ctx)
        return mote_fail(MOTE_ERROR_INVALID_ARGUMENT, "mote_context_tune: ctx is NULL");
    const char *const texts[MOTE_TUNE_ORIGINS] = {[MOTE_TUNING_CALLER] = text};
    mote_tune *made = NULL;
    mote_status status = mote_check_process("mote_context_tune");
    if (!status)
        status = mote_tune_create(texts, &made);
    if (status)
        return status;
    mote_tune *before = ctx->tune;
    ctx->tune = made;
    mote_tune_release(before);
    return MOTE_SUCCESS;
}

mote_status mote_context_tuning(const mote_context *ctx, size_t index, mote_tuning *tuning)
{
    if (!ctx || !tuning)
        return mote_fail(MOTE_ERROR_INVALID_ARGUMENT, "mote_context_tuning: %s is NULL",
                         ctx ? "tuning" : "ctx");
    mote_status status = mote_check_process("mote_context_tuning");
    if (!status)
        status =
            mote_check_result("mote_context_tuning", "mote_tuning_init", tuning, sizeof(*tuning));
    if (status)
        return status;
    mote_tuning found = {.size = sizeof(found)};
    const mote_tune_key *row = mote_tune_keys;
    for (size_t i = 0; i < index && row->key; i++)
        row++;
    if (row->key) {
        const char *value = mote_tune_value(ctx->tune, row->key, &found.origin);
        found.key = row->key;
        found.unit = row->unit;
        found.value = value ? value : row->usual;
    }
    mote_give_result(tuning, &found, sizeof(found));
    return MOTE_SUCCESS;
}
