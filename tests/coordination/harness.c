/* SPDX-License-Identifier: Apache-2.0 */
#include "harness.h"

#include "common/shared.h"

#include <dirent.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- checked calls --------------------------------------------------------------------------- */

mote_system copy_of(const mote_system *s)
{
    mote_system copy;
    ck_assert(mote_system_copy(&copy, s));
    return copy;
}

void check_run(bed *b, cl_command_queue queue, const char *name, const mote_system *s,
               const mote_coordination_options *options)
{
    char message[MESSAGE_SIZE] = "";
    mote_coordination_options fit = *options;
    if (!mote_coordination_options_fit(b->ctx, &fit)) { /* refused: test_narrow.c */
        printf("# left out without double precision: precision %d\n", (int)fit.precision);
        return;
    }
    ck_assert_msg(mote_coordination_check_system(b->ctx, queue, s, &fit, message, sizeof(message)),
                  "%s: %s", name, message);
}

/* ---- shared cases ---------------------------------------------------------------------------- */

static int json_file(const struct dirent *entry)
{
    size_t length = strlen(entry->d_name);
    return length > 5 && strcmp(entry->d_name + length - 5, ".json") == 0;
}

void shared_each(const char *what, void *with,
                 void (*check)(void *with, const char *name, const mote_plumed_case *c))
{
    char folder[4000], message[MESSAGE_SIZE];
    struct dirent **files = NULL;
    if (!shared_path("cases/coordination", folder, sizeof(folder))) {
        printf("# skipped, MOTE_SHARED names no folder: %s\n", what);
        return;
    }
    int count = scandir(folder, &files, json_file, alphasort);
    ck_assert_msg(count > 0, "%s holds no case", folder);
    for (int i = 0; i < count; i++) {
        mote_plumed_case c;
        files[i]->d_name[strlen(files[i]->d_name) - 5] = '\0';
        ck_assert_msg(mote_plumed_read(&c, folder, files[i]->d_name, message, sizeof(message)),
                      "%s", message);
        check(with, files[i]->d_name, &c);
        mote_plumed_free(&c);
        free(files[i]);
    }
    free(files);
    printf("# %s: %d shared cases run, none skipped\n", what, count);
}
