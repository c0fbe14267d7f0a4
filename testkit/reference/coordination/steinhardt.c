/* SPDX-License-Identifier: Apache-2.0 */
#include "testkit/reference/coordination/steinhardt.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "testkit/reference/coordination/harmonics.h"
#include "testkit/reference/coordination/neighbours.h"
#include "testkit/reference/coordination/oracle_switch.h"

#define LEAST_SUM    1e-30
#define LEAST_LENGTH 1e-6  /* of a pair, in units of d_max */
#define OPERATIONS   16.0  /* rounding errors of one number, in units in the last place */
#define CURVATURE    100.0 /* change of the slope of a threshold function */

/* A pair in one direction. */
typedef struct pair {
    size_t i, j;
    double d[3], length;
    double s, slope; /* by the length */
    double error;    /* relative error of lengths and of s */
} pair;

/* Numbers of an entry. */
typedef struct entry {
    double complex a[MOTE_HARMONICS], n[MOTE_HARMONICS], by_n[MOTE_HARMONICS];
    double sum, norm, value, weight; /* S, |A / S|, x, and dV / dx */
    double error;                    /* of A / S */
    double turn;                     /* of the direction of A */
    double spread;                   /* bound of the absolute terms of dV / dn, with their errors */
    bool counts, turns;
} entry;

typedef struct work {
    const mote_steinhardt_task *task;
    mote_steinhardt_truth *truth;
    pair *pairs;
    size_t n_pairs;
    entry *entries;
    int numbers; /* 2 l + 1 */
    double unit, least_norm;
    double terms; /* sum of the absolute terms of the value, with their errors */
} work;

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

