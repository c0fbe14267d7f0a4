/* SPDX-License-Identifier: Apache-2.0 */
/* Recognises the files that the library has written into the cache's directory. MOTE_CACHE_DIR may
 * name a folder with other files, which are neither counted nor removed. The functions are inline
 * because the command uses them, too. */
#ifndef MOTE_CORE_CACHE_ENTRY_H
#define MOTE_CORE_CACHE_ENTRY_H

#include "core/system.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

#define MOTE_CACHE_SUFFIX    ".program"
#define MOTE_CACHE_TEMPORARY ".new-" /* prefix of the names of unfinished entries */

/* The first bytes of an entry; the digit of the format's version follows. */
#define MOTE_CACHE_MAGIC "MOTEPRG"

typedef enum mote_cache_kind {
    MOTE_CACHE_FOREIGN,
    MOTE_CACHE_ENTRY,
    MOTE_CACHE_UNFINISHED /* an entry whose write was not completed */
} mote_cache_kind;

static inline bool mote_cache_is_entry_name(const char *name)
{
    size_t digits = strspn(name, "0123456789abcdef");
    return digits == 32 && strcmp(name + digits, MOTE_CACHE_SUFFIX) == 0;
}

static inline bool mote_cache_is_unfinished_name(const char *name)
{
    size_t skip = strlen(MOTE_CACHE_TEMPORARY);
    if (strncmp(name, MOTE_CACHE_TEMPORARY, skip) != 0)
        return false;
    size_t process = strspn(name + skip, "0123456789");
    size_t number = process && name[skip + process] == '-'
                        ? strspn(name + skip + process + 1, "0123456789")
                        : 0;
    return number > 0 && name[skip + process + 1 + number] == '\0';
}

/* Returns the kind of a file, by its name, owner and first bytes, and fills in its status. An
 * unfinished entry may be shorter than these bytes. */
static inline mote_cache_kind mote_cache_kind_of(int dir, const char *name, struct stat *st)
{
    char begin[sizeof(MOTE_CACHE_MAGIC) - 1];
    size_t length = 0;
    bool unfinished = mote_cache_is_unfinished_name(name), ours = false;
    if (!unfinished && !mote_cache_is_entry_name(name))
        return MOTE_CACHE_FOREIGN;
    int file = openat(dir, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (file < 0)
        return MOTE_CACHE_FOREIGN;
    if (fstat(file, st) == 0 && S_ISREG(st->st_mode) && st->st_uid == geteuid() &&
        mote_read_whole(file, begin, sizeof(begin), &length))
        ours =
            (unfinished || length == sizeof(begin)) && memcmp(begin, MOTE_CACHE_MAGIC, length) == 0;
    close(file);
    if (!ours)
        return MOTE_CACHE_FOREIGN;
    return unfinished ? MOTE_CACHE_UNFINISHED : MOTE_CACHE_ENTRY;
}

#endif
