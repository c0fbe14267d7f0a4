/* SPDX-License-Identifier: Apache-2.0 */
#include "testkit/reference/coordination/steinhardt_work.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "testkit/reference/coordination/neighbours.h"
#include "testkit/reference/coordination/oracle_switch.h"

#define LEAST_SUM    1e-30
#define LEAST_LENGTH 1e-6 /* length of a pair, in units of d_max */
typedef mote_steinhardt_pair pair;
typedef mote_steinhardt_entry entry;
typedef mote_steinhardt_work work;

#define OPERATIONS MOTE_STEINHARDT_OPERATIONS
#define takes      mote_steinhardt_takes
#define product    mote_steinhardt_product

/* ---- pairs ----------------------------------------------------------------------------------- */

static double far_of(const mote_steinhardt_task *t)
{
    double far = 0;

    for (size_t k = 0; k < 3 * t->n; k++)
        far = fmax(far, fabs(t->positions[k]));
    for (int k = 0; k < 9; k++)
        far = fmax(far, fabs(t->box[k]));
    return far;
}

/* Returns whether a neighbour is the nearest image of its entry, and not the image of entry i
 * itself. The images of an entry follow one another in a list. */
static bool is_nearest_image(work *w, const mote_neighbours_result *found, size_t i, int64_t k,
                             double blur)
{
    const mote_neighbour *own = &found->neighbours[k];
    bool nearest = own->j != (int64_t)i;

    for (int64_t other = found->offsets[i]; nearest && other < found->offsets[i + 1]; other++) {
        const mote_neighbour *image = &found->neighbours[other];
        if (image->j != own->j || other == k)
            continue;
        if (fabs(image->distance - own->distance) < blur)
            w->truth->doubtful = true;
        nearest = own->distance < image->distance;
    }
    return nearest;
}

/* Computes a switching function at the length of a pair. Returns whether the pair counts. */
static bool set_function(work *w, const pair *p, const mote_oracle_switch *function, double blur,
                         double *s, double *slope)
{
    const double d_max = (double)function->d_max;
    long double by_length;

    if (fabs(p->length - d_max) < 2.0 * blur || fabs(p->length - LEAST_LENGTH * d_max) < 2.0 * blur)
        w->truth->doubtful = true;
    if (p->length < LEAST_LENGTH * d_max || p->length > d_max)
        return false;
    *s = (double)mote_oracle_switch_value(function, p->length, &by_length);
    *slope = (double)by_length;
    return true;
}

static bool list_pairs(work *w)
{
    const mote_steinhardt_task *t = w->task;
    mote_oracle_switch function, average;
    mote_neighbours_result found;

    mote_oracle_switch_make(&t->args->function, &function);
    average = function;
    if (w->apart)
        mote_oracle_switch_make(&t->args->local_function, &average);
    const double d_max = fmax((double)function.d_max, (double)average.d_max);
    const double least = fmin((double)function.d_max, (double)average.d_max);
    const double blur = 4.0 * w->unit * far_of(t);
    const mote_neighbours_task near = {.positions = t->positions,
                                       .n = t->n,
                                       .cutoff = d_max + 2.0 * blur,
                                       .box = t->box,
                                       .pbc = t->args->pbc};
    bool good = mote_oracle_neighbours(&near, &found);
    w->pairs = calloc(found.count + 1, sizeof(*w->pairs));
    for (size_t i = 0; good && w->pairs && i < t->n; i++)
        for (int64_t k = found.offsets[i]; k < found.offsets[i + 1]; k++) {
            const mote_neighbour *from = &found.neighbours[k];
            pair *p = &w->pairs[w->n_pairs];
            *p = (pair){.i = i, .j = (size_t)from->j, .length = from->distance};
            memcpy(p->d, from->d, sizeof(p->d));
            if (!is_nearest_image(w, &found, i, k, 2.0 * blur))
                continue;
            p->has_s = set_function(w, p, &function, blur, &p->s, &p->slope);
            p->has_u = set_function(w, p, &average, blur, &p->u, &p->u_slope);
            if (!p->has_s && !p->has_u)
                continue;
            p->error = OPERATIONS * w->unit + blur * (10.0 / p->length + 20.0 / least);
            w->n_pairs++;
        }
    free(found.offsets);
    free(found.neighbours);
    return good && w->pairs;
}

/* ---- order parameters ------------------------------------------------------------------------ */

static void sum_moments(work *w)
{
    for (size_t k = 0; k < w->n_pairs; k++) {
        const pair *p = &w->pairs[k];
        entry *e = &w->entries[p->i];
        mote_dual y[MOTE_HARMONICS];
        e->end += p->u;
        e->end_error += p->error * (fabs(p->u) + fabs(p->u_slope) * p->length) +
                        (p->has_u ? OPERATIONS * w->unit : 0);
        if (!takes(w, p))
            continue;
        mote_oracle_harmonics((int)w->task->args->l, p->d, y);
        for (int m = 0; m < w->numbers; m++)
            e->a[m] += p->s * y[m].value;
        e->sum += p->s;
        /* A distance that is wrong by `error` changes s by its slope; s itself is computed as the
         * difference of numbers up to 1. */
        e->error += p->error * (fabs(p->s) + fabs(p->slope) * p->length) + OPERATIONS * w->unit;
    }
}

