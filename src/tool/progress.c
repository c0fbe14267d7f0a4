/* SPDX-License-Identifier: Apache-2.0 */
#include "progress.h"
#include "tool.h"

#include <stdio.h>
#include <unistd.h>

#define BAR_WIDTH     30
#define LEAST_SECONDS 1.0
#define EVERY_SECONDS 0.1

static struct {
    bool on, shown;
    const char *unit;
    double start, last;
} bar;

void progress_start(const char *unit, bool wanted)
{
    bar.on = wanted && isatty(STDERR_FILENO);
    bar.unit = unit;
    bar.start = tool_seconds();
    bar.last = bar.start;
}

static void print_part(double part, double elapsed)
{
    char cells[BAR_WIDTH + 1];
    int full = (int)(part * BAR_WIDTH);
    for (int i = 0; i < BAR_WIDTH; i++)
        cells[i] = i < full ? '=' : i == full ? '>' : ' ';
    cells[BAR_WIDTH] = '\0';
    unsigned long left = part > 0.0 ? (unsigned long)(elapsed * (1.0 - part) / part + 0.5) : 0;
    fprintf(stderr, "  [%s] %3.0f %%  %lu:%02lu left", cells, part * 100.0, left / 60, left % 60);
}

static void print_bar(double part, uint64_t count, double elapsed)
{
    fprintf(stderr, "\r%llu %s  %.4g %s/s", (unsigned long long)count, bar.unit,
            (double)count / elapsed, bar.unit);
    if (part >= 0.0)
        print_part(part < 1.0 ? part : 1.0, elapsed);
    fputs("\033[K", stderr);
    fflush(stderr);
    bar.shown = true;
}

void progress_show(double part, uint64_t count)
{
    if (!bar.on)
        return;
    double now = tool_seconds();
    if (now - bar.start < LEAST_SECONDS || now - bar.last < EVERY_SECONDS)
        return;
    bar.last = now;
    print_bar(part, count, now - bar.start);
}

void progress_hide(void)
{
    if (!bar.shown)
        return;
    fputs("\r\033[K", stderr);
    fflush(stderr);
    bar.shown = false;
}
