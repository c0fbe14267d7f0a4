/* SPDX-License-Identifier: Apache-2.0 */
#include "share.h"
#include "part.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#define PIECE ((size_t)1 << 18)
#define FORM                                                                                       \
    "mote share 1\ncommand %s\noutput %s\npart %" PRIu64 " of %" PRIu64 "\ntotal %" PRIu64         \
    "\nrun %016" PRIx64 "\nbytes %" PRIu64 "\nxxh3 %016" PRIx64 "\n"
#define SCAN                                                                                       \
    "mote share 1 command %31s output %31s part %" SCNu64 " of %" SCNu64 " total %" SCNu64         \
    " run %" SCNx64 " bytes %" SCNu64 " xxh3 %" SCNx64 " %n"

static char *name_of(const char *path)
{
    char *name = malloc(strlen(path) + sizeof(".share"));
    if (name)
        sprintf(name, "%s.share", path);
    return name;
}

static int copy_file(FILE *file, out_file *out, XXH3_state_t *state, char *piece, uint64_t *bytes)
{
    size_t n;
    XXH3_64bits_reset(state);
    while ((n = fread(piece, 1, PIECE, file)) > 0) {
        XXH3_64bits_update(state, piece, n);
        *bytes += n;
        if (out)
            out_bytes(out, piece, n);
    }
    return ferror(file) ? errno : 0;
}

int share_copy(const char *path, out_file *out, int code, uint64_t *bytes, uint64_t *hash)
{
    *bytes = 0;
    FILE *file = fopen(path, "rb");
    int error = file ? 0 : errno;
    XXH3_state_t *state = XXH3_createState();
    char *piece = malloc(PIECE);
    if (!error)
        error = state && piece ? copy_file(file, out, state, piece, bytes) : ENOMEM;
    if (!error)
        *hash = XXH3_64bits_digest(state);
    if (file)
        fclose(file);
    XXH3_freeState(state);
    free(piece);
    if (error)
        return tool_fail(code, "%s: cannot be read: %s", path, strerror(error));
    return TOOL_GO_ON;
}

int share_write(const char *path, tool_share *s)
{
    out_file *out;
    int code = share_copy(path, NULL, TOOL_OUTPUT, &s->bytes, &s->hash);
    if (code != TOOL_GO_ON)
        return code;
    char *name = name_of(path);
    if (!name)
        return tool_fail(TOOL_OUTPUT, "%s: out of memory", path);
    code = out_open(name, &out);
    free(name);
    if (code != TOOL_DONE)
        return code;
    out_print(out, FORM, s->command, s->output, s->k, s->n, s->total, s->run, s->bytes, s->hash);
    return out_finish(&out, 1);
}

int share_read(const char *path, tool_share *s)
{
    char text[512];
    int end = -1;
    char *name = name_of(path);
    FILE *file = name ? fopen(name, "rb") : NULL;
    free(name);
    if (!file)
        return tool_fail(TOOL_INPUT,
                         "%s: there is no %s.share, so this is no share, or not a complete one: "
                         "run it again",
                         path, path);
    size_t n = fread(text, 1, sizeof(text) - 1, file);
    fclose(file);
    text[n] = '\0';
    int fields = sscanf(text, SCAN, s->command, s->output, &s->k, &s->n, &s->total, &s->run,
                        &s->bytes, &s->hash, &end);
    if (fields != 8 || end != (int)n || s->k < 1 || s->k > s->n || s->n > PART_MOST)
        return tool_fail(TOOL_INPUT, "%s.share: not a file that mote wrote beside a share", path);
    return TOOL_GO_ON;
}

void share_add_option(uint64_t *run, const char *name, const char *value)
{
    uint64_t seed = XXH3_64bits(name, strlen(name));
    *run += XXH3_64bits_withSeed(value, strlen(value), seed);
}

void share_add_input(uint64_t *run, size_t place, const char *path)
{
    struct stat info;
    const char *slash = strrchr(path, '/');
    char words[48];
    snprintf(words, sizeof(words), "%zu %lld", place,
             stat(path, &info) == 0 ? (long long)info.st_size : -1LL);
    share_add_option(run, slash ? slash + 1 : path, words);
}

int share_add_file(uint64_t *run, const char *name, const char *path)
{
    struct stat info;
    uint64_t bytes, hash;
    char text[24];
    if (!path || stat(path, &info) != 0 || !S_ISREG(info.st_mode))
        return TOOL_GO_ON;
    int code = share_copy(path, NULL, TOOL_INPUT, &bytes, &hash);
    if (code != TOOL_GO_ON)
        return code;
    snprintf(text, sizeof(text), "%016" PRIx64, hash);
    share_add_option(run, name, text);
    return code;
}
