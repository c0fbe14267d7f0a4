/* SPDX-License-Identifier: Apache-2.0 */
#include "component.h"

#include "../tool.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_MOMENTS 100 /* moments of one list, and the highest power */

/* ---- lists ----------------------------------------------------------------------------------- */

static bool has(const component_list *list, const char *name)
{
    for (size_t i = 0; i < list->count; i++)
        if (strcmp(list->component[i].name, name) == 0)
            return true;
    return false;
}

static coordination_component *add(component_list *list, component_kind kind, const char *name)
{
    size_t n = list->count;
    coordination_component *more = realloc(list->component, (n + 1) * sizeof(*more));
    if (!more)
        return NULL;
    list->component = more;
    list->count = n + 1;
    more[n] = (coordination_component){.kind = kind};
    snprintf(more[n].name, sizeof(more[n].name), "%s", name);
    return &more[n];
}

static int no_memory(const char *where)
{
    return tool_fail(TOOL_INPUT, "%s: out of memory", where);
}

static int add_simple(component_list *list, const char *where, component_kind kind,
                      const char *name)
{
    return has(list, name) || add(list, kind, name) ? TOOL_GO_ON : no_memory(where);
}

int component_add_mean(component_list *list, const char *where)
{
    return add_simple(list, where, COMPONENT_MEAN, "mean");
}

int component_add_sum(component_list *list, const char *where)
{
    return add_simple(list, where, COMPONENT_SUM, "sum");
}

/* Reads a power from a list; *end is the position after it. */
static bool take_power(const char *text, char **end, long *power)
{
    errno = 0;
    *power = strtol(text, end, 10);
    return !errno && *end != text && *text >= '0' && *text <= '9' && *power >= 2 &&
           *power <= MOST_MOMENTS;
}

int component_add_moments(component_list *list, const char *where, int code, const char *moments)
{
    for (const char *p = moments;;) {
        char *end;
        long first, last;
        bool good = take_power(p, &end, &first);
        last = first;
        if (good && *end == '-')
            good = take_power(end + 1, &end, &last) && first <= last;
        if (!good || (*end && *end != ','))
            return tool_fail(code,
                             "%s: '%.60s' is no list of moments, which are whole numbers from 2 to "
                             "%d, as 2,3 or 2-4",
                             where, moments, MOST_MOMENTS);
        for (long power = first; power <= last; power++) {
            char name[32];
            snprintf(name, sizeof(name), "moment-%ld", power);
            if (has(list, name))
                return tool_fail(code, "%s: the moment %ld is given twice", where, power);
            coordination_component *made = add(list, COMPONENT_MOMENT, name);
            if (!made)
                return no_memory(where);
            made->power = (int)power;
        }
        if (!*end)
            return TOOL_GO_ON;
        p = end + 1;
    }
}

int component_add_switch(component_list *list, const char *where, int code, component_kind kind,
                         unsigned number, const char *words)
{
    const char *stem = kind == COMPONENT_LESS_THAN ? "lessthan" : "morethan";
    char name[32];
    mote_switch function;
    snprintf(name, sizeof(name), "%s-%u", stem, number);
    if (!number)
        name[strlen(stem)] = '\0';
    if (has(list, name))
        return tool_fail(code, "%s is given twice", where);
    if (mote_switch_parse(words, &function))
        return tool_fail(code, "%s: %s", where, tool_sentence());
    coordination_component *made = add(list, kind, name);
    if (!made)
        return no_memory(where);
    made->function = function;
    return TOOL_GO_ON;
}

/* ---- values ---------------------------------------------------------------------------------- */

static double mean_of(const double *numbers, size_t count)
{
    double total = 0.0;
    for (size_t k = 0; k < count; k++)
        total += numbers[k];
    return count ? total / (double)count : 0.0;
}

static double moment(const double *numbers, size_t count, int power, double *weights)
{
    double middle = mean_of(numbers, count), total = 0.0, slopes = 0.0;
    for (size_t k = 0; k < count; k++) {
        double away = numbers[k] - middle, below = 1.0;
        for (int i = 1; i < power; i++)
            below *= away;
        total += below * away;
        slopes += below;
        if (weights)
            weights[k] = power * below / (double)count;
    }
    slopes = count ? power * slopes / (double)count : 0.0;
    for (size_t k = 0; weights && k < count; k++)
        weights[k] -= slopes / (double)count; /* the mean changes, too */
    return count ? total / (double)count : 0.0;
}

/* Numbers that add up to 0 may be slightly below 0 because of rounding. */
static double switched(const mote_switch *function, const double *numbers, size_t count, bool more,
                       double *weights)
{
    double total = 0.0;
    for (size_t k = 0; k < count; k++) {
        double slope = 0.0;
        double s = mote_switch_value(function, fmax(numbers[k], 0.0), &slope);
        total += more ? 1.0 - s : s;
        if (weights)
            weights[k] = more ? -slope : slope;
    }
    return total;
}

double component_value(const coordination_component *c, const double *numbers, size_t count,
                       double *weights)
{
    if (c->kind == COMPONENT_MOMENT)
        return moment(numbers, count, c->power, weights);
    if (c->kind == COMPONENT_LESS_THAN || c->kind == COMPONENT_MORE_THAN)
        return switched(&c->function, numbers, count, c->kind == COMPONENT_MORE_THAN, weights);
    double factor = c->kind == COMPONENT_SUM ? (double)count : 1.0;
    for (size_t k = 0; weights && k < count; k++)
        weights[k] = factor / (double)count;
    return factor * mean_of(numbers, count);
}
