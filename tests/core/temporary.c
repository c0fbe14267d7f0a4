/* SPDX-License-Identifier: Apache-2.0 */
#include "temporary.h"

#include <check.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

void temporary_make(char path[TEMPORARY_ROOM])
{
    const char *base = getenv("TMPDIR");
    snprintf(path, TEMPORARY_ROOM, "%s/mote-test-XXXXXX", base && *base ? base : "/tmp");
    ck_assert_ptr_nonnull(mkdtemp(path));
}

static int is_dots(const char *name)
{
    return strcmp(name, ".") == 0 || strcmp(name, "..") == 0;
}

void temporary_remove(const char *path)
{
    chmod(path, 0700);
    DIR *stream = opendir(path);
    for (struct dirent *d = stream ? readdir(stream) : NULL; d; d = readdir(stream)) {
        char inside[2 * TEMPORARY_ROOM];
        struct stat st;
        snprintf(inside, sizeof(inside), "%s/%s", path, d->d_name);
        if (is_dots(d->d_name) || lstat(inside, &st) != 0)
            continue;
        if (S_ISDIR(st.st_mode))
            temporary_remove(inside);
        else
            unlink(inside);
    }
    if (stream)
        closedir(stream);
    rmdir(path);
}

size_t temporary_count(const char *path, size_t n, char *name, size_t room)
{
    size_t count = 0;
    DIR *stream = opendir(path);
    ck_assert_ptr_nonnull(stream);
    for (struct dirent *d = readdir(stream); d; d = readdir(stream)) {
        if (is_dots(d->d_name))
            continue;
        if (name && count == n)
            snprintf(name, room, "%s", d->d_name);
        count++;
    }
    closedir(stream);
    return count;
}
