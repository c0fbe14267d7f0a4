/* SPDX-License-Identifier: Apache-2.0 */
/* --part K/N: the K-th of N contiguous shares of the frames or events of a run.
 *
 * The shares' outputs, one after another, are the bytes of the run that computes everything. Each
 * regular output has a name with K-of-N in it, and a file NAME.share beside it, which is written
 * last: it describes the share and shows that it is complete; mote merge reads it. */
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

/* Refuses a trace, which all shares would write, and warns where nothing starts the other shares.
 * TOOL_GO_ON, or TOOL_USAGE after a message. */
int part_check(const tool_part *p, const tool_common *common);

/* Returns whether this is the first share, which contains the headers of files. */
bool part_is_first(const tool_part *p);

/* Determines the share of `total` frames or events: `begin` to `end` - 1. The first share is empty
 * only if all are. */
void part_range(const tool_part *p, uint64_t total, uint64_t *begin, uint64_t *end);

/* The name that an output of the share has: %p in it becomes K-of-N, with zeros before K so that
 * names sort; without %p a dot and these words come before the name's ending. What is no regular
 * file keeps its name; arrays and packed files are refused, since they cannot be put together. The
 * result stays until part_free(). TOOL_GO_ON, or an exit code after a message. */
int part_rename(tool_part *p, const char *word, const char **name);

/* Says that the outputs are complete. `total` is that of all shares; `run` is a number that is the
 * same for all of them. TOOL_DONE, or TOOL_OUTPUT after a message. */
int part_complete(const tool_part *p, const char *command, uint64_t total, uint64_t run);

void part_free(tool_part *p);

#endif
