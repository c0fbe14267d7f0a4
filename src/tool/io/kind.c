/* SPDX-License-Identifier: Apache-2.0 */
#include "kind.h"

#include "../option.h"

#include <string.h>
#include <sys/stat.h>

bool input_is_stream(const char *path)
{
    struct stat info;
    if (strcmp(path, "-") == 0 || strncmp(path, "/dev/", 5) == 0)
        return true;
    return stat(path, &info) == 0 && !S_ISREG(info.st_mode) && !S_ISDIR(info.st_mode);
}

int input_refuse_packed(const char *path)
{
    static const struct {
        const char *ending, *program;
    } packed[] = {{".xz", "xz"}, {".gz", "gzip"}, {".bz2", "bzip2"}, {".zst", "zstd"}};
    for (size_t i = 0; i < sizeof(packed) / sizeof(packed[0]); i++)
        if (tool_ends_with(path, packed[i].ending))
            return tool_fail(TOOL_INPUT,
                             "%s: compressed files are not read; unpack it first: %s -dk %s", path,
                             packed[i].program, path);
    return TOOL_GO_ON;
}