static bool list_pairs(work *w)
{
    const mote_steinhardt_task *t = w->task;
    mote_oracle_switch function;
    mote_neighbours_result found;

    mote_oracle_switch_make(&t->args->function, &function);
    const double d_max = (double)function.d_max, blur = 4.0 * w->unit * far_of(t);
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
            long double slope;
            *p = (pair){.i = i, .j = (size_t)from->j, .length = from->distance};
            memcpy(p->d, from->d, sizeof(p->d));
            if (!is_nearest_image(w, &found, i, k, 2.0 * blur))
                continue;
            if (fabs(p->length - d_max) < 2.0 * blur ||
                fabs(p->length - LEAST_LENGTH * d_max) < 2.0 * blur)
                w->truth->doubtful = true;
            if (p->length < LEAST_LENGTH * d_max || p->length > d_max)
                continue;
            p->s = (double)mote_oracle_switch_value(&function, p->length, &slope);
            p->slope = (double)slope;
            p->error = OPERATIONS * w->unit + blur * (10.0 / p->length + 20.0 / d_max);
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

static double product(const work *w, const double complex *a, const double complex *b)
{
    double sum = 0;

    for (int m = 0; m < w->numbers; m++)
        sum += creal(conj(a[m]) * b[m]);
    return sum;
}

static void average(work *w)
{
    double *sums = calloc(w->task->n + 1, sizeof(*sums));
    double *errors = calloc(w->task->n + 1, sizeof(*errors));

    for (size_t k = 0; sums && errors && k < w->n_pairs; k++) {
        const pair *p = &w->pairs[k];
        const entry *a = &w->entries[p->i], *b = &w->entries[p->j];
        sums[p->i] += p->s * product(w, a->n, b->n);
        errors[p->i] += fabs(p->s) * (a->turn + b->turn);
    }
    for (size_t i = 0; sums && errors && i < w->task->n; i++) {
        entry *e = &w->entries[i];
        e->value = e->counts ? sums[i] / e->sum : 0;
        e->error += e->counts ? errors[i] / fabs(e->sum) : 0;
    }
    free(sums);
    free(errors);
}

/* Sets the weights of all entries, and adds up the value. */
static void add_terms(work *w)
{
    const mote_steinhardt_args *a = w->task->args;
    mote_oracle_switch threshold;
    double sum = 0, errors = 0;

    if (a->reduction >= MOTE_STEINHARDT_LESS_THAN)
        mote_oracle_switch_make(&a->threshold, &threshold);
    for (size_t i = 0; i < w->task->n; i++) {
        entry *e = &w->entries[i];
        double given = w->task->weights ? w->task->weights[i] : 1.0, f = e->value, slope = 1.0;
        if (a->reduction == MOTE_STEINHARDT_MEAN)
            given /= (double)w->task->n;
        if (a->reduction >= MOTE_STEINHARDT_LESS_THAN) {
            long double by_x;
            f = (double)mote_oracle_switch_value(&threshold, fmax(e->value, 0.0), &by_x);
            slope = e->value > 0 ? (double)by_x : 0.0;
            if (a->reduction == MOTE_STEINHARDT_MORE_THAN) {
                f = 1.0 - f;
                slope = -slope;
            }
            e->turn += CURVATURE * e->error;
        }
        e->weight = given * slope;
        sum += given * f;
        errors += fabs(given) * (fabs(f) * OPERATIONS * w->unit + fabs(slope) * e->error +
                                 CURVATURE * e->error * e->error);
    }
    w->truth->sum = (mote_steinhardt_number){sum, errors + OPERATIONS * w->unit * fabs(sum)};
}

/* ---- derivatives ----------------------------------------------------------------------------- */

/* Adds the derivative by the vector of a pair, and a bound of the absolute values of its terms. */
static void add_slope(work *w, const pair *p, const double *slope, double error)
{
    for (int k = 0; k < 3; k++) {
        mote_steinhardt_number *to = w->truth->derivatives;
        to[3 * p->j + (size_t)k].value += slope[k];
        to[3 * p->i + (size_t)k].value -= slope[k];
        to[3 * p->j + (size_t)k].error += error;
        to[3 * p->i + (size_t)k].error += error;
        for (int m = 0; m < 3; m++) {
            w->truth->virial[3 * k + m].value -= p->d[k] * slope[m];
            w->truth->virial[3 * k + m].error += p->length * error;
        }
    }
}

/* Returns the largest possible length of a gradient of s times harmonics. */
static double steepness(const work *w, const pair *p)
{
    return fabs(p->slope) + fabs(p->s) * w->numbers / p->length + 1.0 / p->length * w->unit;
}

/* Derivatives of a sum of the lengths of A / S. */
static void add_slopes(work *w)
{
    for (size_t k = 0; k < w->n_pairs; k++) {
        const pair *p = &w->pairs[k];
        const entry *e = &w->entries[p->i];
        mote_dual y[MOTE_HARMONICS];
        double slope[3] = {0};
        if (!e->counts)
            continue;
        mote_oracle_harmonics((int)w->task->args->l, p->d, y);
        for (int c = 0; c < 3; c++) {
            double along = p->slope * p->d[c] / p->length;
            for (int m = 0; e->turns && m < w->numbers; m++)
                slope[c] += creal(conj(e->n[m]) * (along * y[m].value + p->s * y[m].slope[c]));
            slope[c] = slope[c] / fabs(e->sum) - e->value * along / e->sum;
            slope[c] *= e->weight;
        }
        add_slope(w, p, slope,
                  fabs(e->weight / e->sum) * steepness(w, p) * 2.0 *
                      (e->turn + e->error + p->error));
    }
}

/* Sets the derivatives of the value by the normalised vectors. */
static void add_by_n(work *w)
{
    for (size_t k = 0; k < w->n_pairs; k++) {
        const pair *p = &w->pairs[k];
        entry *a = &w->entries[p->i], *b = &w->entries[p->j];
        double factor = a->counts ? a->weight * p->s / a->sum : 0;
        for (int m = 0; m < w->numbers; m++) {
            a->by_n[m] += factor * b->n[m];
            b->by_n[m] += factor * a->n[m];
        }
        double error = fabs(factor) * (2.0 * a->turn + a->error + b->turn + p->error) +
                       (a->counts ? fabs(a->weight / a->sum) * OPERATIONS * w->unit : 0);
        a->spread += error + fabs(factor) * a->turn;
        b->spread += error + fabs(factor) * b->turn;
    }
}

/* Derivatives of a sum of local averages. */
static void add_local_slopes(work *w)
{
    add_by_n(w);
    for (size_t k = 0; k < w->n_pairs; k++) {
        const pair *p = &w->pairs[k];
        const entry *e = &w->entries[p->i], *other = &w->entries[p->j];
        mote_dual y[MOTE_HARMONICS];
        double slope[3] = {0}, radial = product(w, e->by_n, e->n);
        if (!e->counts)
            continue;
        mote_oracle_harmonics((int)w->task->args->l, p->d, y);
        for (int c = 0; c < 3; c++) {
            double along = p->slope * p->d[c] / p->length;
            for (int m = 0; e->turns && m < w->numbers; m++)
                slope[c] += creal(conj(e->by_n[m] - radial * e->n[m]) *
                                  (along * y[m].value + p->s * y[m].slope[c])) /
                            (e->norm * fabs(e->sum));
            slope[c] += e->weight * along * (product(w, e->n, other->n) - e->value) / e->sum;
        }
        double direct = fabs(e->weight / e->sum) * fabs(p->slope) *
                        (e->turn + other->turn + e->error + p->error);
        double size = sqrt(product(w, e->by_n, e->by_n));
        double turned = e->turns ? (e->spread + size * (e->turn + p->error)) /
                                       (e->norm * fabs(e->sum)) * steepness(w, p)
                                 : 0;
        add_slope(w, p, slope, 2.0 * (direct + turned));
    }
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

bool mote_oracle_steinhardt(const mote_steinhardt_task *task, mote_steinhardt_truth *truth)
{
    work w = {.task = task,
              .truth = truth,
              .numbers = 2 * (int)task->args->l + 1,
              .unit = task->in_float ? (double)FLT_EPSILON : DBL_EPSILON,
              .least_norm = task->in_float ? 1e-6 : 1e-12};
    size_t n = task->n;

    memset(truth, 0, sizeof(*truth));
    truth->order = calloc(n + 1, sizeof(*truth->order));
    truth->components = calloc(2 * n * (size_t)w.numbers + 1, sizeof(*truth->components));
    truth->derivatives = calloc(3 * n + 1, sizeof(*truth->derivatives));
    w.entries = calloc(n + 1, sizeof(*w.entries));
    bool good =
        truth->order && truth->components && truth->derivatives && w.entries && list_pairs(&w);
    if (good) {
        sum_moments(&w);
        finish_moments(&w);
        if (task->args->local)
            average(&w);
        add_terms(&w);
        if (task->args->local)
            add_local_slopes(&w);
        else
            add_slopes(&w);
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
}
