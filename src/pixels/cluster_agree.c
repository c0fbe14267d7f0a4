/* SPDX-License-Identifier: Apache-2.0 */
/* Checks that a launch of the GPU form agrees with its plan. Launches of one call exchange records,
 * lists and counters, whose layout each program knows only from its defines. */
#include "pixels/cluster_plan.h"

#ifdef NDEBUG

mote_status mote_pixels_run_launch(mote_launch *launch, const mote_pixels_plan *plan,
                                   const char *defines, size_t groups, size_t local)
{
    (void)plan;
    (void)defines;
    return mote_launch_run(launch, groups, local);
}

#else

#include "core/fail.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define UNIT_REGISTERS ((size_t)65536)

/* Returns the number that `defines` assign to a name, or `otherwise` if they assign none. */
static size_t defined(const char *defines, const char *name, size_t otherwise)
{
    char text[32];
    snprintf(text, sizeof(text), "-D%s=", name);
    const char *found = strstr(defines, text);
    return found ? strtoul(found + strlen(text), NULL, 10) : otherwise;
}

static bool is_one_of(const char *kernel, const char *const *names)
{
    while (*names && strcmp(*names, kernel) != 0)
        names++;
    return *names != NULL;
}

static size_t parts_of(size_t count, size_t each)
{
    return (count + each - 1) / each;
}

/* Checks the records of moved digis, for a kernel that writes or reads them. */
static const char *check_records(const mote_pixels_plan *plan, const char *defines)
{
    const mote_pixels_cluster_args *a = &plan->args;
    size_t words = mote_pixels_record_words(plan);
    if (defined(defines, "ORDER_ANY", 2) != plan->any_order)
        return "the order of the digis";
    if (!plan->any_order)
        return NULL;
    if (defined(defines, "MOVED_WORDS", 4) != words)
        return "the words of a record";
    if (words == 2 && (defined(defines, "X_BITS", 0) != mote_pixels_bits_for(a->rows) ||
                       defined(defines, "Y_BITS", 0) != mote_pixels_bits_for(a->columns)))
        return "the bits of a record's coordinates";
    return plan->record.count < words * plan->positions ? "the room for records" : NULL;
}

/* Checks how a labelling kernel divides the digis among its groups. */
static const char *check_labels(const mote_pixels_plan *plan, const char *defines, size_t groups,
                                size_t local)
{
    const mote_pixels_labels *l = &plan->labels;
    size_t large = defined(defines, "LARGE_MODULES", 0),
           small = defined(defines, "SMALL_MODULES", 0);
    size_t expected = 0;
    if (l->by_size != (large || small) || l->fused != (large && small))
        return "the paths of the launch";
    if (!l->by_size)
        return groups * defined(defines, "TILE", 0) < plan->positions ? "the number of groups"
                                                                      : NULL;
    if (local % BY_SIZE_BAND != 0 && small)
        return "the bands of a group";
    if (large)
        expected = parts_of(plan->strips, defined(defines, "LARGE_STRIPS", 1));
    if (small)
        expected +=
            parts_of(defined(defines, "STRIP_BANDS", 0) * plan->strips, local / BY_SIZE_BAND);
    return groups != expected ? "the number of groups" : NULL;
}

static const char *check(const mote_launch *launch, const mote_pixels_plan *plan,
                         const char *defines, size_t groups, size_t local)
{
    static const char *const with_records[] = {
        "group_scatter",   "slices_scatter",  "event_scatter",   "cluster",
        "cluster_spilled", "cluster_morphed", "positions_tiles", NULL};
    const char *kernel = launch->lease.name, *what = NULL;
    size_t registers = defined(defines, "REGISTERS", 0);
    if (defined(defines, "WG", 0) != local)
        return "the size of groups";
    if (launch->exact != (registers > 0) || registers > UNIT_REGISTERS / local)
        return "the registers of a work-item";
    if (is_one_of(kernel, with_records))
        what = check_records(plan, defines);
    if (!what && strcmp(kernel, "cluster") == 0)
        what = check_labels(plan, defines, groups, local);
    return what;
}

mote_status mote_pixels_run_launch(mote_launch *launch, const mote_pixels_plan *plan,
                                   const char *defines, size_t groups, size_t local)
{
    const char *what = launch->status ? NULL : check(launch, plan, defines, groups, local);
    if (what)
        launch->status =
            mote_fail(MOTE_ERROR_INTERNAL,
                      "%s: plan and launch of %s disagree on %s: %zu groups of "
                      "%zu, %s",
                      launch->call->name, launch->lease.name, what, groups, local, defines);
    return mote_launch_run(launch, groups, local);
}

#endif
