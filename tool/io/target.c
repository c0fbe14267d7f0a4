/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the file to which the name of an output leads. */
#include "out.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MOST_LINKS 40 /* links followed one after another, which is the limit of Linux */

/* Returns the path to which the link `path` leads, or NULL with errno set. */
static char *follow(const char *path)
{
    char *to = calloc(1, PATH_MAX);
    const char *slash = strrchr(path, '/');
    size_t folder = slash ? (size_t)(slash - path) + 1 : 0;
    ssize_t n = to ? readlink(path, to, PATH_MAX - 1) : -1;
    char *joined = n > 0 ? malloc(folder + (size_t)n + 1) : NULL;
    if (joined && *to == '/')
        folder = 0;
    if (joined)
        sprintf(joined, "%.*s%s", (int)folder, path, to);
    free(to);
    return joined;
}

char *out_target(const char *path)
{
    char *name = realpath(path, NULL);
    if (name || errno != ENOENT)
        return name;
    name = strdup(path);
    struct stat info;
    for (int links = 0; name && lstat(name, &info) == 0 && S_ISLNK(info.st_mode); links++) {
        char *next = links < MOST_LINKS ? follow(name) : NULL;
        free(name);
        name = next;
    }
    return name;
}
