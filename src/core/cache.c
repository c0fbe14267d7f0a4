/* SPDX-License-Identifier: Apache-2.0 */
/* An entry is a file that contains a header of 40 bytes, the key and the payload.
 *
 *     0  magic      "MOTEPRG", then the format's number: "1"
 *     8  length of the key      } little endian
 *    16  length of the payload  }
 *    24  XXH3-128 of the head above, key and payload: drivers crash on damaged programs
 *
 * The file's name is the XXH3-128 of the key; the key inside is authoritative. */
#include "core/cache.h"
#include "core/cache_dir.h"
#include "core/cache_entry.h"
#include "core/log.h"
#include "core/system.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#define HEAD       40
#define SUMMED     24 /* bytes of the head that the checksum covers */
#define ENTRY_MAX  (MOTE_CACHE_LIMIT / 2)
#define NAME_ROOM  64
#define NAME_TRIES 100

static const char magic[] = MOTE_CACHE_MAGIC "1";

static void put_u64(unsigned char *to, uint64_t value)
{
    for (int i = 0; i < 8; i++)
        to[i] = (unsigned char)(value >> (8 * i));
}

static uint64_t get_u64(const unsigned char *from)
{
    uint64_t value = 0;
    for (int i = 0; i < 8; i++)
        value |= (uint64_t)from[i] << (8 * i);
    return value;
}

static void file_name(const char *key, char name[NAME_ROOM])
{
    XXH128_hash_t hash = XXH3_128bits(key, strlen(key));
    snprintf(name, NAME_ROOM, "%016llx%016llx%s", (unsigned long long)hash.high64,
             (unsigned long long)hash.low64, MOTE_CACHE_SUFFIX);
}

/* Computes or checks the checksum of an entry, which covers everything but the checksum itself. */
static void checksum(const unsigned char *entry, size_t length, unsigned char sum[16])
{
    XXH128_hash_t head = XXH3_128bits(entry, SUMMED);
    XXH128_hash_t hash =
        XXH3_128bits_withSeed(entry + HEAD, length - HEAD, head.low64 ^ head.high64);
    put_u64(sum, hash.low64);
    put_u64(sum + 8, hash.high64);
}

/* Reads a whole regular file of the directory's owner into memory; NULL for anything else. The open
 * must not wait for a FIFO. */
