/* SPDX-License-Identifier: Apache-2.0 */
/* A program cache that is damaged or manipulated: a wrong entry is never used. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "cache_bed.h"
#include "damage.h"
#include "common/suite.h"

/* Behaviour of the wrapped calls of a store: the disk has room for this number of bytes, then
 * `full`. */
static struct {
    size_t room;
    int full;                 /* errno of a write beyond the room */
    size_t at_most;           /* limit of bytes for one write; 0 = none */
    int fsync, close, rename; /* errno of these calls, 0 = they work */
} disk = {.room = SIZE_MAX};

static void disk_works(void)
{
    memset(&disk, 0, sizeof(disk));
    disk.room = SIZE_MAX;
}

ssize_t __real_write(int file, const void *data, size_t length);
ssize_t __wrap_write(int file, const void *data, size_t length);
ssize_t __wrap_write(int file, const void *data, size_t length)
{
    if (length > disk.room)
        length = disk.room;
    if (disk.at_most && length > disk.at_most)
        length = disk.at_most;
    if (length == 0 && disk.full) {
        errno = disk.full;
        return -1;
    }
    ssize_t put = __real_write(file, data, length);
    if (put > 0 && disk.room != SIZE_MAX)
        disk.room -= (size_t)put;
    return put;
}

static int outcome(int error)
{
    errno = error;
    return error ? -1 : 0;
}

int __real_fsync(int file);
int __wrap_fsync(int file);
int __wrap_fsync(int file)
{
    return disk.fsync ? outcome(disk.fsync) : __real_fsync(file);
}

int __real_close(int file);
int __wrap_close(int file);
int __wrap_close(int file)
{
    int code = __real_close(file);
    return disk.close ? outcome(disk.close) : code;
}

int __real_renameat(int from, const char *old, int to, const char *name);
int __wrap_renameat(int from, const char *old, int to, const char *name);
int __wrap_renameat(int from, const char *old, int to, const char *name)
{
    return disk.rename ? outcome(disk.rename) : __real_renameat(from, old, to, name);
}

/* Nothing is stored, the old entry still exists, and there are no other files. */
static void store_fails(void)
{
    bed_store("key", "another text");
    disk_works();
    ck_assert_int_eq(bed_loads("key", "text"), 1);
    ck_assert_uint_eq(temporary_count(bed_path("cache"), 0, NULL, 0), 1);
}

START_TEST(full_disk)
{
    static const int full[] = {ENOSPC, EDQUOT, EIO, EROFS};
    bed_open();
    bed_store("key", "text");
    for (size_t i = 0; i < 4; i++)
        for (size_t room = 0; room < 48; room += 1 + room / 2) {
            disk.room = room;
            disk.full = full[i];
            store_fails();
        }
    disk.fsync = EIO;
    store_fails();
    disk.close = EDQUOT;
    store_fails();
    disk.rename = EACCES;
    store_fails();
    disk.at_most = 7;
    bed_store("key", "in small pieces");
    disk_works();
    ck_assert_int_eq(bed_loads("key", "in small pieces"), 1);
    bed_close();
}
END_TEST

static volatile sig_atomic_t signalled;

static void note_signal(int number)
{
    (void)number;
    signalled = 1;
}

/* The limit belongs to the process, and its effect on the process's other files is intended; the
 * signal for a program that could not be stored must not be delivered. */
START_TEST(limited_file_size)
{
    struct rlimit before;
    bed_open();
    bed_store("key", "text");
    ck_assert_int_eq(getrlimit(RLIMIT_FSIZE, &before), 0);
    for (int with_handler = 0; with_handler < 2; with_handler++) {
        signal(SIGXFSZ, with_handler ? note_signal : SIG_DFL);
        for (rlim_t most = 0; most < 48; most += 16) {
            const struct rlimit small = {most, before.rlim_max};
            /* Check writes files, too: assert nothing until the limit is restored. */
            int failed = setrlimit(RLIMIT_FSIZE, &small);
            bed_store("key", "another text");
            failed |= setrlimit(RLIMIT_FSIZE, &before);
            ck_assert_int_eq(failed, 0);
            ck_assert_int_eq(bed_loads("key", "text"), 1);
            ck_assert_uint_eq(temporary_count(bed_path("cache"), 0, NULL, 0), 1);
        }
    }
    ck_assert_int_eq(signalled, 0);
    signal(SIGXFSZ, SIG_DFL);
    bed_close();
}
END_TEST

