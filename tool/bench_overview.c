/* SPDX-License-Identifier: Apache-2.0 */
#include "bench_overview.h"

#include <string.h>

/* A line of the table. Lines that have the same choice must be neighbours, so that the choice is
 * measured once. */
typedef struct overview_line {
    mote_bench_choice choice;
    const char *call, *way; /* names in the benchmark */
    const char *name;       /* what is computed */
    const char *counted;    /* the unit that the rate counts */
    bool of_calls;          /* the rate counts calls instead of the elements of a call */
} overview_line;

#define LISTS(ONLY, CALL, WAY, NAME)                                                               \
    {                                                                                              \
        {"jagged", "50kx100", ONLY, NULL, WAY}, CALL, WAY, NAME, "elements", false                 \
    }

static const overview_line lines[] = {
    {{"pixels", "ttbar", "contiguous", "one", NULL},
     "cluster",
     "contiguous",
     "clusters of a ttbar event",
     "events",
     true},
    {{"reduce", "f32-2^24", NULL, NULL, "default"},
     "sum",
     "default",
     "sum of an array",
     "values",
     false},
    {{"histogram", "1e6x100", NULL, NULL, "counts, regular"},
     "histogram",
     "counts, regular",
     "histogram of 100 bins",
     "values",
     false},
    LISTS("parents", "parents", "auto", "list number of each element"),
    LISTS("reduce", "reduce", "sum float32", "sum of each list"),
    LISTS("scan", "scan", "scan", "prefix sums of each list"),
    LISTS("filter", "filter", "filter", "filter of lists"),
    LISTS("sort", "sort", "sort", "sort of each list"),
    {{"coordination", "10000", "cells", NULL, "cells mixed"},
     "cells",
     "mixed, value",
     "coordination, 10000 atoms",
     "frames",
     true},
    {{"coordination", "10000", "cells", NULL, "cells mixed derivatives"},
     "cells",
     "mixed, all",
     "the same with derivatives",
     "frames",
     true},
};

#define N_LINES (sizeof(lines) / sizeof(lines[0]))

/* Writes a rate with a prefix, for example "26.1 M". */
static void rate_text(double rate, char *text, size_t size)
{
    static const char *const prefixes[] = {"  ", "k ", "M ", "G ", "T "};
    int k = 0;
    for (; rate >= 9999.5 && k < 4; k++)
        rate /= 1000;
    snprintf(text, size, "%.*f %s", rate < 99.95 ? 1 : 0, rate, prefixes[k]);
}

static void print_line(FILE *table, const overview_line *line, const mote_bench_point *point)
{
    char rate[32];
    double bytes = point->bytes.read + point->bytes.written;
    double gb_s = bytes / point->us * 1e-3;
    double copy = point->bandwidth->memory[MOTE_TRAFFIC_COPY].gb_s;
    rate_text((line->of_calls ? 1e6 : point->n * 1e6) / point->us, rate, sizeof(rate));
    fprintf(table, "%-28s %10.3f ms %9s%s/s", line->name, point->us * 1e-3, rate, line->counted);
    if (bytes > 0 && copy > 0)
        fprintf(table, "%*.1f GB/s %6.1f %% of a copy", (int)(18 - strlen(line->counted)), gb_s,
                100 * gb_s / copy);
    fputc('\n', table);
    fflush(table);
}

static void take_point(const mote_bench_point *point, void *user)
{
    FILE *table = user;
    for (size_t k = 0; k < N_LINES; k++)
        if (strcmp(point->area, lines[k].choice.area) == 0 &&
            strcmp(point->call, lines[k].call) == 0 && strcmp(point->way, lines[k].way) == 0)
            print_line(table, &lines[k], point);
}

mote_bench_status bench_overview(mote_bench_options options, char *message, size_t size)
{
    mote_bench_choice choices[N_LINES + 1] = {{0}};
    size_t n = 0;
    for (size_t k = 0; k < N_LINES; k++)
        if (k == 0 || memcmp(&lines[k].choice, &lines[k - 1].choice, sizeof(choices[0])) != 0)
            choices[n++] = lines[k].choice;
    options.choices = choices;
    options.point = take_point;
    options.point_user = options.table;
    mote_bench_status status = mote_bench(&options, message, size);
    if (status == MOTE_BENCH_OK)
        fputs("\nTimes are those of the device alone. GB/s counts the least bytes that a call "
              "reads and\n"
              "writes; data that fits the caches can move faster than a copy in memory.\n"
              "mote bench AREA measures an area on more inputs, mote bench --all all areas "
              "(minutes).\n",
              options.table);
    return status;
}
