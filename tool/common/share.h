/* SPDX-License-Identifier: Apache-2.0 */
/* The file NAME.share beside the output NAME of one share: a few lines of text. */
#ifndef MOTE_TOOL_COMMON_SHARE_H
#define MOTE_TOOL_COMMON_SHARE_H

#include "../io/out.h"

typedef struct tool_share {
    char command[32], output[32]; /* as "coordination", "colvar" */
    uint64_t k, n;
    uint64_t total; /* frames or events of all shares */
    uint64_t run;   /* the same number for all shares of a run */
    uint64_t bytes; /* bytes of NAME, and their XXH3 hash */
    uint64_t hash;
} tool_share;

/* Looks at the bytes of `path`, and writes path.share. TOOL_DONE, or TOOL_OUTPUT after a message.
 */
int share_write(const char *path, tool_share *s);

/* Reads path.share. TOOL_GO_ON, or TOOL_INPUT after a message. */
int share_read(const char *path, tool_share *s);

/* Copies the bytes of `path` to `out` (NULL: only counts them) and gives their number and XXH3.
 * TOOL_GO_ON, or `code` after a message. */
int share_copy(const char *path, out_file *out, int code, uint64_t *bytes, uint64_t *hash);

/* Adds an option to the number of a run, and an input by its place among the inputs, its name
 * without folders and its size. The order of the calls does not matter. */
void share_add_option(uint64_t *run, const char *name, const char *value);
void share_add_input(uint64_t *run, size_t place, const char *path);

/* Adds the bytes of a file beside the inputs, and says what it is by `name`. Only those of regular
 * files can be read once more; NULL is allowed. TOOL_GO_ON, or TOOL_INPUT after a message. */
int share_add_file(uint64_t *run, const char *name, const char *path);

#endif
