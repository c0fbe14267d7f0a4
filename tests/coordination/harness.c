/* SPDX-License-Identifier: Apache-2.0 */
#include "harness.h"

#include <dirent.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- devices
 * ------------------------------------------------------------------------------------- */

void bed_ok(mote_status status)
{
    ck_assert_msg(!status, "%s: %s", mote_status_name(status), mote_last_error());
}

void bed_open(bed *b, const char *tune)
{
    *b = (bed){0};
    ck_assert_int_eq(setenv("MOTE_TUNE", tune, 1), 0);
    bed_ok(mote_context_open(NULL, &b->ctx));
    unsetenv("MOTE_TUNE");
    bed_ok(mote_context_queue(b->ctx, 0, &b->in_order));
    if (mote_context_queue(b->ctx, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, &b->any_order)) {
        clRetainCommandQueue(b->in_order);
        b->any_order = b->in_order;
    }
}

void bed_close(bed *b)
{
    clReleaseCommandQueue(b->any_order);
    clReleaseCommandQueue(b->in_order);
    mote_context_release(b->ctx);
}

/* ---- checked calls
 * ------------------------------------------------------------------------------- */

#define SIZE .size = sizeof(mote_switch)

const mote_switch functions[] = {
    {SIZE, .r_0 = 0.15},
    {SIZE, .r_0 = 0.15, .d_max = INFINITY},
    {SIZE, .r_0 = 0.15, .d_max = 0.35, .no_stretch = 1},
    {SIZE, .r_0 = 0.15, .d_max = 0.4, .nn = 6, .mm = 10},
    {SIZE, .r_0 = 0.2, .d_max = INFINITY, .nn = 1, .mm = 3},
    {SIZE, .r_0 = 0.2, .nn = 5, .mm = 11, .d_0 = 0.05},
    {SIZE, .r_0 = 0.2, .nn = 7, .mm = 13, .d_0 = -0.1},
    {SIZE, .r_0 = 0.2, .nn = 12, .mm = 6, .d_max = 0.5},
    {SIZE, .r_0 = 0.3, .nn = 24, .mm = 48, .d_max = INFINITY},
    {SIZE, .kind = MOTE_SWITCH_EXP, .r_0 = 0.1, .d_0 = 0.05, .d_max = 0.5},
    {SIZE, .kind = MOTE_SWITCH_GAUSSIAN, .r_0 = 0.15, .d_max = INFINITY},
    {SIZE, .kind = MOTE_SWITCH_GAUSSIAN, .r_0 = 0.1, .d_0 = 0.1, .d_max = 0.4},
    {SIZE, .kind = MOTE_SWITCH_SMAP, .r_0 = 0.2, .a = 3, .b = 2, .d_max = INFINITY},
    {SIZE, .kind = MOTE_SWITCH_SMAP, .r_0 = 0.2, .a = 8, .b = 1.5, .d_max = 0.45, .d_0 = -0.05},
    {SIZE, .kind = MOTE_SWITCH_CUBIC, .d_0 = 0.1, .d_max = 0.45},
    {SIZE, .kind = MOTE_SWITCH_TANH, .r_0 = 0.15, .d_max = INFINITY},
    {SIZE, .kind = MOTE_SWITCH_COSINUS, .r_0 = 0.3, .d_0 = 0.05, .d_max = INFINITY},
    {SIZE, .kind = MOTE_SWITCH_COSINUS, .r_0 = 0.5, .d_max = 0.4},
    {SIZE, .kind = MOTE_SWITCH_Q, .r_0 = 0.1, .ref = 0.1, .d_max = INFINITY},
    {SIZE, .kind = MOTE_SWITCH_Q, .r_0 = 0.1, .ref = 0.2, .beta = 12, .lambda = 1, .d_max = 0.5},
};
const size_t n_functions = COUNT(functions);

