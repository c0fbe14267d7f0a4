/* SPDX-License-Identifier: Apache-2.0 */
/* mote devices: lists the devices. */
#include "commands.h"
#include "io/out.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ID_JSON = 300 };

static const tool_option devices_table[] = {
    {ID_JSON, "json", NULL, "print one JSON array, for programs"},
    {0, NULL, NULL, NULL},
};

typedef struct devices_options {
    tool_common common;
    bool json;
} devices_options;

static int devices_option(void *state, int id, const char *value)
{
    (void)id;
    (void)value;
    ((devices_options *)state)->json = true;
    return TOOL_GO_ON;
}

/* Writes bytes with a binary unit, for example "48 KiB". */
static void size_text(char *text, size_t room, uint64_t bytes)
{
    static const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB"};
    double value = (double)bytes;
    int unit = 0;
    for (; value >= 1024.0 && unit < 4; unit++)
        value /= 1024.0;
    snprintf(text, room, "%.4g %s", value, units[unit]);
}

static void print_line(out_file *out, const mote_device_info *device, bool is_default)
{
    char local[32], global[32];
    size_text(local, sizeof(local), device->local_bytes);
    size_text(global, sizeof(global), device->global_bytes);
    out_print(out, "%-12s  %s; %s; driver %s; %s; ", device->spec, device->name, device->vendor,
              device->driver, device->c_version);
    out_print(out, "%u compute units; local %s; global %s; %s%s\n", device->compute_units, local,
              global, device->has_fp64 ? "fp64" : "no fp64", is_default ? "; default" : "");
}

static void json_last(out_file *out, const char *name, const char *text)
{
    out_print(out, "\"%s\": \"", name);
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;
        if (c == '"' || c == '\\')
            out_print(out, "\\%c", c);
        else if (c < 0x20)
            out_print(out, "\\u%04x", c);
        else
            out_print(out, "%c", c);
    }
    out_text(out, "\"");
}

static void json_text(out_file *out, const char *name, const char *text)
{
    json_last(out, name, text);
    out_text(out, ", ");
}

/* Reads value `index` of a context's tuning; false after the last one. */
static bool tuning_at(const mote_context *ctx, size_t index, mote_tuning *tuning)
{
    mote_tuning_init(tuning);
    return mote_context_tuning(ctx, index, tuning) == MOTE_SUCCESS && tuning->key;
}

static void print_tuning(out_file *out, const mote_context *ctx)
{
    mote_tuning tuning;
    for (size_t i = 0; tuning_at(ctx, i, &tuning); i++)
        out_print(out, "    %-30s  %-11s  %s (%s)\n", tuning.key,
                  mote_tuning_origin_name(tuning.origin), tuning.value, tuning.unit);
}

static void json_tuning(out_file *out, const mote_context *ctx)
{
    mote_tuning tuning;
    out_text(out, "\"tuning\": [");
    for (size_t i = 0; tuning_at(ctx, i, &tuning); i++) {
        out_text(out, i ? ",\n  {" : "\n  {");
        json_text(out, "key", tuning.key);
        json_text(out, "origin", mote_tuning_origin_name(tuning.origin));
        json_text(out, "unit", tuning.unit);
        json_last(out, "value", tuning.value);
        out_text(out, "}");
    }
    out_text(out, "], ");
}

/* ctx: the context whose tuning is printed, or NULL. */
static void print_json(out_file *out, const mote_device_info *device, bool is_default,
                       const mote_context *ctx)
{
    out_text(out, "{");
    if (ctx)
        json_tuning(out, ctx);
    json_text(out, "spec", device->spec);
    json_text(out, "name", device->name);
    json_text(out, "vendor", device->vendor);
    json_text(out, "platform", device->platform);
    json_text(out, "driver", device->driver);
    json_text(out, "c_version", device->c_version);
    json_text(out, "class", device->device_class == MOTE_DEVICE_CPU ? "cpu" : "gpu");
    out_print(out, "\"compute_units\": %u, \"local_bytes\": %llu, \"global_bytes\": %llu, ",
              device->compute_units, (unsigned long long)device->local_bytes,
              (unsigned long long)device->global_bytes);
    out_print(out, "\"max_work_group\": %zu, \"fp64\": %s, \"default\": %s}",
              device->max_work_group, device->has_fp64 ? "true" : "false",
              is_default ? "true" : "false");
}

static bool is_on(const mote_context *ctx, const mote_device_info *device)
{
    return ctx && strcmp(mote_context_device(ctx)->spec, device->spec) == 0;
}

