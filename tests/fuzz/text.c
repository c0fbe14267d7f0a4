/* SPDX-License-Identifier: Apache-2.0 */
/* Texts: devices, MOTE_TUNE, switching functions, values of options. */
#include "fuzz.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "coordination/expression.h"
#include "coordination/switch.h"
#include "coordination/switch_custom.h"
#include "core/context.h"
#include "core/device.h"
#include "core/tune.h"
#include "core/tune_file.h"
#include "core/tune_keys.h"
#include "mote/coordination.h"
#include "tool/option.h"

fuzz_target fuzz_device, fuzz_tune, fuzz_tune_file, fuzz_switch, fuzz_option;

#define MOST_DEVICES 8

/* Cuts the text at its first newline and returns what follows; NULL at the end. */
static char *cut_line(char *text)
{
    char *end = strchr(text, '\n');
    if (end)
        *end = '\0';
    return end ? end + 1 : NULL;
}

/* "name;vendor;platform", each of which may be short; equal platforms follow each other, as drivers
 * report them.
 */
static void make_device(char *line, mote_device_info *devices, size_t i)
{
    mote_device_info *info = &devices[i];
    char *vendor = strchr(line, ';'), *platform = vendor ? strchr(vendor + 1, ';') : NULL;
    *info = (mote_device_info){.size = sizeof(*info), .compute_units = (uint32_t)strlen(line)};
    info->device_class = *line == 'g' ? MOTE_DEVICE_GPU : MOTE_DEVICE_CPU;
    if (platform)
        *platform++ = '\0';
    if (vendor)
        *vendor++ = '\0';
    snprintf(info->name, sizeof(info->name), "%s", line);
    snprintf(info->vendor, sizeof(info->vendor), "%s", vendor ? vendor : "");
    snprintf(info->platform, sizeof(info->platform), "%s", platform ? platform : "");
    bool same = i > 0 && strcmp(info->platform, devices[i - 1].platform) == 0;
    size_t number = same ? (size_t)devices[i - 1].platform_id : i + 1, first = i;
    while (first > 0 && (size_t)devices[first - 1].platform_id == number)
        first--;
    info->platform_id = (cl_platform_id)number;
    mote_device_spec(info, (int)(i - first));
}

/* The first line is the device string, the others are the machine's devices. */
void fuzz_device(const uint8_t *data, size_t size)
{
    mote_device_info devices[MOST_DEVICES];
    char *text = fuzz_text(data, size), *line = cut_line(text);
    size_t count = 0;
    while (line && count < MOST_DEVICES) {
        char *next = cut_line(line);
        make_device(line, devices, count++);
        line = next;
    }
    mote_device_specs_settle(devices, count);
    for (size_t i = 0; i < count; i++)
        FUZZ_CHECK(mote_device_find(devices, count, devices[i].spec) == &devices[i],
                   "\"%s\" is not device %zu (%s, %s)", devices[i].spec, i, devices[i].name,
                   devices[i].platform);
    const mote_device_info *found = *text ? mote_device_find(devices, count, text) : NULL;
    FUZZ_CHECK(!found || (found >= devices && found < devices + count), "found outside the list");
    free(text);
}

static void ask(const mote_context *ctx, const char *key)
{
    size_t value = mote_tune_size(ctx, key, 77, 10, 1000);
    FUZZ_CHECK(value >= 10 && value <= 1000, "\"%s\" is %zu", key, value);
    mote_device_class form = mote_tune_form(ctx, key);
    FUZZ_CHECK(form == MOTE_DEVICE_GPU || form == MOTE_DEVICE_CPU, "\"%s\" is form %d", key,
               (int)form);
}

void fuzz_tune(const uint8_t *data, size_t size)
{
    mote_context ctx = {.device.device_class = MOTE_DEVICE_CPU};
    char *text = fuzz_text(data, size);
    const char *const texts[MOTE_TUNE_ORIGINS] = {[MOTE_TUNING_ENVIRONMENT] = text};
    FUZZ_CHECK(mote_tune_create(texts, &ctx.tune) == MOTE_SUCCESS, "%s", mote_last_error());
    ask(&ctx, "jagged.form");
    for (char *key = text; key;) {
        char *next = strchr(key, ','), *equals = strchr(key, '=');
        if (equals)
            *equals = '\0';
        ask(&ctx, key);
        key = next ? next + 1 : NULL;
    }
    mote_tune_release(ctx.tune);
    free(text);
}

