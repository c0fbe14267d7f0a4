/* SPDX-License-Identifier: Apache-2.0 */
/* The files of the program cache: which entries are found, where they are, and how many are
 * kept. */
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "cache_bed.h"
#include "core/cache_dir.h"
#include "core/cache_entry.h"
#include "common/suite.h"

START_TEST(round_trip)
{
    bed_open();
    ck_assert_int_eq(bed_loads("key 1", "x"), 0);
    bed_store("key 1", "one");
    bed_store("key 2", "two");
    bed_store("key 3", "");
    ck_assert_int_eq(bed_loads("key 1", "one"), 1);
    ck_assert_int_eq(bed_loads("key 2", "two"), 1);
    ck_assert_int_eq(bed_loads("key 3", ""), 1);
    ck_assert_int_eq(bed_loads("key", "x"), 0);
    bed_store("key 1", "a longer one");
    ck_assert_int_eq(bed_loads("key 1", "a longer one"), 1);
    mote_cache_drop("key 1");
    mote_cache_drop("key 9");
    ck_assert_int_eq(bed_loads("key 1", "x"), 0);
    ck_assert_uint_eq(temporary_count(bed_path("cache"), 0, NULL, 0), 2);
    bed_close();
}
END_TEST

START_TEST(folders_are_made_private)
{
    struct stat st;
    bed_open();
    setenv("MOTE_CACHE_DIR", bed_path("a/b/c//"), 1);
    bed_store("key", "text");
    ck_assert_int_eq(bed_loads("key", "text"), 1);
    ck_assert_int_eq(stat(bed_path("a/b/c"), &st), 0);
    ck_assert_int_eq(st.st_mode & 0777, 0700);
    unsetenv("MOTE_CACHE_DIR");
    setenv("XDG_CACHE_HOME", bed_path("xdg"), 1);
    bed_store("key", "text");
    ck_assert_int_eq(stat(bed_path("xdg/mote"), &st), 0);
    char *home = getenv("HOME") ? strdup(getenv("HOME")) : NULL;
    setenv("XDG_CACHE_HOME", "relative", 1);
    setenv("HOME", bed_root, 1);
    bed_store("key", "text");
    ck_assert_int_eq(stat(bed_path(".cache/mote"), &st), 0);
    unsetenv("XDG_CACHE_HOME");
    unsetenv("HOME");
    bed_store("key", "text");
    ck_assert_int_eq(bed_loads("key", "text"), 0);
    if (home)
        setenv("HOME", home, 1);
    free(home);
    bed_close();
}
END_TEST

/* Sets MOTE_CACHE_DIR to names in the bed's folder, separated by colons. */
static void set_folders(const char *first, const char *second, const char *third)
{
    char value[4 * TEMPORARY_ROOM];
    snprintf(value, sizeof(value), "%s%s%s:%s/%s:%s/%s", *first ? bed_root : "", *first ? "/" : "",
             first, bed_root, second, bed_root, third);
    setenv("MOTE_CACHE_DIR", value, 1);
}

START_TEST(shared_folders_are_read)
{
    bed_open();
    setenv("MOTE_CACHE_DIR", bed_path("shared"), 1);
    bed_store("key", "shared");
    bed_store("both", "shared");
    set_folders("own", "nowhere", "shared//");
    ck_assert_int_eq(bed_loads("key", "shared"), 1);
    ck_assert_int_eq(bed_loads("neither", "x"), 0);
    bed_store("both", "own");
    ck_assert_int_eq(bed_loads("both", "own"), 1);
    mote_cache_drop("both");
    ck_assert_int_eq(bed_loads("both", "shared"), 1);
    ck_assert_int_eq(access(bed_path("nowhere"), F_OK), -1);
    ck_assert_uint_eq(temporary_count(bed_path("shared"), 0, NULL, 0), 2);
    ck_assert_uint_eq(temporary_count(bed_path("own"), 0, NULL, 0), 0);

    setenv("XDG_CACHE_HOME", bed_path("xdg"), 1);
    set_folders("", "", "shared"); /* the usual folder comes first */
    bed_store("usual", "text");
    ck_assert_int_eq(access(bed_path("xdg/mote"), F_OK), 0);
    ck_assert_int_eq(bed_loads("key", "shared"), 1);
    unsetenv("XDG_CACHE_HOME");

    set_folders("own", "", "shared");
    ck_assert_int_eq(chmod(bed_path("shared"), 0722), 0); /* anyone could have stored it */
    ck_assert_int_eq(bed_loads("key", "x"), 0);
    ck_assert_int_eq(chmod(bed_path("shared"), 0500), 0);
    ck_assert_int_eq(bed_loads("key", "shared"), 1);
    if (geteuid() == 0) {
        ck_assert_int_eq(chown(bed_path("shared"), 65534, 65534), 0);
        ck_assert_int_eq(bed_loads("key", "x"),
                         0); /* the entry does not belong to the folder's owner */
        setenv("MOTE_CACHE_DIR", bed_path("shared"), 1);
        ck_assert_int_eq(bed_loads("key", "x"), 0);
    }
    chmod(bed_path("shared"), 0700);
    setenv("MOTE_CACHE", "off", 1);
    set_folders("own", "", "shared");
    ck_assert_int_eq(bed_loads("key", "x"), 0);
    unsetenv("MOTE_CACHE");
    bed_close();
}
END_TEST