#define KEY     "the key of the damaged entries"
#define DAMAGES 10000

/* Chooses other damage in each run; messages show the seed that repeats it. */
static uint64_t random_seed(void)
{
    const char *given = getenv("MOTE_TEST_SEED");
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return given ? strtoull(given, NULL, 0)
                 : (uint64_t)now.tv_sec * 1000000007u + (uint64_t)now.tv_nsec;
}

START_TEST(damaged_entries)
{
    char text[6000], path[2 * TEMPORARY_ROOM];
    size_t length, damaged = 0;
    const uint64_t seed = random_seed();
    uint64_t state = seed;
    bed_open();
    for (size_t i = 0; i < sizeof(text) - 1; i++)
        text[i] = (char)(1 + damage_random(&state) % 127);
    text[sizeof(text) - 1] = '\0';
    bed_store(KEY, text);
    snprintf(path, sizeof(path), "%s", bed_entry());
    unsigned char *whole = bed_read(path, &length);
    unsigned char *copy = malloc(length + DAMAGE_ROOM);
    ck_assert_ptr_nonnull(copy);
    for (size_t i = 0; i < DAMAGES; i++) {
        memcpy(copy, whole, length);
        size_t now = damage(&state, copy, length);
        bool same = now == length && memcmp(copy, whole, length) == 0;
        bed_write(path, copy, now);
        ck_assert_msg(bed_loads(KEY, text) == same, "damage %zu was %s, MOTE_TEST_SEED=%llu", i,
                      same ? "none, but seen" : "not seen", (unsigned long long)seed);
        damaged += !same;
    }
    ck_assert_uint_gt(damaged, DAMAGES * 9 / 10);
    bed_write(path, whole, 10);
    bed_store(KEY, text);
    ck_assert_int_eq(bed_loads(KEY, text), 1);
    free(copy);
    free(whole);
    bed_close();
}
END_TEST

/* Tests the smallest damage: an entry of each shorter length, and one with a change in each bit. */
START_TEST(every_cut_and_every_byte)
{
    char path[2 * TEMPORARY_ROOM];
    size_t length;
    bed_open();
    bed_store(KEY, "text");
    snprintf(path, sizeof(path), "%s", bed_entry());
    unsigned char *whole = bed_read(path, &length);
    for (size_t cut = 0; cut < length; cut++) {
        bed_write(path, whole, cut);
        ck_assert_int_eq(bed_loads(KEY, "text"), 0);
    }
    for (size_t i = 0; i < 8 * length; i++) {
        whole[i / 8] ^= (unsigned char)(1u << (i % 8));
        bed_write(path, whole, length);
        ck_assert_int_eq(bed_loads(KEY, "text"), 0);
        whole[i / 8] ^= (unsigned char)(1u << (i % 8));
    }
    bed_write(path, whole, length);
    ck_assert_int_eq(bed_loads(KEY, "text"), 1);
    free(whole);
    bed_close();
}
END_TEST

START_TEST(entry_of_another_key)
{
    char path[2 * TEMPORARY_ROOM];
    size_t length;
    bed_open();
    bed_store("key A", "program of A");
    snprintf(path, sizeof(path), "%s", bed_entry());
    unsigned char *whole = bed_read(path, &length);
    mote_cache_drop("key A");
    bed_store("key B", "program of B");
    snprintf(path, sizeof(path), "%s", bed_entry());
    bed_write(path, whole, length);
    ck_assert_int_eq(bed_loads("key B", "x"), 0);
    free(whole);
    bed_close();
}
END_TEST

START_TEST(entries_that_are_no_files)
{
    char path[2 * TEMPORARY_ROOM], other[2 * TEMPORARY_ROOM];
    bed_open();
    bed_store("key", "text");
    snprintf(path, sizeof(path), "%s", bed_entry());
    snprintf(other, sizeof(other), "%s", bed_path("elsewhere"));
    ck_assert_int_eq(rename(path, other), 0);
    ck_assert_int_eq(symlink(other, path), 0);
    ck_assert_int_eq(bed_loads("key", "text"), 0);
    ck_assert_int_eq(unlink(path), 0);
    ck_assert_int_eq(mkfifo(path, 0600), 0);
    ck_assert_int_eq(bed_loads("key", "text"), 0);
    bed_store("key", "text");
    ck_assert_int_eq(bed_loads("key", "text"), 1);
    ck_assert_int_eq(unlink(path), 0);
    ck_assert_int_eq(mkdir(path, 0700), 0);
    ck_assert_int_eq(bed_loads("key", "text"), 0);
    bed_store("key", "text");
    ck_assert_int_eq(bed_loads("key", "text"), 0);
    ck_assert_uint_eq(temporary_count(bed_path("cache"), 0, NULL, 0), 1);
    bed_close();
}
END_TEST

