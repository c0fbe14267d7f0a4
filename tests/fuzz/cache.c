/* SPDX-License-Identifier: Apache-2.0 */
/* Entries of the program cache: damaged ones, and ones with a valid checksum and any contents. */
#include "fuzz.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "core/cache.h"

fuzz_target fuzz_cache;

#define HEAD   40
#define SUMMED 24

static const char key[] = "mote 0.1.0\nplatform fuzz\nsource a.cl 1 0000\n";
static const char payload[] = "what a driver made of it";
static char folder[64];
static char path[400];
static uint8_t stored[256];
static size_t stored_bytes;

static void clean(void)
{
    if (*path)
        unlink(path);
    rmdir(folder);
}

static void find_entry(void)
{
    DIR *list = opendir(folder);
    for (struct dirent *d = list ? readdir(list) : NULL; d; d = readdir(list))
        if (d->d_name[0] != '.')
            snprintf(path, sizeof(path), "%s/%s", folder, d->d_name);
    if (list)
        closedir(list);
    FUZZ_CHECK(*path, "nothing is stored in %s", folder);
}

/* Creates one entry in a folder in memory, which is removed at the end. */
static void start(void)
{
    bool memory = access("/dev/shm", W_OK) == 0;
    snprintf(folder, sizeof(folder), "%s/mote-fuzz-XXXXXX", memory ? "/dev/shm" : "/tmp");
    FUZZ_CHECK(mkdtemp(folder), "no folder %s", folder);
    atexit(clean);
    setenv("MOTE_CACHE_DIR", folder, 1);
    unsetenv("MOTE_CACHE");
    mote_cache_store(key, (const unsigned char *)payload, sizeof(payload));
    find_entry();
    FILE *file = fopen(path, "rb");
    stored_bytes = file ? fread(stored, 1, sizeof(stored), file) : 0;
    FUZZ_CHECK(stored_bytes == HEAD + sizeof(key) - 1 + sizeof(payload), "%zu bytes are stored",
               stored_bytes);
    fclose(file);
}

static void put_u64(uint8_t *to, uint64_t value)
{
    for (int i = 0; i < 8; i++)
        to[i] = (uint8_t)(value >> (8 * i));
}

/* Computes the checksum of the format, so that the code after its check is reached. */
static void seal(uint8_t *entry, size_t length)
{
    XXH128_hash_t head = XXH3_128bits(entry, SUMMED);
    XXH128_hash_t hash =
        XXH3_128bits_withSeed(entry + HEAD, length - HEAD, head.low64 ^ head.high64);
    put_u64(entry + SUMMED, hash.low64);
    put_u64(entry + SUMMED + 8, hash.high64);
}

/* Returns the stored entry with changed bytes, each given by a pair of the input (position,
 * difference), and with its length changed by the first byte. */
static size_t damage(const uint8_t *data, size_t size, uint8_t *entry)
{
    size_t length = stored_bytes + data[0];
    length = length > 128 ? length - 128 : 0;
    memcpy(entry, stored, stored_bytes);
    for (size_t i = 1; i + 1 < size; i += 2)
        entry[data[i]] ^= data[i + 1];
    return length;
}

enum expected { REFUSED, FOUND, EITHER };

static void check_load(const uint8_t *entry, size_t length, enum expected expected)
{
    unsigned char *got = NULL;
    size_t got_bytes = 0;
    int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    FUZZ_CHECK(file >= 0 && write(file, entry, length) == (ssize_t)length, "cannot write %s", path);
    close(file);
    int found = mote_cache_load(key, &got, &got_bytes);
    FUZZ_CHECK(found || expected != FOUND, "a whole entry is refused");
    FUZZ_CHECK(!found || expected != REFUSED, "a damaged entry is taken");
    if (!found)
        return;
    size_t behind = HEAD + sizeof(key) - 1;
    bool right = length >= behind && got_bytes == length - behind &&
                 memcmp(entry + HEAD, key, sizeof(key) - 1) == 0 &&
                 memcmp(got, entry + behind, got_bytes) == 0;
    FUZZ_CHECK(right, "%zu bytes of %zu are not the payload", got_bytes, length);
    free(got);
}

/* The first byte is the kind of the input: 0 a whole file, 1 a file with a valid checksum, else
 * differences from a valid entry, all of which must be detected. */
void fuzz_cache(const uint8_t *data, size_t size)
{
    uint8_t entry[4096 + HEAD] = {0};
    if (!*path)
        start();
    if (size < 2 || size > 4096)
        return;
    size_t length = size - 1;
    if (data[0] <= 1) {
        memcpy(entry, data + 1, length);
        if (data[0] == 1 && length >= HEAD)
            seal(entry, length);
        check_load(entry, length, EITHER);
        return;
    }
    length = damage(data + 1, size - 1, entry);
    bool same = length == stored_bytes && memcmp(entry, stored, length) == 0;
    check_load(entry, length, same ? FOUND : REFUSED);
}
