/* SPDX-License-Identifier: Apache-2.0 */
#include "cache_bed.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "core/cache.h"

char bed_root[TEMPORARY_ROOM];

/* Makes a new folder in which the cache creates its own, called "cache". */
void bed_open(void)
{
    char dir[2 * TEMPORARY_ROOM];
    temporary_make(bed_root);
    snprintf(dir, sizeof(dir), "%s/cache", bed_root);
    setenv("MOTE_CACHE_DIR", dir, 1);
    unsetenv("MOTE_CACHE");
}

void bed_close(void)
{
    temporary_remove(bed_root);
}

const char *bed_path(const char *name)
{
    static char path[2 * TEMPORARY_ROOM];
    snprintf(path, sizeof(path), "%s/%s", bed_root, name);
    return path;
}

/* Returns the path of the only entry. */
const char *bed_entry(void)
{
    char name[128] = "", path[200];
    ck_assert_uint_eq(temporary_count(bed_path("cache"), 0, name, sizeof(name)), 1);
    snprintf(path, sizeof(path), "cache/%s", name);
    return bed_path(path);
}

void bed_store(const char *key, const char *text)
{
    mote_cache_store(key, (const unsigned char *)text, strlen(text));
}

/* Returns 1 if the cache holds this text for the key, 0 if it holds nothing; any other content
 * fails the test. */
int bed_loads(const char *key, const char *text)
{
    unsigned char *payload = NULL;
    size_t length = 0;
    if (!mote_cache_load(key, &payload, &length))
        return 0;
    ck_assert_uint_eq(length, strlen(text));
    ck_assert_mem_eq(payload, text, length);
    free(payload);
    return 1;
}

unsigned char *bed_read(const char *path, size_t *length)
{
    struct stat st;
    ck_assert_int_eq(stat(path, &st), 0);
    *length = (size_t)st.st_size;
    unsigned char *data = malloc(*length + 1);
    FILE *file = fopen(path, "rb");
    ck_assert_ptr_nonnull(data);
    ck_assert_ptr_nonnull(file);
    ck_assert_uint_eq(fread(data, 1, *length, file), *length);
    fclose(file);
    return data;
}

void bed_write(const char *path, const unsigned char *data, size_t length)
{
    FILE *file = fopen(path, "wb");
    ck_assert_ptr_nonnull(file);
    ck_assert_uint_eq(fwrite(data, 1, length, file), length);
    fclose(file);
}
