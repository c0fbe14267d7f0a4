/* SPDX-License-Identifier: Apache-2.0 */
#include "refuse_overwrite.h"

#include "out.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Compares the real path of the folder in which a new file would be created with that of another
 * file. */
static bool same_new_file(const char *a, const char *b)
{
    const char *name_a = strrchr(a, '/'), *name_b = strrchr(b, '/');
    if (strcmp(name_a ? name_a + 1 : a, name_b ? name_b + 1 : b) != 0)
        return false;
    char *folder_a = name_a ? strndup(a, (size_t)(name_a - a) + 1) : strdup(".");
    char *folder_b = name_b ? strndup(b, (size_t)(name_b - b) + 1) : strdup(".");
    struct stat info_a, info_b;
    bool same = folder_a && folder_b && stat(folder_a, &info_a) == 0 &&
                stat(folder_b, &info_b) == 0 && info_a.st_dev == info_b.st_dev &&
                info_a.st_ino == info_b.st_ino;
    free(folder_a);
    free(folder_b);
    return same;
}

static bool same_file(const char *a, const char *b)
{
    struct stat info_a, info_b;
    bool has_a = stat(a, &info_a) == 0, has_b = stat(b, &info_b) == 0;
    if (has_a != has_b)
        return false;
    if (!has_a) {
        char *to_a = out_target(a), *to_b = out_target(b);
        bool same = to_a && to_b && same_new_file(to_a, to_b);
        free(to_a);
        free(to_b);
        return same;
    }
    /* Devices such as /dev/null may be named twice. */
    return !S_ISCHR(info_a.st_mode) && info_a.st_dev == info_b.st_dev &&
           info_a.st_ino == info_b.st_ino;
}

/* "-" is the file that standard input comes from, if it is one. */
static bool overwrites(const char *input, const char *output)
{
    struct stat from, to;
    if (strcmp(input, "-") != 0)
        return same_file(input, output);
    return fstat(STDIN_FILENO, &from) == 0 && S_ISREG(from.st_mode) && stat(output, &to) == 0 &&
           from.st_dev == to.st_dev && from.st_ino == to.st_ino;
}

int same_refuse(char *const *inputs, size_t n_inputs, const char *const *outputs, size_t n_outputs)
{
    for (size_t k = 0; k < n_outputs; k++) {
        if (!outputs[k])
            continue;
        for (size_t i = 0; i < n_inputs; i++)
            if (overwrites(inputs[i], outputs[k]))
                return tool_fail(TOOL_USAGE, "%s is an input and an output (%s)",
                                 strcmp(inputs[i], "-") == 0 ? "standard input" : inputs[i],
                                 outputs[k]);
        for (size_t i = 0; i < k; i++)
            if (outputs[i] && same_file(outputs[i], outputs[k]))
                return tool_fail(TOOL_USAGE, "%s is named for two outputs", outputs[k]);
    }
    return TOOL_GO_ON;
}
