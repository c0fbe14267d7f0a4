/* SPDX-License-Identifier: Apache-2.0 */
/* Which reader a file needs, by its name. */
#include "digis.h"

#include "../option.h"

#include <string.h>
#include <sys/stat.h>

/* Pipes and the names the shell gives them have no ending: they are CSV. */
static bool is_stream(const char *path)
{
    struct stat info;
    if (strcmp(path, "-") == 0 || strncmp(path, "/dev/", 5) == 0)
        return true;
    return stat(path, &info) == 0 && !S_ISREG(info.st_mode) && !S_ISDIR(info.st_mode);
}

int digi_read(const char *path, const digi_options *options, digi_set *set)
{
    static const struct {
        const char *ending, *program;
    } packed[] = {{".xz", "xz"}, {".gz", "gzip"}, {".bz2", "bzip2"}, {".zst", "zstd"}};
    *set = (digi_set){0};
    for (size_t i = 0; i < sizeof(packed) / sizeof(packed[0]); i++)
        if (tool_ends_with(path, packed[i].ending))
            return tool_fail(TOOL_INPUT,
                             "%s: compressed files are not read; unpack it first: %s -dk %s", path,
                             packed[i].program, path);
    if (tool_ends_with(path, ".bin"))
        return digi_pdig_read(path, options, set);
    if (!tool_ends_with(path, ".csv") && !is_stream(path)) {
        struct stat info;
        if (stat(path, &info) == 0 && S_ISREG(info.st_mode))
            return tool_fail(TOOL_INPUT, "%s: the name must end in .csv or .bin", path);
    }
    in_file in;
    int code = in_open(path, &in);
    if (code == TOOL_DONE)
        code = digi_csv_read(&in, options, set);
    in_close(&in);
    return code;
}