static unsigned char *read_entry(int dir, const char *name, size_t *length)
{
    int file = openat(dir, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (file < 0)
        return NULL;
    struct stat st, of_dir;
    unsigned char *entry = NULL;
    if (fstat(file, &st) == 0 && fstat(dir, &of_dir) == 0 && S_ISREG(st.st_mode) &&
        st.st_uid == of_dir.st_uid && !(st.st_mode & (S_IWGRP | S_IWOTH)) && st.st_size >= HEAD &&
        (uintmax_t)st.st_size <= ENTRY_MAX)
        entry = malloc((size_t)st.st_size);
    if (entry && (!mote_read_whole(file, entry, (size_t)st.st_size, length) ||
                  *length < (size_t)st.st_size)) {
        free(entry);
        entry = NULL;
    }
    if (entry)
        futimens(file, NULL); /* least recently used entries are removed first */
    close(file);
    return entry;
}

/* Returns why an entry is not the one wanted, or NULL. */
static const char *objection(const unsigned char *entry, size_t length, const char *key)
{
    unsigned char sum[16];
    size_t key_length = strlen(key);
    uint64_t inside = length - HEAD;
    if (memcmp(entry, magic, strlen(magic)) != 0)
        return "it is of another format";
    if (get_u64(entry + 8) > inside || get_u64(entry + 16) != inside - get_u64(entry + 8))
        return "its length is wrong";
    checksum(entry, length, sum);
    if (memcmp(sum, entry + SUMMED, sizeof(sum)) != 0)
        return "its checksum is wrong";
    if (get_u64(entry + 8) != key_length || memcmp(entry + HEAD, key, key_length) != 0)
        return "it belongs to another key";
    return NULL;
}

static int load_from(int dir, const char *key, unsigned char **payload, size_t *length)
{
    char name[NAME_ROOM];
    file_name(key, name);
    if (dir < 0)
        return 0;
    size_t entry_length = 0;
    unsigned char *entry = read_entry(dir, name, &entry_length);
    close(dir);
    if (!entry)
        return 0;
    const char *wrong = objection(entry, entry_length, key);
    if (wrong) {
        mote_log(MOTE_LOG_INFO, "cache entry %s is not used: %s", name, wrong);
        free(entry);
        return 0;
    }
    size_t skip = HEAD + strlen(key);
    *length = entry_length - skip;
    memmove(entry, entry + skip, *length);
    *payload = entry;
    return 1;
}

int mote_cache_load(const char *key, unsigned char **payload, size_t *length)
{
    int found = load_from(mote_cache_dir_open(), key, payload, length), dir;
    for (size_t k = 0; !found && mote_cache_dir_open_shared(k, &dir); k++)
        found = load_from(dir, key, payload, length);
    return found;
}

/* Creates a file that no other process or thread writes to; its name is stored in `name`. */
static int open_new(int dir, char name[NAME_ROOM])
{
    static atomic_uint counter;
    for (int i = 0; i < NAME_TRIES; i++) {
        snprintf(name, NAME_ROOM, MOTE_CACHE_TEMPORARY "%ld-%u", (long)getpid(),
                 atomic_fetch_add(&counter, 1));
        int file = openat(dir, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
        if (file >= 0 || errno != EEXIST)
            return file;
    }
    return -1;
}

static bool write_all(int file, const unsigned char *data, size_t length)
{
    while (length > 0) {
        ssize_t put = write(file, data, length);
        if (put < 0 && errno == EINTR)
            continue;
        if (put <= 0)
            return false;
        data += put;
        length -= (size_t)put;
    }
    return true;
}

/* A write beyond a limit on the size of files (ulimit -f) also sends SIGXFSZ, which would end the
 * process. The signal is sent to the writing thread: it is blocked during the write, and removed if
 * it is pending. */
static bool write_quietly(int file, const unsigned char *data, size_t length)
{
    sigset_t xfsz, before, pending;
    sigemptyset(&xfsz);
    sigaddset(&xfsz, SIGXFSZ);
    sigpending(&pending);
    pthread_sigmask(SIG_BLOCK, &xfsz, &before);
    bool done = write_all(file, data, length);
    int why = errno;
    if (!done && why == EFBIG && !sigismember(&pending, SIGXFSZ))
        sigtimedwait(&xfsz, NULL, &(const struct timespec){0});
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    errno = why;
    return done;
}

/* Readers see the old entry or the complete new one, even after a crash. */
static bool replace(int dir, const char *name, const unsigned char *entry, size_t length)
{
    char temporary[NAME_ROOM];
    int file = open_new(dir, temporary);
    if (file < 0)
        return false;
    bool done = write_quietly(file, entry, length) && fsync(file) == 0;
    done = close(file) == 0 && done;
    done = done && renameat(dir, temporary, dir, name) == 0;
    if (!done) {
        int why = errno;
        unlinkat(dir, temporary, 0);
        errno = why;
    }
    return done;
}

int mote_cache_is_on(void)
{
    int dir = mote_cache_dir_open();
    if (dir >= 0)
        close(dir);
    return dir >= 0;
}

void mote_cache_store(const char *key, const unsigned char *payload, size_t length)
{
    size_t key_length = strlen(key);
    if (length > ENTRY_MAX - HEAD || key_length > ENTRY_MAX - HEAD - length)
        return;
    int dir = mote_cache_dir_open();
    if (dir < 0)
        return;
    size_t entry_length = HEAD + key_length + length;
    unsigned char *entry = malloc(entry_length);
    if (entry) {
        char name[NAME_ROOM];
        file_name(key, name);
        memcpy(entry, magic, strlen(magic));
        put_u64(entry + 8, key_length);
        put_u64(entry + 16, length);
        memcpy(entry + HEAD, key, key_length);
        memcpy(entry + HEAD + key_length, payload, length);
        checksum(entry, entry_length, entry + SUMMED);
        if (!replace(dir, name, entry, entry_length))
            mote_log(MOTE_LOG_INFO, "cache entry %s is not written: %s", name, strerror(errno));
        mote_cache_dir_trim(dir);
        free(entry);
    }
    close(dir);
}

void mote_cache_drop(const char *key)
{
    char name[NAME_ROOM];
    file_name(key, name);
    int dir = mote_cache_dir_open();
    if (dir < 0)
        return;
    unlinkat(dir, name, 0);
    close(dir);
}
