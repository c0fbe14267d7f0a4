/* SPDX-License-Identifier: Apache-2.0 */
/* The file of --names: only the names of the atoms in its first frame are used. */
#include "job.h"

#include "../option.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

static long take_bytes(void *user, char *to, size_t bytes)
{
    const int *input = user;
    return read(*input, to, bytes);
}

static int read_names(mote_trajectory *t, unpack_state *unpack, const char *path)
{
    mote_trajectory_open(t, MOTE_TRAJECTORY_ANY, path, unpack_read, unpack);
    t->rules = (mote_trajectory_rules){.names = true, .ignore_boxes = true};
    if (mote_trajectory_next(t) != MOTE_TRAJECTORY_FRAME) {
        const char *fault = unpack_fault(unpack);
        return tool_fail(TOOL_INPUT, "%s%s%s", fault ? path : "", fault ? ": " : "",
                         fault ? fault : t->message);
    }
    if (!t->names && t->frame.n_atoms)
        return tool_fail(TOOL_INPUT,
                         "--names: %s has no names of atoms; give a GRO, PDB or XYZ file", path);
    return TOOL_GO_ON;
}

int coordination_names(coordination_job *job)
{
    const char *path = job->options->names;
    bool is_stdin = strcmp(path, "-") == 0;
    int input = is_stdin ? STDIN_FILENO : open(path, O_RDONLY);
    if (input < 0)
        return tool_fail(TOOL_INPUT, "%s: cannot be read: %s", path, strerror(errno));
    unpack_state *unpack = unpack_open(take_bytes, NULL, &input);
    int code = unpack ? read_names(&job->named, unpack, is_stdin ? "standard input" : path)
                      : tool_fail(TOOL_INPUT, "%s: out of memory", path);
    if (unpack)
        unpack_close(unpack);
    if (!is_stdin)
        close(input);
    return code;
}