START_TEST(off)
{
    bed_open();
    setenv("MOTE_CACHE", "off", 1);
    bed_store("key", "text");
    ck_assert_int_eq(access(bed_path("cache"), F_OK), -1);
    unsetenv("MOTE_CACHE");
    bed_store("key", "text");
    ck_assert_int_eq(bed_loads("key", "text"), 1);
    setenv("MOTE_CACHE", "off", 1);
    ck_assert_int_eq(bed_loads("key", "text"), 0);
    unsetenv("MOTE_CACHE");
    bed_close();
}
END_TEST

/* Makes a file of `bytes` bytes that begins with `text` and was last used `age` seconds ago. */
static void make_old(const char *name, const char *text, off_t bytes, time_t age)
{
    char path[2 * TEMPORARY_ROOM];
    snprintf(path, sizeof(path), "%s/cache/%s", bed_root, name);
    int file = open(path, O_CREAT | O_WRONLY, 0600);
    ck_assert_int_ge(file, 0);
    ck_assert_int_eq(write(file, text, strlen(text)), (ssize_t)strlen(text));
    ck_assert_int_eq(ftruncate(file, bytes), 0);
    time_t when = time(NULL) - age;
    ck_assert_int_eq(futimens(file, (struct timespec[2]){{when, 0}, {when, 0}}), 0);
    close(file);
}

static bool is_there(const char *name)
{
    char path[200];
    snprintf(path, sizeof(path), "cache/%s", name);
    return access(bed_path(path), F_OK) == 0;
}

START_TEST(least_recently_used_go_first)
{
    char name[64];
    bed_open();
    bed_store("kept", "by its use");
    ck_assert_int_eq(
        utimensat(AT_FDCWD, bed_entry(), (struct timespec[2]){{1000, 0}, {1000, 0}}, 0), 0);
    for (int i = 0; i < 20; i++) {
        snprintf(name, sizeof(name), "%032d" MOTE_CACHE_SUFFIX, i);
        make_old(name, MOTE_CACHE_MAGIC "1", (off_t)8 << 20, 1000 - i);
    }
    make_old(MOTE_CACHE_TEMPORARY "1-1", MOTE_CACHE_MAGIC "1", 10, 100000);
    make_old(MOTE_CACHE_TEMPORARY "1-2", "", 0, 100000);
    make_old(MOTE_CACHE_TEMPORARY "2-2", MOTE_CACHE_MAGIC "1", 10, 10);
    ck_assert_int_eq(bed_loads("kept", "by its use"), 1);
    bed_store("new", "text");
    for (int i = 0; i < 20; i++) {
        snprintf(name, sizeof(name), "%032d" MOTE_CACHE_SUFFIX, i);
        ck_assert_msg(is_there(name) == (i >= 13), "entry %d", i);
    }
    ck_assert(!is_there(MOTE_CACHE_TEMPORARY "1-1"));
    ck_assert(!is_there(MOTE_CACHE_TEMPORARY "1-2"));
    ck_assert(is_there(MOTE_CACHE_TEMPORARY "2-2"));
    ck_assert_int_eq(bed_loads("kept", "by its use"), 1);
    ck_assert_int_eq(bed_loads("new", "text"), 1);
    bed_close();
}
END_TEST

#define DIGITS "0123456789abcdef0123456789abcdef"