static void finish_moments(work *w)
{
    for (size_t i = 0; i < w->task->n; i++) {
        entry *e = &w->entries[i];
        double square = 0;
        e->counts = fabs(e->sum) >= LEAST_SUM;
        e->ends = fabs(e->end) >= LEAST_SUM;
        e->end_error /= e->ends ? fabs(e->end) : 1.0;
        if (!e->counts) {
            memset(e->a, 0, sizeof(e->a));
            e->error = 0;
            continue;
        }
        e->error /= fabs(e->sum);
        for (int m = 0; m < w->numbers; m++)
            square += pow(cabs(e->a[m] / e->sum), 2);
        e->norm = sqrt(square);
        e->turns = e->norm >= w->least_norm;
        if (fabs(e->norm - w->least_norm) < 0.1 * w->least_norm + 2.0 * e->error &&
            e->norm > 0.01 * w->least_norm)
            w->truth->doubtful = true;
        e->turn = e->turns ? e->error * (1.0 + 1.0 / e->norm) : 0;
        for (int m = 0; e->turns && m < w->numbers; m++)
            e->n[m] = e->a[m] / (e->norm * fabs(e->sum));
        e->value = e->sum < 0 ? -e->norm : e->norm;
    }
}

static void average(work *w)
{
    double *sums = calloc(w->task->n + 1, sizeof(*sums));
    double *errors = calloc(w->task->n + 1, sizeof(*errors));

    for (size_t k = 0; sums && errors && k < w->n_pairs; k++) {
        const pair *p = &w->pairs[k];
        const entry *a = &w->entries[p->i], *b = &w->entries[p->j];
        sums[p->i] += p->u * product(w, a->n, b->n);
        errors[p->i] += fabs(p->u) * (a->turn + b->turn);
    }
    for (size_t i = 0; sums && errors && i < w->task->n; i++) {
        entry *e = &w->entries[i];
        e->value = e->ends ? sums[i] / e->end : 0;
        e->error += e->ends ? errors[i] / fabs(e->end) + e->end_error : 0;
    }
    free(sums);
    free(errors);
}

/* ---- results --------------------------------------------------------------------------------- */

static void store(work *w)
{
    mote_steinhardt_truth *truth = w->truth;

    for (size_t i = 0; i < w->task->n; i++) {
        const entry *e = &w->entries[i];
        truth->order[i] = (mote_steinhardt_number){e->value, e->error};
        for (int m = 0; m < w->numbers; m++) {
            double complex q = e->counts ? e->a[m] / e->sum : 0;
            mote_steinhardt_number *to =
                truth->components + 2 * ((size_t)w->numbers * i + (size_t)m);
            to[0] = (mote_steinhardt_number){creal(q), e->error};
            to[1] = (mote_steinhardt_number){cimag(q), e->error};
        }
    }
}

/* Allocates the results. */
static bool make_truth(mote_steinhardt_truth *truth, size_t n, size_t numbers, size_t values)
{
    memset(truth, 0, sizeof(*truth));
    truth->order = calloc(n + 1, sizeof(*truth->order));
    truth->components = calloc(2 * n * numbers + 1, sizeof(*truth->components));
    truth->derivatives = calloc(3 * n * values + 1, sizeof(*truth->derivatives));
    truth->values = calloc(values, sizeof(*truth->values));
    truth->virial = calloc(9 * values, sizeof(*truth->virial));
    return truth->order && truth->components && truth->derivatives && truth->values &&
           truth->virial;
}

bool mote_oracle_steinhardt(const mote_steinhardt_task *task, mote_steinhardt_truth *truth)
{
    const mote_steinhardt_args *a = task->args;
    size_t n = task->n, values = a->reduction == MOTE_STEINHARDT_MOMENTS ? a->n_moments : 1;
    work w = {.task = task,
              .truth = truth,
              .numbers = 2 * (int)a->l + 1,
              .centres = a->n_centres ? a->n_centres : n,
              .apart = a->local && a->local_function.d_max > 0,
              .unit = task->in_float ? (double)FLT_EPSILON : DBL_EPSILON,
              .least_norm = task->in_float ? 1e-6 : 1e-12};

    w.entries = calloc(n + 1, sizeof(*w.entries));
    bool good = make_truth(truth, n, (size_t)w.numbers, values) && w.entries && list_pairs(&w);
    if (good) {
        sum_moments(&w);
        finish_moments(&w);
        if (a->local)
            average(&w);
        for (w.value = 0; w.value < values; w.value++)
            mote_steinhardt_add_value(&w);
        store(&w);
    }
    free(w.pairs);
    free(w.entries);
    return good;
}

void mote_steinhardt_truth_free(mote_steinhardt_truth *truth)
{
    free(truth->order);
    free(truth->components);
    free(truth->derivatives);
    free(truth->values);
    free(truth->virial);
}