/* In a folder that others can read, they could also write to such a file. */
START_TEST(entries_that_others_can_write_to)
{
    static const mode_t modes[] = {0602, 0620, 0666};
    bed_open();
    bed_store("key", "text");
    ck_assert_int_eq(chmod(bed_entry(), 0644), 0);
    ck_assert_int_eq(bed_loads("key", "text"), 1);
    for (size_t i = 0; i < 3; i++) {
        ck_assert_int_eq(chmod(bed_entry(), modes[i]), 0);
        ck_assert_int_eq(bed_loads("key", "text"), 0);
    }
    bed_store("key", "text");
    ck_assert_int_eq(bed_loads("key", "text"), 1);
    bed_close();
}
END_TEST

START_TEST(folders_that_are_refused)
{
    char cache[2 * TEMPORARY_ROOM];
    bed_open();
    snprintf(cache, sizeof(cache), "%s", bed_path("cache"));
    ck_assert_int_eq(mkdir(bed_path("real"), 0700), 0);
    ck_assert_int_eq(symlink("real", cache), 0);
    bed_store("key", "text");
    setenv("MOTE_CACHE_DIR", bed_path("cache/"), 1);
    bed_store("key", "text");
    ck_assert_uint_eq(temporary_count(bed_path("real"), 0, NULL, 0), 0);
    setenv("MOTE_CACHE_DIR", bed_path("real"), 1);
    bed_store("key", "text");
    ck_assert_int_eq(bed_loads("key", "text"), 1);
    ck_assert_int_eq(chmod(bed_path("real"), 0777), 0);
    ck_assert_int_eq(bed_loads("key", "text"), 0);
    ck_assert_int_eq(chmod(bed_path("real"), 0770), 0);
    ck_assert_int_eq(bed_loads("key", "text"), 0);
    ck_assert_int_eq(chmod(bed_path("real"), 0755), 0);
    ck_assert_int_eq(bed_loads("key", "text"), 1);
    if (geteuid() == 0) {
        ck_assert_int_eq(chown(bed_path("real"), 65534, 65534), 0);
        ck_assert_int_eq(bed_loads("key", "text"), 0);
    }
    unlink(cache);
    ck_assert_int_eq(mkfifo(cache, 0600), 0);
    setenv("MOTE_CACHE_DIR", cache, 1);
    bed_store("key", "text");
    ck_assert_int_eq(bed_loads("key", "text"), 0);
    bed_close();
}
END_TEST

/* Root may write to a read-only folder, so for root only folders are tested to which nobody can
 * write. */
START_TEST(folders_without_room)
{
    static const char *const places[] = {"/dev/null/x", "/proc/nothing", "/sys"};
    bed_open();
    for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
        setenv("MOTE_CACHE_DIR", places[i], 1);
        bed_store("key", "text");
        ck_assert_int_eq(bed_loads("key", "text"), 0);
    }
    ck_assert_int_eq(mkdir(bed_path("cache"), 0700), 0);
    setenv("MOTE_CACHE_DIR", bed_path("cache"), 1);
    bed_store("key", "text");
    ck_assert_int_eq(chmod(bed_path("cache"), 0500), 0);
    ck_assert_int_eq(bed_loads("key", "text"), 1);
    if (geteuid() != 0) {
        bed_store("key 2", "text");
        ck_assert_int_eq(bed_loads("key 2", "text"), 0);
    }
    bed_close();
}
END_TEST

static const suite_test tests[] = {
    SUITE_TEST(full_disk),
    SUITE_TEST(limited_file_size),
    SUITE_TEST(damaged_entries),
    SUITE_TEST(every_cut_and_every_byte),
    SUITE_TEST(entry_of_another_key),
    SUITE_TEST(entries_that_are_no_files),
    SUITE_TEST(entries_that_others_can_write_to),
    SUITE_TEST(folders_that_are_refused),
    SUITE_TEST(folders_without_room),
};

SUITE_MAIN("cache_hostile", tests)
