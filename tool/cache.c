/* SPDX-License-Identifier: Apache-2.0 */
/* mote cache: the programs that drivers have built, kept for the next run. */
#include "cache.h"
#include "commands.h"
#include "io/out.h"

#include "core/cache_dir.h"
#include "core/cache_entry.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { ID_CLEAR = 300 };

static const tool_option cache_table[] = {
    {ID_CLEAR, "clear", NULL, "remove the kernels; they are built again when they are needed"},
    {0, NULL, NULL, NULL},
};

/* Counts one entry, finished or not, and removes it if `clear` is set. Returns false if it cannot
 * be removed. */
static bool look_at(DIR *dir, const char *name, bool clear, cache_content *content)
{
    struct stat info;
    if (mote_cache_kind_of(dirfd(dir), name, &info) == MOTE_CACHE_FOREIGN)
        return true;
    content->programs++;
    content->bytes += (uint64_t)info.st_size;
    return !clear || unlinkat(dirfd(dir), name, 0) == 0 || errno == ENOENT;
}

int cache_look(const char *path, bool clear, cache_content *content)
{
    *content = (cache_content){0};
    DIR *dir = opendir(path);
    if (!dir)
        return errno == ENOENT ? 0 : errno;
    int error = 0;
    for (struct dirent *entry = readdir(dir); entry; entry = readdir(dir))
        if (!look_at(dir, entry->d_name, clear, content) && !error)
            error = errno;
    closedir(dir);
    return error;
}

char *cache_directory(void)
{
    size_t length = mote_cache_path(NULL, 0);
    char *path = length ? malloc(length + 1) : NULL;
    if (path)
        mote_cache_path(path, length + 1);
    return path;
}

static int take_option(void *state, int id, const char *value)
{
    (void)id;
    (void)value;
    *(bool *)state = true;
    return TOOL_GO_ON;
}

static int show(const tool_common *common, const char *path, bool clear)
{
    cache_content content;
    out_file *out;
    int error = cache_look(path, clear, &content);
    if (error)
        return tool_fail(TOOL_OUTPUT, "%s: %s: %s", path,
                         clear ? "cannot be cleared" : "cannot be read", strerror(error));
    int code = out_open(common->output, &out);
    if (code != TOOL_DONE)
        return code;
    out_print(out, "%.3000s: %zu program%s%s, %.1f of at most %zu MiB\n", path, content.programs,
              tool_plural(content.programs), clear ? " removed" : "",
              (double)content.bytes / 1048576.0, MOTE_CACHE_LIMIT >> 20);
    return out_finish(&out, 1);
}

static int cache_run(const tool_command *self, int argc, char **argv)
{
    tool_common common = {0};
    bool clear = false;
    int first;
    int code = tool_parse(self, argc, argv, &common, take_option, &clear, &first);
    if (code == TOOL_GO_ON)
        code = tool_no_operands(argc, argv, first);
    if (code != TOOL_GO_ON)
        return code;
    char *path = cache_directory();
    code = path ? show(&common, path, clear) : tool_fail(TOOL_USAGE, TOOL_NO_CACHE);
    free(path);
    return code;
}

const tool_command tool_cache = {
    .name = "cache",
    .arguments = "",
    .summary = "show or clear the cache of built kernels",
    .about =
        "Prints the directory in which built kernels are kept, their number and their size. A\n"
        "driver needs seconds to build the kernels, once for each device and driver. PoCL keeps\n"
        "the kernels that it builds for CPUs in another directory (POCL_CACHE_DIR, by default\n"
        "~/.cache/pocl), which this command neither counts nor clears.",
    .examples = "mote cache\n"
                "mote cache --clear",
    .options = cache_table,
    .run = cache_run,
};
