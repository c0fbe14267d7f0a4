/* SPDX-License-Identifier: Apache-2.0 */
/* The files of the program cache: what is refused, what survives, how much is kept. */
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "core/cache.h"
#include "core/cache_dir.h"
#include "suite.h"
#include "temporary.h"

static char root[TEMPORARY_ROOM];

/* A new folder in which the cache will make its own, called "cache". */
static void setup(void)
{
    char dir[2 * TEMPORARY_ROOM];
    temporary_make(root);
    snprintf(dir, sizeof(dir), "%s/cache", root);
    setenv("MOTE_CACHE_DIR", dir, 1);
    unsetenv("MOTE_CACHE");
}

static void teardown(void)
{
    temporary_remove(root);
}

static const char *inside(const char *name)
{
    static char path[2 * TEMPORARY_ROOM];
    snprintf(path, sizeof(path), "%s/%s", root, name);
    return path;
}

/* The path of the only entry. */
static const char *entry_path(void)
{
    char name[128] = "", path[200];
    ck_assert_uint_eq(temporary_count(inside("cache"), 0, name, sizeof(name)), 1);
    snprintf(path, sizeof(path), "cache/%s", name);
    return inside(path);
}

static void store(const char *key, const char *text)
{
    mote_cache_store(key, (const unsigned char *)text, strlen(text));
}

/* 1 when the key gives this text, 0 when nothing; anything else fails the test. */
static int loads(const char *key, const char *text)
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

START_TEST(round_trip)
{
    setup();
    ck_assert_int_eq(loads("key 1", "x"), 0);
    store("key 1", "one");
    store("key 2", "two");
    store("key 3", "");
    ck_assert_int_eq(loads("key 1", "one"), 1);
    ck_assert_int_eq(loads("key 2", "two"), 1);
    ck_assert_int_eq(loads("key 3", ""), 1);
    ck_assert_int_eq(loads("key", "x"), 0);
    store("key 1", "a longer one");
    ck_assert_int_eq(loads("key 1", "a longer one"), 1);
    mote_cache_drop("key 1");
    mote_cache_drop("key 9");
    ck_assert_int_eq(loads("key 1", "x"), 0);
    ck_assert_uint_eq(temporary_count(inside("cache"), 0, NULL, 0), 2);
    teardown();
}
END_TEST

START_TEST(folders_are_made_private)
{
    struct stat st;
    setup();
    setenv("MOTE_CACHE_DIR", inside("a/b/c//"), 1);
    store("key", "text");
    ck_assert_int_eq(loads("key", "text"), 1);
    ck_assert_int_eq(stat(inside("a/b/c"), &st), 0);
    ck_assert_int_eq(st.st_mode & 0777, 0700);
    unsetenv("MOTE_CACHE_DIR");
    setenv("XDG_CACHE_HOME", inside("xdg"), 1);
    store("key", "text");
    ck_assert_int_eq(stat(inside("xdg/mote"), &st), 0);
    char *home = getenv("HOME") ? strdup(getenv("HOME")) : NULL;
    setenv("XDG_CACHE_HOME", "relative", 1);
    setenv("HOME", root, 1);
    store("key", "text");
    ck_assert_int_eq(stat(inside(".cache/mote"), &st), 0);
    unsetenv("XDG_CACHE_HOME");
    unsetenv("HOME");
    store("key", "text");
    ck_assert_int_eq(loads("key", "text"), 0);
    if (home)
        setenv("HOME", home, 1);
    free(home);
    teardown();
}
END_TEST

START_TEST(off)
{
    setup();
    setenv("MOTE_CACHE", "off", 1);
    store("key", "text");
    ck_assert_int_eq(access(inside("cache"), F_OK), -1);
    unsetenv("MOTE_CACHE");
    store("key", "text");
    ck_assert_int_eq(loads("key", "text"), 1);
    setenv("MOTE_CACHE", "off", 1);
    ck_assert_int_eq(loads("key", "text"), 0);
    unsetenv("MOTE_CACHE");
    teardown();
}
END_TEST

static unsigned char *read_file(const char *path, size_t *length)
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

static void write_file(const char *path, const unsigned char *data, size_t length)
{
    FILE *file = fopen(path, "wb");
    ck_assert_ptr_nonnull(file);
    ck_assert_uint_eq(fwrite(data, 1, length, file), length);
    fclose(file);
}

/* Damage number i: a changed byte, a cut, bytes more, or a stretch of other bytes. */
static size_t damage(unsigned char *data, size_t length, unsigned i)
{
    unsigned random = (i + 1) * 2654435761u;
    size_t at = random % length;
    if (i % 4 == 0)
        data[at] ^= (unsigned char)(1u << (i / 4 % 8));
    else if (i % 4 == 1)
        return at;
    else if (i % 4 == 2) {
        data[length] = (unsigned char)random;
        return length + 1;
    } else
        for (size_t k = at; k < length && k < at + 9; k++)
            data[k] = (unsigned char)~data[k];
    return length;
}

