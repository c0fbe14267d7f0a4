/* SPDX-License-Identifier: Apache-2.0 */
/* --part K/N: the K-th of N contiguous shares of the frames or events of a run.
 *
 * The outputs of all shares, one after another, have the same bytes as the output of a run without
 * --part. The name of each regular output contains K-of-N. Beside it, a file NAME.share is written
 * last, which describes the share and shows that it is complete; mote merge reads it. */
#ifndef MOTE_TOOL_COMMON_PART_H
#define MOTE_TOOL_COMMON_PART_H

#include "../tool.h"

#define PART_MOST 1000000 /* shares of a run */

/* An output of the share. */
typedef struct part_output {
    char *name;
    char word[32]; /* its kind, such as "labels" */
} part_output;

typedef struct tool_part {
    uint64_t k, n; /* share k of n, from 1; n = 0: everything */
    bool script;   /* Slurm's numbers are those of a job script, of which only one process runs */
    part_output *outputs;
    size_t n_outputs;
} tool_part;

#define PART_HELP                                                                                  \
    "process the K-th of N shares; auto: the share of this\n"                                      \
    "process among those that mpirun, srun or a job array of\n"                                    \
    "Slurm has started (the names of outputs contain K-of-N; see\n"                                \
    "mote merge)"

/* Reads "K/N" or "auto"; returns TOOL_GO_ON, or TOOL_USAGE after a message. */
int part_take(const char *value, tool_part *p);

/* Rejects --trace, because all shares would write the same file, and warns if nothing starts the
 * other shares. Returns TOOL_GO_ON, or TOOL_USAGE after a message. */
int part_check(const tool_part *p, const tool_common *common);

/* Returns whether this is the first share, which contains the headers of files. */
bool part_is_first(const tool_part *p);

/* Determines the share of `total` frames or events: `begin` to `end` - 1. The first share is empty
 * only if all shares are empty. */
void part_range(const tool_part *p, uint64_t total, uint64_t *begin, uint64_t *end);

/* Replaces the name of an output by its name in the share. %p in the name becomes K-of-N, with
 * zeros before K so that names sort; if there is no %p, a dot and K-of-N are inserted before the
 * name's ending. An output that is not a regular file keeps its name. Arrays and compressed files
 * are rejected, because they cannot be concatenated. The result remains valid until part_free().
 * TOOL_GO_ON, or prints a message and returns an exit code. */
int part_rename(tool_part *p, const char *word, const char **name);

/* Marks the outputs as complete. `total` is the number of frames or events of all shares; `run` is
 * the hash of the run, which is the same for all shares. Returns TOOL_DONE, or TOOL_OUTPUT after a
 * message.
 */
int part_complete(const tool_part *p, const char *command, uint64_t total, uint64_t run);

void part_free(tool_part *p);

#endif