/* For any file, the accepted values belong to known keys that allow them. */
void fuzz_tune_file(const uint8_t *data, size_t size)
{
    mote_device_info device = {.name = "a b", .platform = "p", .driver = "1.0"};
    char *bytes = malloc(size + 1), *value = malloc(size + 1), key[64];
    mote_text text = {0};
    if (!bytes || !value)
        abort();
    memcpy(bytes, data, size);
    bytes[size] = '\0';
    mote_tune_file_parse(bytes, size, "file", &device, &text);
    for (const char *part = mote_text_get(&text); *part;) {
        int before = 0;
        FUZZ_CHECK(sscanf(part, "%63[^=,]=%n", key, &before) == 1 && before > 0, "it gives \"%s\"",
                   part);
        size_t length = strcspn(part + before, ","); /* a number of any number of digits */
        memcpy(value, part + before, length);
        value[length] = '\0';
        FUZZ_CHECK(mote_tune_is_key(key) && mote_tune_takes(key, value), "it gives \"%s\"", part);
        part += (size_t)before + length;
        part += *part == ',';
    }
    free(value);
    mote_text_free(&text);
    free(bytes);
}

/* The text that a compiler receives for an expression contains none of the user's characters. */
static void check_print(const mote_switch *f)
{
    char text[MOTE_EXPRESSION_TEXT];
    for (int as_double = 0; as_double < 2; as_double++) {
        mote_switch_custom_print(f, as_double, text, sizeof(text));
        size_t length = strspn(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz"
                                     "0123456789(),");
        FUZZ_CHECK(length && !text[length] && text[length - 1] == ')', "%s becomes %s", f->func,
                   text);
    }
}

static void check_switch(const mote_switch *f)
{
    static const double parts[] = {0.0, 1e-9, 0.5, 1.0 - 1e-12, 1.0, 1.0 + 1e-12, 1.5, 100.0};
    mote_switch again = *f;
    FUZZ_CHECK(mote_switch_complete(&again) == MOTE_SUCCESS, "not complete: %s", mote_last_error());
    FUZZ_CHECK(memcmp(&again, f, sizeof(again)) == 0, "completed twice it differs");
    for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
        double slope = NAN, at = f->d_0 + parts[i] * f->r_0;
        double value = mote_switch_value(f, at > 0.0 ? at : 0.0, &slope);
        bool known = f->kind != MOTE_SWITCH_CUSTOM || !isnan(value);
        FUZZ_CHECK(!known || (!isnan(value) && !isnan(slope)), "%g, slope %g at %g", value, slope,
                   at);
    }
    if (f->kind == MOTE_SWITCH_CUSTOM)
        check_print(f);
}

void fuzz_switch(const uint8_t *data, size_t size)
{
    char *text = fuzz_text(data, size);
    mote_switch f;
    memset(&f, 0, sizeof(f));
    if (mote_switch_parse(text, &f) == MOTE_SUCCESS)
        check_switch(&f);
    else
        FUZZ_CHECK(strncmp(mote_last_error(), "mote_switch_parse: ", 19) == 0, "it says \"%s\"",
                   mote_last_error());
    free(text);
}

void fuzz_option(const uint8_t *data, size_t size)
{
    static const char *const words[] = {"union_find", "histogram", "auto", NULL};
    char *text = fuzz_text(data, size);
    uint64_t whole = 0;
    uint32_t rows = 0, columns = 0;
    long double real = 0.0L;
    int place = -1;
    if (tool_number("--n", text, 3, 70, &whole) == TOOL_GO_ON)
        FUZZ_CHECK(whole >= 3 && whole <= 70, "%s is %llu", text, (unsigned long long)whole);
    if (tool_size("--size", text, &rows, &columns) == TOOL_GO_ON)
        FUZZ_CHECK(rows && columns && rows <= 65536 && columns <= 65536, "%s", text);
    if (tool_real("--scale", text, &real) == TOOL_GO_ON)
        FUZZ_CHECK(isfinite(real) && real >= 0.0L, "%s is %Lg", text, real);
    if (tool_word("--strategy", text, words, &place) == TOOL_GO_ON)
        FUZZ_CHECK(place >= 0 && place < 3 && strcmp(words[place], text) == 0, "%s", text);
    free(text);
}