/* Files in the cache folder that are not entries, by their name or by their first bytes. */
static const struct {
    const char *name, *text;
} foreign[] = {
    {"notes.txt", MOTE_CACHE_MAGIC "1"},
    {"thesis.program", MOTE_CACHE_MAGIC "1"},
    {"0" DIGITS MOTE_CACHE_SUFFIX, MOTE_CACHE_MAGIC "1"},
    {"ABCDEF" DIGITS MOTE_CACHE_SUFFIX, MOTE_CACHE_MAGIC "1"},
    {DIGITS MOTE_CACHE_SUFFIX ".old", MOTE_CACHE_MAGIC "1"},
    {DIGITS MOTE_CACHE_SUFFIX, "#!/bin/sh"},
    {MOTE_CACHE_TEMPORARY "house", MOTE_CACHE_MAGIC "1"},
    {MOTE_CACHE_TEMPORARY "1-", MOTE_CACHE_MAGIC "1"},
    {MOTE_CACHE_TEMPORARY "1-2-3", MOTE_CACHE_MAGIC "1"},
    {MOTE_CACHE_TEMPORARY "1-2", "a letter"},
};

START_TEST(files_of_others_stay)
{
    char path[2 * TEMPORARY_ROOM];
    bed_open();
    bed_store("one", "text");
    for (size_t i = 0; i < sizeof(foreign) / sizeof(foreign[0]); i++)
        make_old(foreign[i].name, foreign[i].text, MOTE_CACHE_LIMIT + 1, 100000);
    snprintf(path, sizeof(path), "%s", bed_path("cache/" MOTE_CACHE_TEMPORARY "3-3"));
    ck_assert_int_eq(symlink("notes.txt", path), 0);
    snprintf(path, sizeof(path), "%s", bed_path("cache/" MOTE_CACHE_TEMPORARY "4-4"));
    ck_assert_int_eq(mkdir(path, 0700), 0);
    size_t count = temporary_count(bed_path("cache"), 0, NULL, 0);
    bed_store("two", "text");
    ck_assert_uint_eq(temporary_count(bed_path("cache"), 0, NULL, 0), count + 1);
    /* Their size does not count towards the limit either, so the existing entry is kept. */
    ck_assert_int_eq(bed_loads("one", "text"), 1);
    ck_assert_int_eq(bed_loads("two", "text"), 1);
    bed_close();
}
END_TEST

START_TEST(too_large)
{
    size_t length = MOTE_CACHE_LIMIT / 2;
    unsigned char *data = calloc(1, length), *back = NULL;
    ck_assert_ptr_nonnull(data);
    bed_open();
    mote_cache_store("large", data, length);
    ck_assert_int_eq(mote_cache_load("large", &back, &length), 0);
    bed_store("small", "text");
    ck_assert_int_eq(truncate(bed_entry(), (off_t)1 << 40), 0);
    ck_assert_int_eq(bed_loads("small", "text"), 0);
    free(data);
    bed_close();
}
END_TEST

static void *store_and_load(void *text)
{
    size_t bad = 0;
    for (int i = 0; i < 20; i++) {
        unsigned char *payload = NULL;
        size_t length = 0;
        bed_store("shared", text);
        if (!mote_cache_load("shared", &payload, &length))
            continue;
        /* Every writer's text is one letter repeated, so a mixture would be visible. */
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
    bed_open();
    for (int i = 0; i < 6; i++) {
        memset(texts[i], 'a' + i, 4000);
        ck_assert_int_eq(pthread_create(&threads[i], NULL, store_and_load, texts[i]), 0);
    }
    for (int i = 0; i < 6; i++) {
        void *bad = NULL;
        pthread_join(threads[i], &bad);
        ck_assert_ptr_null(bad);
    }
    ck_assert_uint_eq(temporary_count(bed_path("cache"), 0, NULL, 0), 1);
    bed_close();
}
END_TEST

static const suite_test tests[] = {
    SUITE_TEST(round_trip),
    SUITE_TEST(folders_are_made_private),
    SUITE_TEST(shared_folders_are_read),
    SUITE_TEST(off),
    SUITE_TEST(least_recently_used_go_first),
    SUITE_TEST(files_of_others_stay),
    SUITE_TEST(too_large),
    SUITE_TEST(many_writers),
};

SUITE_MAIN("cache", tests)
