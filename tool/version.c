/* SPDX-License-Identifier: Apache-2.0 */
/* mote version: prints the information that a bug report should contain. */
#include "cache.h"
#include "commands.h"
#include "io/out.h"
#include "io/unpack_kind.h"

#include <stdlib.h>
#include <string.h>

static void print_devices(out_file *out)
{
    mote_device_info *devices;
    size_t count;
    mote_status status = mote_devices(sizeof(mote_device_info), &devices, &count);
    if (status) {
        out_print(out, "devices: %.3000s\n", tool_sentence());
        return;
    }
    if (!count)
        out_text(out, "devices: none\n");
    for (size_t i = 0; i < count; i++) {
        const mote_device_info *d = &devices[i];
        out_print(out, "device %s: %s; platform %s; driver %s; %s\n", d->spec, d->name, d->platform,
                  d->driver, d->c_version);
    }
    mote_devices_free(devices);
}

static void print_cache(out_file *out)
{
    cache_content content;
    char *path = cache_directory();
    int error = path ? cache_look(path, false, &content) : 0;
    if (!path)
        out_text(out, "cache: none\n");
    else if (error)
        out_print(out, "cache: %.3000s: %s\n", path, strerror(error));
    else
        out_print(out, "cache: %.3000s, %zu program%s, %.1f MiB\n", path, content.programs,
                  tool_plural(content.programs), (double)content.bytes / 1048576.0);
    free(path);
}

/* Prints variables that change the behaviour of mote. */
static void print_environment(out_file *out)
{
    static const char *const names[] = {"MOTE_DEVICE", "MOTE_TUNE", "MOTE_TUNE_FILE",
                                        "MOTE_CL_DIR", "MOTE_LOG",  "OCL_ICD_VENDORS"};
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        if (getenv(names[i]))
            out_print(out, "%s=%.3000s\n", names[i], getenv(names[i]));
}

static int no_option(void *state, int id, const char *value)
{
    (void)state;
    (void)id;
    (void)value;
    return TOOL_GO_ON;
}

/* Prints which packed formats the command was built for. */
static void print_packed(out_file *out)
{
    for (size_t k = 0; k < unpack_kinds; k++)
        if (unpack_kind_list[k].library)
            out_print(out, "files packed by %s: %s%s\n", unpack_kind_list[k].program,
                      unpack_kind_list[k].open ? "" : "not read, built without ",
                      unpack_kind_list[k].library);
}

static int version_run(const tool_command *self, int argc, char **argv)
{
    tool_common common = {0};
    out_file *out;
    int first;
    int code = tool_parse(self, argc, argv, &common, no_option, NULL, &first);
    if (code == TOOL_GO_ON)
        code = tool_no_operands(argc, argv, first);
    if (code != TOOL_GO_ON)
        return code;
    code = out_open(common.output, &out);
    if (code != TOOL_DONE)
        return code;
    out_print(out, "mote %s\n", mote_version());
    if (common.verbose) {
        print_packed(out);
        print_devices(out);
        print_cache(out);
        print_environment(out);
    }
    return out_finish(&out, 1);
}

const tool_command tool_version = {
    .name = "version",
    .arguments = "",
    .summary = "print the version (-v: also devices, drivers and cache)",
    .about =
        "Prints the version of mote. With -v, it also prints devices, drivers, the cache of\n"
        "built kernels and the environment variables that are set: the information that a bug\n"
        "report needs.",
    .examples = "mote version\n"
                "mote version -v",
    .options = NULL,
    .run = version_run,
};
