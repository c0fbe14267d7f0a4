/* SPDX-License-Identifier: Apache-2.0 */
#include "kind.h"

#include "unpack_kind.h"
#include "../option.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

bool input_is_stream(const char *path)
{
    struct stat info;
    if (strcmp(path, "-") == 0 || strncmp(path, "/dev/", 5) == 0)
        return true;
    return stat(path, &info) == 0 && !S_ISREG(info.st_mode) && !S_ISDIR(info.st_mode);
}

bool input_ends_with(const char *path, const char *ending)
{
    char packed[40];
    if (tool_ends_with(path, ending))
        return true;
    for (size_t k = 0; k < unpack_kinds; k++) {
        snprintf(packed, sizeof(packed), "%s%s", ending, unpack_kind_list[k].ending);
        if (tool_ends_with(path, packed))
            return true;
    }
    return false;
}

const char *input_skip_packing(const char *at)
{
    for (size_t k = 0; k < unpack_kinds; k++) {
        size_t n = strlen(unpack_kind_list[k].ending);
        if (strncmp(at, unpack_kind_list[k].ending, n) == 0)
            return at + n;
    }
    return at;
}
