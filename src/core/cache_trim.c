/* SPDX-License-Identifier: Apache-2.0 */
#include "core/cache_dir.h"
#include "core/cache_entry.h"
#include "core/log.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* A writer that has not finished within this many seconds has died. */
#define UNFINISHED_SECONDS 3600

typedef struct cache_entry {
    char name[64];
    struct timespec used;
    uint64_t bytes;
} cache_entry;

typedef struct cache_list {
    cache_entry *entries;
    size_t count, room;
    uint64_t bytes;
} cache_list;

static void add(cache_list *list, const char *name, const struct stat *st)
{
    if (list->count == list->room) {
        size_t room = list->room ? 2 * list->room : 64;
        cache_entry *grown = realloc(list->entries, room * sizeof(*grown));
        if (!grown)
            return;
        list->entries = grown;
        list->room = room;
    }
    cache_entry *entry = &list->entries[list->count++];
    memcpy(entry->name, name, strlen(name) + 1); /* fits: a name has 32 digits and the suffix */
    entry->used = st->st_mtim;
    entry->bytes = st->st_size > 0 ? (uint64_t)st->st_size : 0;
    list->bytes += entry->bytes;
}

static void look_at(cache_list *list, int dir, const char *name, time_t now)
{
    struct stat st;
    mote_cache_kind kind = mote_cache_kind_of(dir, name, &st);
    if (kind == MOTE_CACHE_ENTRY)
        add(list, name, &st);
    else if (kind == MOTE_CACHE_UNFINISHED && now - st.st_mtim.tv_sec > UNFINISHED_SECONDS)
        unlinkat(dir, name, 0);
}

static int older_first(const void *a, const void *b)
{
    const struct timespec *x = &((const cache_entry *)a)->used;
    const struct timespec *y = &((const cache_entry *)b)->used;
    if (x->tv_sec != y->tv_sec)
        return x->tv_sec < y->tv_sec ? -1 : 1;
    return (x->tv_nsec > y->tv_nsec) - (x->tv_nsec < y->tv_nsec);
}

void mote_cache_dir_trim(int dir)
{
    /* A second descriptor, because fdopendir() owns its descriptor and needs the position at the
     * start. */
    int copy = openat(dir, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *stream = copy < 0 ? NULL : fdopendir(copy);
    if (!stream) {
        if (copy >= 0)
            close(copy);
        return;
    }
    cache_list list = {0};
    time_t now = time(NULL);
    for (struct dirent *d = readdir(stream); d; d = readdir(stream))
        look_at(&list, dir, d->d_name, now);
    closedir(stream);
    if (list.bytes > MOTE_CACHE_LIMIT)
        qsort(list.entries, list.count, sizeof(*list.entries), older_first);
    for (size_t i = 0; i < list.count && list.bytes > MOTE_CACHE_LIMIT; i++) {
        mote_log(MOTE_LOG_DEBUG, "the cache is full: %s is removed", list.entries[i].name);
        unlinkat(dir, list.entries[i].name, 0);
        list.bytes -= list.entries[i].bytes;
    }
    free(list.entries);
}
