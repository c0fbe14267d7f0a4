/* SPDX-License-Identifier: Apache-2.0 */
#include "harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "testkit/cases/pixels/pdig.h"
#include "common/shared.h"

FILE *shared_open(const char *path)
{
    char full[4096];

    if (!shared_path(path, full, sizeof(full))) {
        printf("# skipped, MOTE_SHARED names no folder: %s\n", path);
        return NULL;
    }
    FILE *file = fopen(full, "r");

    ck_assert_msg(file != NULL, "%s cannot be read", full);
    return file;
}

bool shared_events(const char *name, mote_digis *digis)
{
    char path[256], full[4096], command[4200], message[MESSAGE_SIZE] = "";

    snprintf(path, sizeof(path), "data/events/%s.bin.xz", name);
    FILE *there = shared_open(path);

    if (!there)
        return false;
    fclose(there);
    shared_path(path, full, sizeof(full));
    ck_assert_msg(!strchr(full, '\'') && system("xz --version >/dev/null 2>&1") == 0,
                  "%s cannot be read without xz, nor with a quote in its name", full);
    snprintf(command, sizeof(command), "xz -dc '%s'", full);
    FILE *pipe = popen(command, "r");

    ck_assert_ptr_nonnull(pipe);
    mote_pdig_status status = mote_pdig_read(pipe, digis, message, sizeof(message));

    ck_assert_int_eq(pclose(pipe), 0);
    ck_assert_msg(status == MOTE_PDIG_OK, "%s: %s", full, message);
    return true;
}

mote_pixels_options shared_options(const char *name)
{
    mote_pixels_options options = {.charge_cut = 4000};

    if (strcmp(name, "phase2") != 0) {
        options.charge_cut_inner = 2000;
        options.inner_modules = 96;
    }
    return options;
}

void check_run(bed *b, cl_command_queue queue, const char *name, const mote_digis *digis,
               const mote_pixels_options *options, unsigned how)
{
    char message[MESSAGE_SIZE] = "";
    bool good = mote_pixels_check(b->ctx, queue, digis, options, how, message, sizeof(message));

    ck_assert_msg(good, "%s (how %u): %s", name, how, message);
}

void check_refused(const bed *b, const mote_pixels_cluster_args *args, mote_status status,
                   const char *word)
{
    size_t bytes;

    ck_assert_int_eq(mote_pixels_cluster_workspace_size(b->ctx, args, &bytes), status);
    ck_assert_msg(strstr(mote_last_error(), word), "%s: %s", word, mote_last_error());
}