START_TEST(damaged_entries)
{
    char text[600], path[2 * TEMPORARY_ROOM];
    size_t length;
    setup();
    memset(text, 'p', sizeof(text) - 1);
    text[sizeof(text) - 1] = '\0';
    store("the key of the damaged entries", text);
    snprintf(path, sizeof(path), "%s", entry_path());
    unsigned char *whole = read_file(path, &length);
    unsigned char *copy = malloc(length + 1);
    ck_assert_ptr_nonnull(copy);
    for (unsigned i = 0; i < 300; i++) {
        memcpy(copy, whole, length);
        write_file(path, copy, damage(copy, length, i));
        ck_assert_msg(!loads("the key of the damaged entries", text), "damage %u was not seen", i);
    }
    write_file(path, whole, length);
    ck_assert_int_eq(loads("the key of the damaged entries", text), 1);
    write_file(path, whole, 10);
    store("the key of the damaged entries", text);
    ck_assert_int_eq(loads("the key of the damaged entries", text), 1);
    free(copy);
    free(whole);
    teardown();
}
END_TEST

START_TEST(entry_of_another_key)
{
    char path[2 * TEMPORARY_ROOM];
    size_t length;
    setup();
    store("key A", "program of A");
    snprintf(path, sizeof(path), "%s", entry_path());
    unsigned char *whole = read_file(path, &length);
    mote_cache_drop("key A");
    store("key B", "program of B");
    snprintf(path, sizeof(path), "%s", entry_path());
    write_file(path, whole, length);
    ck_assert_int_eq(loads("key B", "x"), 0);
    free(whole);
    teardown();
}
END_TEST

START_TEST(entries_that_are_no_files)
{
    char path[2 * TEMPORARY_ROOM], other[2 * TEMPORARY_ROOM];
    setup();
    store("key", "text");
    snprintf(path, sizeof(path), "%s", entry_path());
    snprintf(other, sizeof(other), "%s", inside("elsewhere"));
    ck_assert_int_eq(rename(path, other), 0);
    ck_assert_int_eq(symlink(other, path), 0);
    ck_assert_int_eq(loads("key", "text"), 0);
    ck_assert_int_eq(unlink(path), 0);
    ck_assert_int_eq(mkfifo(path, 0600), 0);
    ck_assert_int_eq(loads("key", "text"), 0);
    store("key", "text");
    ck_assert_int_eq(loads("key", "text"), 1);
    ck_assert_int_eq(unlink(path), 0);
    ck_assert_int_eq(mkdir(path, 0700), 0);
    ck_assert_int_eq(loads("key", "text"), 0);
    store("key", "text");
    ck_assert_int_eq(loads("key", "text"), 0);
    ck_assert_uint_eq(temporary_count(inside("cache"), 0, NULL, 0), 1);
    teardown();
}
END_TEST

START_TEST(folders_that_are_refused)
{
    char cache[2 * TEMPORARY_ROOM];
    setup();
    snprintf(cache, sizeof(cache), "%s", inside("cache"));
    ck_assert_int_eq(mkdir(inside("real"), 0700), 0);
    ck_assert_int_eq(symlink("real", cache), 0);
    store("key", "text");
    setenv("MOTE_CACHE_DIR", inside("cache/"), 1);
    store("key", "text");
    ck_assert_uint_eq(temporary_count(inside("real"), 0, NULL, 0), 0);
    setenv("MOTE_CACHE_DIR", inside("real"), 1);
    store("key", "text");
    ck_assert_int_eq(loads("key", "text"), 1);
    ck_assert_int_eq(chmod(inside("real"), 0777), 0);
    ck_assert_int_eq(loads("key", "text"), 0);
    ck_assert_int_eq(chmod(inside("real"), 0770), 0);
    ck_assert_int_eq(loads("key", "text"), 0);
    ck_assert_int_eq(chmod(inside("real"), 0755), 0);
    ck_assert_int_eq(loads("key", "text"), 1);
    if (geteuid() == 0) {
        ck_assert_int_eq(chown(inside("real"), 65534, 65534), 0);
        ck_assert_int_eq(loads("key", "text"), 0);
    }
    unlink(cache);
    ck_assert_int_eq(mkfifo(cache, 0600), 0);
    setenv("MOTE_CACHE_DIR", cache, 1);
    store("key", "text");
    ck_assert_int_eq(loads("key", "text"), 0);
    teardown();
}
END_TEST

/* Root may write to a read-only folder, so for it only the places where nobody can are tried. */
START_TEST(folders_without_room)
{
    static const char *const places[] = {"/dev/null/x", "/proc/nothing", "/sys"};
    setup();
    for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
        setenv("MOTE_CACHE_DIR", places[i], 1);
        store("key", "text");
        ck_assert_int_eq(loads("key", "text"), 0);
    }
    ck_assert_int_eq(mkdir(inside("cache"), 0700), 0);
    setenv("MOTE_CACHE_DIR", inside("cache"), 1);
    store("key", "text");
    ck_assert_int_eq(chmod(inside("cache"), 0500), 0);
    ck_assert_int_eq(loads("key", "text"), 1);
    if (geteuid() != 0) {
        store("key 2", "text");
        ck_assert_int_eq(loads("key 2", "text"), 0);
    }
    teardown();
}
END_TEST