/* opened: a context on the device, or NULL; needed with -v only. */
static void print_device(out_file *out, const mote_device_info *device, bool is_default,
                         const mote_context *opened, const devices_options *options)
{
    mote_context *own = NULL;
    if (options->common.verbose && !opened && mote_context_open(device->spec, &own) != MOTE_SUCCESS)
        tool_note(&options->common, "%s: %s", device->spec, tool_sentence());
    const mote_context *ctx = !options->common.verbose ? NULL : opened ? opened : own;
    if (options->json) {
        print_json(out, device, is_default, ctx);
    } else {
        print_line(out, device, is_default);
        if (ctx)
            print_tuning(out, ctx);
    }
    mote_context_release(own);
}

/* Opens the default device; NULL if none can be opened. */
static mote_context *open_default(void)
{
    mote_context *ctx = NULL;
    return mote_context_open(NULL, &ctx) == MOTE_SUCCESS ? ctx : NULL;
}

/* The default device is not opened twice, because warnings about tuning values would be
 * repeated. */
static void print_all(out_file *out, const mote_device_info *devices, size_t count,
                      const devices_options *options)
{
    mote_context *usual = open_default();
    for (size_t i = 0; i < count; i++) {
        bool is_default = is_on(usual, &devices[i]);
        if (options->json)
            out_text(out, i ? ",\n " : "[");
        print_device(out, &devices[i], is_default, is_default ? usual : NULL, options);
    }
    if (options->json)
        out_text(out, count ? "]\n" : "[]\n");
    mote_context_release(usual);
}

/* Lists the device that -d names. */
static int list_named(const devices_options *options, out_file *out)
{
    mote_context *ctx;
    int code = tool_open_device(&options->common, &ctx);
    if (code != TOOL_DONE)
        return code;
    /* Only the name of the default device is needed; warnings about tuning values have been
     * printed. */
    if (setenv("MOTE_TUNE_FILE", "", 1) != 0 || unsetenv("MOTE_TUNE") != 0) {
        mote_context_release(ctx);
        return tool_fail(TOOL_DEVICE, "out of memory");
    }
    mote_context *usual = open_default();
    const mote_device_info *device = mote_context_device(ctx);
    if (options->json)
        out_text(out, "[");
    print_device(out, device, is_on(usual, device), ctx, options);
    if (options->json)
        out_text(out, "]\n");
    mote_context_release(usual);
    mote_context_release(ctx);
    return TOOL_GO_ON;
}

/* Lists all devices, or the one that -d opens. */
static int list_devices(const devices_options *options, out_file *out)
{
    if (options->common.device)
        return list_named(options, out);
    mote_device_info *devices;
    size_t count;
    mote_status status = mote_devices(sizeof(mote_device_info), &devices, &count);
    if (status != MOTE_SUCCESS)
        return tool_fail_library(status);
    print_all(out, devices, count, options);
    mote_devices_free(devices);
    if (!count)
        return tool_no_device();
    return TOOL_GO_ON;
}

static int devices_run(const tool_command *self, int argc, char **argv)
{
    devices_options options = {0};
    int first;
    int code = tool_parse(self, argc, argv, &options.common, devices_option, &options, &first);
    if (code == TOOL_GO_ON)
        code = tool_no_operands(argc, argv, first);
    if (code != TOOL_GO_ON)
        return code;
    out_file *out;
    code = out_open(options.common.output, &out);
    if (code != TOOL_DONE)
        return code;
    double start = tool_seconds();
    code = list_devices(&options, out);
    tool_timing timing = {.device_s = tool_seconds() - start};
    if (code == TOOL_GO_ON) {
        code = out_finish(&out, 1);
        tool_timing_print(&options.common, "devices", "", &timing);
    } else {
        out_discard(&out, 1);
    }
    return code;
}

const tool_command tool_devices = {
    .name = "devices",
    .arguments = "",
    .summary = "list the OpenCL devices",
    .about =
        "Prints one line for each OpenCL device: the text to pass to -d, name, vendor, driver,\n"
        "OpenCL C version, compute units, local and global memory, whether double precision\n"
        "works, and whether the device is the default. With -d SPEC, it prints only the\n"
        "selected device. With -v, it also prints each tuning value and its origin: derived by\n"
        "each call, the tune file or MOTE_TUNE.",
    .examples = "mote devices\n"
                "mote devices -d gpu --json",
    .options = devices_table,
    .run = devices_run,
};
