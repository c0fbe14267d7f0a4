/* SPDX-License-Identifier: Apache-2.0 */
/* Values and derivatives of the oracle of order parameters. */
#include <math.h>
#include <string.h>

#include "testkit/reference/coordination/oracle_switch.h"
#include "testkit/reference/coordination/steinhardt_work.h"

#define CURVATURE 100.0 /* change of the slope of a threshold function */
typedef mote_steinhardt_pair pair;
typedef mote_steinhardt_entry entry;
typedef mote_steinhardt_work work;

#define OPERATIONS MOTE_STEINHARDT_OPERATIONS
#define takes      mote_steinhardt_takes
#define product    mote_steinhardt_product

/* Returns f of an entry, and sets its slope and the bounds of their errors that are not those of
 * the slope times the error of the order parameter. */
static double term_of(const work *w, const entry *e, double mean, double blur, double *slope,
                      double *curved)
{
    const mote_steinhardt_args *a = w->task->args;
    mote_oracle_switch threshold;
    long double by_x;
    double f;

    *slope = 1.0;
    *curved = 0.0;
    if (a->reduction == MOTE_STEINHARDT_MOMENTS) {
        double power = a->moments[w->value], y = e->value - mean;
        *slope = power * pow(y, power - 1.0);
        /* The slope of the slope, near y. */
        *curved = power * (power - 1.0) * pow(fabs(y) + blur + e->error, power - 2.0);
        return pow(y, power);
    }
    if (a->reduction < MOTE_STEINHARDT_LESS_THAN)
        return e->value;
    mote_oracle_switch_make(&a->threshold, &threshold);
    f = (double)mote_oracle_switch_value(&threshold, fmax(e->value, 0.0), &by_x);
    *slope = e->value > 0 ? (double)by_x : 0.0;
    *curved = CURVATURE;
    if (a->reduction == MOTE_STEINHARDT_LESS_THAN)
        return f;
    *slope = -*slope;
    return 1.0 - f;
}

/* Sets the weights of all entries, and adds up the value. */
static void add_terms(work *w)
{
    const bool mean_of = w->task->args->reduction == MOTE_STEINHARDT_MEAN;
    const bool moment = w->task->args->reduction == MOTE_STEINHARDT_MOMENTS;
    const double count = fmax((double)w->centres, 1.0);
    double sum = 0, errors = 0, mean = 0, blur = 0, below = 0, below_error = 0;

    for (size_t i = 0; moment && i < w->centres; i++) {
        mean += w->entries[i].value / count;
        blur = fmax(blur, w->entries[i].error + OPERATIONS * w->unit);
    }
    for (size_t i = 0; i < w->centres; i++) {
        entry *e = &w->entries[i];
        double given = w->task->weights ? w->task->weights[i] : 1.0, slope, curved;
        if (mean_of || moment)
            given /= count;
        double f = term_of(w, e, mean, blur, &slope, &curved), error = e->error + blur;
        e->weight = given * slope;
        e->weight_error =
            fabs(given) * (curved * error + OPERATIONS * w->unit * (fabs(slope) + curved));
        below += e->weight / count;
        below_error += e->weight_error / count;
        sum += given * f;
        errors += fabs(given) * (fabs(f) * OPERATIONS * w->unit + fabs(slope) * error +
                                 (1.0 + curved) * error * error);
    }
    for (size_t i = 0; moment && i < w->centres; i++) {
        w->entries[i].weight -= below;
        w->entries[i].weight_error += below_error;
    }
    w->truth->values[w->value] =
        (mote_steinhardt_number){sum, errors + OPERATIONS * w->unit * fabs(sum)};
}

/* ---- derivatives ----------------------------------------------------------------------------- */

/* Adds the derivative with respect to the vector of a pair, and a bound of the absolute values of
 * its terms. */
static void add_slope(work *w, const pair *p, const double *slope, double error)
{
    for (int k = 0; k < 3; k++) {
        mote_steinhardt_number *to = w->truth->derivatives + 3 * w->task->n * w->value;
        mote_steinhardt_number *virial = w->truth->virial + 9 * w->value;
        to[3 * p->j + (size_t)k].value += slope[k];
        to[3 * p->i + (size_t)k].value -= slope[k];
        to[3 * p->j + (size_t)k].error += error;
        to[3 * p->i + (size_t)k].error += error;
        for (int m = 0; m < 3; m++) {
            virial[3 * k + m].value -= p->d[k] * slope[m];
            virial[3 * k + m].error += p->length * error;
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
        if (!e->counts || !takes(w, p))
            continue;
        mote_oracle_harmonics((int)w->task->args->l, p->d, y);
        for (int c = 0; c < 3; c++) {
            double along = p->slope * p->d[c] / p->length;
            for (int m = 0; e->turns && m < w->numbers; m++)
                slope[c] += creal(conj(e->n[m]) * (along * y[m].value + p->s * y[m].slope[c]));
            slope[c] = slope[c] / fabs(e->sum) - e->value * along / e->sum;
            slope[c] *= e->weight;
        }
        double error = fabs(e->weight) * (e->turn + e->error + p->error) + e->weight_error;
        add_slope(w, p, slope, error / fabs(e->sum) * steepness(w, p) * 2.0);
    }
}

/* Sets the derivatives of the value with respect to the normalised vectors. */
static void add_by_n(work *w)
{
    for (size_t i = 0; i < w->task->n; i++) {
        memset(w->entries[i].by_n, 0, sizeof(w->entries[i].by_n));
        w->entries[i].spread = 0;
    }
    for (size_t k = 0; k < w->n_pairs; k++) {
        const pair *p = &w->pairs[k];
        entry *a = &w->entries[p->i], *b = &w->entries[p->j];
        if (!a->ends || !p->has_u)
            continue;
        double factor = a->weight * p->u / a->end, inverse = 1.0 / fabs(a->end);
        for (int m = 0; m < w->numbers; m++) {
            a->by_n[m] += factor * b->n[m];
            b->by_n[m] += factor * a->n[m];
        }
        double error = fabs(factor) * (2.0 * a->turn + a->error + b->turn + p->error) +
                       inverse * fabs(a->weight) * OPERATIONS * w->unit +
                       inverse * fabs(p->u) * a->weight_error;
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
        double slope[3] = {0}, radial = product(w, e->by_n, e->n), direct = 0, turned = 0;
        double size = sqrt(product(w, e->by_n, e->by_n)), length = e->norm * fabs(e->sum);
        mote_oracle_harmonics((int)w->task->args->l, p->d, y);
        for (int c = 0; c < 3; c++) {
            double along = p->slope * p->d[c] / p->length;
            for (int m = 0; e->turns && p->has_s && m < w->numbers; m++)
                slope[c] += creal(conj(e->by_n[m] - radial * e->n[m]) *
                                  (along * y[m].value + p->s * y[m].slope[c])) /
                            length;
            if (e->ends && p->has_u)
                slope[c] += e->weight * p->u_slope * p->d[c] / p->length *
                            (product(w, e->n, other->n) - e->value) / e->end;
        }
        if (e->ends)
            direct = fabs(p->u_slope / e->end) *
                     (fabs(e->weight) * (e->turn + other->turn + e->error + p->error) +
                      2.0 * e->weight_error);
        if (e->turns)
            turned = (e->spread + size * (e->turn + p->error)) / length * steepness(w, p);
        add_slope(w, p, slope, 2.0 * (direct + turned));
    }
}

void mote_steinhardt_add_value(work *w)
{
    add_terms(w);
    if (w->task->args->local)
        add_local_slopes(w);
    else
        add_slopes(w);
}
