/* SPDX-License-Identifier: Apache-2.0 */
#include "core/cache_dir.h"
#include "core/cache.h"
#include "core/log.h"
#include "core/system.h"
#include "core/text.h"
#include "mote/context.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Every build uses the same directory: the first complaint is a warning, later ones have level
 * debug. */
static mote_log_level complaint_level(void)
{
    static atomic_flag said = ATOMIC_FLAG_INIT;
    return atomic_flag_test_and_set(&said) ? MOTE_LOG_DEBUG : MOTE_LOG_WARN;
}

static const char *filled(const char *variable)
{
    const char *value = mote_variable(variable);
    return value && *value ? value : NULL;
}

/* Removes slashes at the end: "dir/" would follow a link that "dir" does not. */
static void cut_slashes(mote_text *path)
{
    while (path->length > 1 && path->data[path->length - 1] == '/')
        path->data[--path->length] = '\0';
}

/* Chooses the first directory of MOTE_CACHE_DIR, or the usual one. */
static void choose_path(mote_text *path)
{
    const char *own = filled("MOTE_CACHE_DIR");
    const char *base = filled("XDG_CACHE_HOME");
    const char *home = filled("HOME");
    if (own && *own != ':')
        mote_text_add(path, "%.*s", (int)strcspn(own, ":"), own);
    else if (base && *base == '/') /* the XDG specification requires relative paths to be ignored */
        mote_text_add(path, "%s/mote", base);
    else if (home)
        mote_text_add(path, "%s/.cache/mote", home);
    cut_slashes(path);
}

/* Creates the missing directories of a path; a failure shows when the last one is opened. */
static void make_path(char *path)
{
    for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        mkdir(path, 0700);
        *slash = '/';
    }
    mkdir(path, 0700);
}

/* Returns what is wrong with an open directory, or NULL. Anyone who can write to the directory can
 * make the process run their programs; if a directory is only read, the user trusts its owner. */
static const char *objection(int dir, bool only_read)
{
    struct stat st;
    if (fstat(dir, &st) != 0)
        return strerror(errno);
    if (st.st_uid != geteuid() && !only_read)
        return "it belongs to another user";
    if (st.st_mode & (S_IWGRP | S_IWOTH))
        return "others can write to it (chmod 700 would allow it)";
    return NULL;
}

static int open_path(char *path, bool only_read)
{
    const int flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC;
    int dir = open(path, flags);
    if (dir < 0 && errno == ENOENT && !only_read) {
        make_path(path);
        dir = open(path, flags);
    }
    const char *wrong = dir < 0 ? strerror(errno) : objection(dir, only_read);
    if (!wrong)
        return dir;
    mote_log(complaint_level(), "programs are not %s: directory %s: %s",
             only_read ? "read from the shared cache" : "cached", path, wrong);
    if (dir >= 0)
        close(dir);
    return -1;
}

static bool is_mode(const char *name)
{
    const char *mode = mote_variable("MOTE_CACHE");
    return mode && strcmp(mode, name) == 0;
}

int mote_cache_is_demanded(void)
{
    return is_mode("on");
}

size_t mote_cache_path(char *path, size_t room)
{
    mote_text chosen = {0};
    if (!is_mode("off"))
        choose_path(&chosen);
    return mote_text_hand_over(&chosen, path, room);
}

int mote_cache_dir_open(void)
{
    if (is_mode("off"))
        return -1;
    mote_text path = {0};
    choose_path(&path);
    int dir = -1;
    if (path.length > 0 && !path.failed)
        dir = open_path(path.data, false);
    else
        mote_log(complaint_level(),
                 "programs are not cached: none of MOTE_CACHE_DIR, XDG_CACHE_HOME "
                 "and HOME is set");
    mote_text_free(&path);
    return dir;
}

bool mote_cache_dir_open_shared(size_t k, int *dir)
{
    const char *shared = is_mode("off") ? NULL : filled("MOTE_CACHE_DIR");
    mote_text path = {0};
    for (size_t passed = 0; shared && passed <= k; passed++) {
        const char *colon = strchr(shared, ':');
        shared = colon ? colon + 1 : NULL;
    }
    *dir = -1;
    if (!shared)
        return false;
    mote_text_add(&path, "%.*s", (int)strcspn(shared, ":"), shared);
    cut_slashes(&path);
    if (path.length > 0 && !path.failed)
        *dir = open_path(path.data, true);
    mote_text_free(&path);
    return true;
}
