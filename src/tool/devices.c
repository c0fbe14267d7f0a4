/* SPDX-License-Identifier: Apache-2.0 */
/* mote devices: what there is to run on. */
#include "commands.h"
#include "io/out.h"

#include <stdio.h>
#include <string.h>

enum { ID_JSON = 300 };

static const tool_option devices_table[] = {
    {ID_JSON, "json", NULL, "one JSON array, for programs"},
    {0, NULL, NULL, NULL},
};

static int devices_option(void *state, int id, const char *value)
{
    (void)id;
    (void)value;
    *(bool *)state = true;
    return TOOL_GO_ON;
}

/* Bytes with a binary unit, as "48 KiB". */
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

static void json_text(out_file *out, const char *name, const char *text)
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
    out_text(out, "\", ");
}

static void print_json(out_file *out, const mote_device_info *device, bool is_default)
{
    out_text(out, "{");
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

/* The device that is used where none is named; "" when none can be opened. */
static void find_default(char spec[64])
{
    mote_context *ctx = NULL;
    *spec = '\0';
    if (mote_context_open(NULL, &ctx) == MOTE_SUCCESS)
        snprintf(spec, 64, "%s", mote_context_device(ctx)->spec);
    mote_context_release(ctx);
}

static void print_devices(out_file *out, const mote_device_info *devices, size_t count, bool json)
{
    char chosen[64];
    find_default(chosen);
    if (json)
        out_text(out, "[");
    for (size_t i = 0; i < count; i++) {
        bool is_default = strcmp(devices[i].spec, chosen) == 0;
        if (json) {
            out_text(out, i ? ",\n " : "");
            print_json(out, &devices[i], is_default);
        } else {
            print_line(out, &devices[i], is_default);
        }
    }
    if (json)
        out_text(out, "]\n");
}

/* All devices, or the one that -d opens. */
static int list_devices(const tool_common *common, bool json, out_file *out)
{
    if (common->device) {
        mote_context *ctx;
        int code = tool_open_device(common, &ctx);
        if (code != TOOL_DONE)
            return code;
        print_devices(out, mote_context_device(ctx), 1, json);
        mote_context_release(ctx);
        return TOOL_GO_ON;
    }
    mote_device_info *devices;
    size_t count;
    mote_status status = mote_devices(sizeof(mote_device_info), &devices, &count);
    if (status != MOTE_SUCCESS)
        return tool_fail_library(status);
    print_devices(out, devices, count, json);
    mote_devices_free(devices);
    if (!count)
        return tool_no_device();
    return TOOL_GO_ON;
}

static int devices_run(const tool_command *self, int argc, char **argv)
{
    tool_common common = {0};
    bool json = false;
    int first;
    int code = tool_parse(self, argc, argv, &common, devices_option, &json, &first);
    if (code == TOOL_GO_ON)
        code = tool_no_operands(argc, argv, first);
    if (code != TOOL_GO_ON)
        return code;
    out_file *out;
    code = out_open(common.output, &out);
    if (code != TOOL_DONE)
        return code;
    double start = tool_seconds();
    code = list_devices(&common, json, out);
    tool_timing timing = {.device_s = tool_seconds() - start};
    if (code == TOOL_GO_ON) {
        code = out_finish(&out, 1);
        tool_timing_print(&common, "devices", "", &timing);
    } else {
        out_discard(&out, 1);
    }
    return code;
}

const tool_command tool_devices = {
    .name = "devices",
    .arguments = "",
    .summary = "list the OpenCL devices",
    .about = "Lists the OpenCL devices, one line each: what to pass to -d, name, vendor, driver,\n"
             "OpenCL C version, compute units, local and global memory, double precision, and\n"
             "whether it is the one that is used when none is named.\n"
             "With -d SPEC only the device that SPEC means.",
    .options = devices_table,
    .run = devices_run,
};