/* How long the box's vectors are together, or how far the lists' atoms reach without a box. */
static double cell_of(const mote_system *s, size_t frame)
{
    const double *x = s->positions + 3 * frame * s->n_atoms, *box = s->box + 9 * frame;
    size_t entries = mote_system_entries(s);
    double sum = 0.0;
    for (size_t k = 0; k < 9 && s->pbc != MOTE_PBC_NONE; k++)
        if (s->pbc == MOTE_PBC_TRICLINIC || k % 4 == 0)
            sum += fabs(box[k]);
    for (size_t k = 0; k < 3 && s->pbc == MOTE_PBC_NONE && entries; k++) {
        double least = INFINITY, most = -INFINITY;
        for (size_t e = 0; e < entries; e++) {
            least = fmin(least, x[3 * mote_system_atom(s, e) + k]);
            most = fmax(most, x[3 * mote_system_atom(s, e) + k]);
        }
        sum += most - least;
    }
    return sum;
}

double blur_of(const mote_system *s, const mote_coordination_how *how)
{
    double most = 0.0;
    bool in_double = how->precision == MOTE_PRECISION_DOUBLE;
    for (size_t f = 0; f < s->frames; f++) {
        double cell = cell_of(s, f), extent = mote_system_extent(s, f);
        if (in_double)
            most = fmax(most, 2.0 * DBL_EPSILON * (cell + extent));
        else if (how->positions32)
            most = fmax(most, FLT_EPSILON * (cell + extent));
        else
            most = fmax(most, FLT_EPSILON * cell);
    }
    return most;
}

double relative_of(mote_precision precision)
{
    return 64.0 * (precision == MOTE_PRECISION_DOUBLE ? DBL_EPSILON : FLT_EPSILON);
}

mote_system copy_of(const mote_system *s)
{
    mote_system copy;
    ck_assert(mote_system_make(&copy, s->n_atoms, s->frames));
    copy.pbc = s->pbc;
    copy.mode = s->mode;
    copy.function = s->function;
    memcpy(copy.positions, s->positions, 3 * s->frames * s->n_atoms * sizeof(double));
    memcpy(copy.box, s->box, 9 * s->frames * sizeof(double));
    ck_assert(!s->group_a || mote_system_group(&copy, false, s->group_a, s->n_a));
    ck_assert(!s->group_b || mote_system_group(&copy, true, s->group_b, s->n_b));
    return copy;
}

void check_run(bed *b, cl_command_queue queue, const char *name, const mote_system *given,
               const mote_coordination_how *how)
{
    char message[MESSAGE_SIZE] = "";
    mote_coordination *plan = NULL;
    mote_coordination_result result = {0};
    mote_truth truth;
    mote_system s = copy_of(given);
    mote_system_round(&s, how->positions32, how->box_device == MOTE_FLOAT32);
    ck_assert(mote_truth_make(&truth, &s, blur_of(&s, how)));
    bed_ok(mote_coordination_plan_of(b->ctx, &s, how->precision, how->method, &plan));
    bool good =
        mote_coordination_run(b->ctx, queue, &s, plan, how, &result, message, sizeof(message)) &&
        mote_coordination_compare(&s, &truth, how, &result, relative_of(how->precision), NULL,
                                  message, sizeof(message));
    mote_coordination_release(plan);
    mote_coordination_result_free(&result);
    mote_truth_free(&truth);
    mote_system_free(&s);
    ck_assert_msg(good, "%s: %s", name, message);
}

/* ---- shared cases
 * -------------------------------------------------------------------------------- */

static int json_file(const struct dirent *entry)
{
    size_t length = strlen(entry->d_name);
    return length > 5 && strcmp(entry->d_name + length - 5, ".json") == 0;
}

void shared_each(const char *what, void *with,
                 void (*check)(void *with, const char *name, const mote_plumed_case *c))
{
    char folder[4000], message[MESSAGE_SIZE];
    const char *given = getenv("MOTE_SHARED");
    struct dirent **files = NULL;
    snprintf(folder, sizeof(folder), "%s/cases/coordination",
             given && *given ? given : MOTE_SHARED_DEFAULT);
    int count = scandir(folder, &files, json_file, alphasort), run = 0;
    for (int i = 0; i < count; i++) {
        mote_plumed_case c;
        files[i]->d_name[strlen(files[i]->d_name) - 5] = '\0';
        ck_assert_msg(mote_plumed_read(&c, folder, files[i]->d_name, message, sizeof(message)),
                      "%s", message);
        check(with, files[i]->d_name, &c);
        mote_plumed_free(&c);
        free(files[i]);
        run++;
    }
    free(files);
    printf("# %s: %d shared cases run, %s\n", what, run, run ? "none skipped" : "there are none");
}
