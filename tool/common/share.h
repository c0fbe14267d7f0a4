/* SPDX-License-Identifier: Apache-2.0 */
/* The file NAME.share beside the output NAME of one share: a few lines of text. */
#ifndef MOTE_TOOL_COMMON_SHARE_H
#define MOTE_TOOL_COMMON_SHARE_H

#include "../io/out.h"

typedef struct tool_share {
    char command[32], output[32]; /* as "coordination", "colvar" */
    uint64_t k, n;
    uint64_t total; /* frames or events of all shares */
    uint64_t run;   /* hash of the run, the same for all its shares */
    uint64_t bytes; /* bytes of NAME, and their XXH3 hash */
    uint64_t hash;
} tool_share;

/* Computes length and hash of the file `path`, and writes path.share. TOOL_DONE, or TOOL_OUTPUT
 * after a message.
 */
int share_write(const char *path, tool_share *s);

/* Reads path.share. TOOL_GO_ON, or TOOL_INPUT after a message. */
int share_read(const char *path, tool_share *s);

/* Copies the bytes of `path` to `out` (NULL: only counts them), and returns their number and their
 * XXH3 hash. TOOL_GO_ON, or `code` after a message. */
int share_copy(const char *path, out_file *out, int code, uint64_t *bytes, uint64_t *hash);

/* Add an option or an input to the hash that identifies a run. An input is identified by its index
 * among the inputs, its name without folders, and its size. The order of the calls does not matter.
 */
void share_add_option(uint64_t *run, const char *name, const char *value);
void share_add_input(uint64_t *run, size_t place, const char *path);

/* Adds the bytes of a further file, such as a table, to the hash; `name` states its purpose. Only
 * regular files are added, because others cannot be read twice. `path` may be NULL. TOOL_GO_ON, or
 * TOOL_INPUT after a message. */
int share_add_file(uint64_t *run, const char *name, const char *path);

#endif