/* A file of `bytes` without content, last used `age` seconds ago. */
static void make_old(const char *name, off_t bytes, time_t age)
{
    char path[2 * TEMPORARY_ROOM];
    snprintf(path, sizeof(path), "%s/cache/%s", root, name);
    int file = open(path, O_CREAT | O_WRONLY, 0600);
    ck_assert_int_ge(file, 0);
    ck_assert_int_eq(ftruncate(file, bytes), 0);
    time_t when = time(NULL) - age;
    ck_assert_int_eq(futimens(file, (struct timespec[2]){{when, 0}, {when, 0}}), 0);
    close(file);
}

static bool is_there(const char *name)
{
    char path[200];
    snprintf(path, sizeof(path), "cache/%s", name);
    return access(inside(path), F_OK) == 0;
}

START_TEST(least_recently_used_go_first)
{
    char name[64];
    setup();
    store("kept", "by its use");
    ck_assert_int_eq(
        utimensat(AT_FDCWD, entry_path(), (struct timespec[2]){{1000, 0}, {1000, 0}}, 0), 0);
    for (int i = 0; i < 20; i++) {
        snprintf(name, sizeof(name), "%032d" MOTE_CACHE_SUFFIX, i);
        make_old(name, (off_t)8 << 20, 1000 - i);
    }
    make_old("notes.txt", (off_t)100 << 20, 100000);
    make_old(MOTE_CACHE_TEMPORARY "1-1", 10, 100000);
    make_old(MOTE_CACHE_TEMPORARY "2-2", 10, 10);
    ck_assert_int_eq(loads("kept", "by its use"), 1);
    store("new", "text");
    for (int i = 0; i < 20; i++) {
        snprintf(name, sizeof(name), "%032d" MOTE_CACHE_SUFFIX, i);
        ck_assert_msg(is_there(name) == (i >= 13), "entry %d", i);
    }
    ck_assert(is_there("notes.txt"));
    ck_assert(!is_there(MOTE_CACHE_TEMPORARY "1-1"));
    ck_assert(is_there(MOTE_CACHE_TEMPORARY "2-2"));
    ck_assert_int_eq(loads("kept", "by its use"), 1);
    ck_assert_int_eq(loads("new", "text"), 1);
    teardown();
}
END_TEST

START_TEST(too_large)
{
    size_t length = MOTE_CACHE_LIMIT / 2;
    unsigned char *data = calloc(1, length), *back = NULL;
    ck_assert_ptr_nonnull(data);
    setup();
    mote_cache_store("large", data, length);
    ck_assert_int_eq(mote_cache_load("large", &back, &length), 0);
    store("small", "text");
    ck_assert_int_eq(truncate(entry_path(), (off_t)1 << 40), 0);
    ck_assert_int_eq(loads("small", "text"), 0);
    free(data);
    teardown();
}
END_TEST

static void *store_and_load(void *text)
{
    size_t bad = 0;
    for (int i = 0; i < 20; i++) {
        unsigned char *payload = NULL;
        size_t length = 0;
        store("shared", text);
        if (!mote_cache_load("shared", &payload, &length))
            continue;
        /* Every writer's text is one letter repeated: a mixture would show. */
        for (size_t k = 0; k < length; k++)
            bad += payload[k] != payload[0];
        bad += length != 4000;
        free(payload);
    }
    return bad ? text : NULL;
}

START_TEST(many_writers)
{
    pthread_t threads[6];
    static char texts[6][4001];
    setup();
    for (int i = 0; i < 6; i++) {
        memset(texts[i], 'a' + i, 4000);
        ck_assert_int_eq(pthread_create(&threads[i], NULL, store_and_load, texts[i]), 0);
    }
    for (int i = 0; i < 6; i++) {
        void *bad = NULL;
        pthread_join(threads[i], &bad);
        ck_assert_ptr_null(bad);
    }
    ck_assert_uint_eq(temporary_count(inside("cache"), 0, NULL, 0), 1);
    teardown();
}
END_TEST

static const suite_test tests[] = {
    SUITE_TEST(round_trip),
    SUITE_TEST(folders_are_made_private),
    SUITE_TEST(off),
    SUITE_TEST(damaged_entries),
    SUITE_TEST(entry_of_another_key),
    SUITE_TEST(entries_that_are_no_files),
    SUITE_TEST(folders_that_are_refused),
    SUITE_TEST(folders_without_room),
    SUITE_TEST(least_recently_used_go_first),
    SUITE_TEST(too_large),
    SUITE_TEST(many_writers),
};

SUITE_MAIN("cache", tests)
