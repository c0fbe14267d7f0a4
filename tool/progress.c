/* SPDX-License-Identifier: Apache-2.0 */
#include "progress.h"
#include "tool.h"
#include "common/building.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define BAR_WIDTH     30
#define LEAST_SECONDS 1.0
#define EVERY_SECONDS 0.1
#define TICK_MS       250
#define STEP_ROOM     100

/* The lock guards all of this; the clock thread runs while `alive` is set. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ends = PTHREAD_COND_INITIALIZER;
static struct {
    bool on, shown, alive;
    pthread_t thread;
    const char *unit;
    char step[STEP_ROOM];
    double start, last, part;
    uint64_t count;
    double built; /* seconds of build time at the last update */
    struct {
        double time, part;
        uint64_t count;
    } from; /* start of the interval for the rate: start of the run, or end of the last build */
} bar;

static void print_part(double part, double elapsed)
{
    char cells[BAR_WIDTH + 1];
    int full = (int)(part * BAR_WIDTH);
    for (int i = 0; i < BAR_WIDTH; i++)
        cells[i] = i < full ? '=' : i == full ? '>' : ' ';
    cells[BAR_WIDTH] = '\0';
    double done = part - bar.from.part;
    unsigned long left = done > 0.0 ? (unsigned long)(elapsed * (1.0 - part) / done + 0.5) : 0;
    fprintf(stderr, "  [%s] %3.0f %%  %lu:%02lu left", cells, part * 100.0, left / 60, left % 60);
}

static void print_count(double elapsed)
{
    double rate = elapsed > 0.0 ? (double)(bar.count - bar.from.count) / elapsed : 0.0;
    fprintf(stderr, "%llu %s%s", (unsigned long long)bar.count, bar.unit, tool_plural(bar.count));
    if (rate > 0.0)
        fprintf(stderr, "  %.4g %ss/s", rate, bar.unit);
    if (bar.part >= 0.0)
        print_part(bar.part < 1.0 ? bar.part : 1.0, elapsed);
}

static void print_step(double elapsed)
{
    tool_print_text(stderr, bar.step, TOOL_LINE_BREAK);
    fprintf(stderr, "  %.0f s", elapsed);
}

/* Prints one line on the step that takes the time at present. */
static void print_line(double now)
{
    double elapsed = now - bar.start;
    bool building;
    double built = building_seconds(&building);
    if (built > bar.built) { /* restart the rate after builds */
        bar.from.time = now;
        bar.from.part = bar.part > 0.0 ? bar.part : 0.0;
        bar.from.count = bar.count;
    }
    bar.built = built;
    if (elapsed < LEAST_SECONDS)
        return;
    fputc('\r', stderr);
    if (building && built >= LEAST_SECONDS)
        fprintf(stderr, "building kernels (first run on this device)  %.0f s", built);
    else if (bar.unit && bar.count)
        print_count(now - bar.from.time);
    else if (*bar.step)
        print_step(elapsed);
    else
        fprintf(stderr, "no %s yet  %.0f s", bar.unit ? bar.unit : "result", elapsed);
    fputs("\033[K", stderr);
    fflush(stderr);
    bar.shown = true;
}

static void hide(void)
{
    if (bar.shown) {
        fputs("\r\033[K", stderr);
        fflush(stderr);
    }
    bar.shown = false;
}

static void *tick(void *unused)
{
    pthread_mutex_lock(&lock);
    while (bar.alive) {
        struct timespec until;
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_nsec += TICK_MS * 1000000L;
        until.tv_sec += until.tv_nsec / 1000000000L;
        until.tv_nsec %= 1000000000L;
        pthread_cond_timedwait(&ends, &lock, &until);
        if (bar.alive)
            print_line(tool_seconds());
    }
    pthread_mutex_unlock(&lock);
    return unused;
}

void progress_start(const char *unit, bool wanted)
{
    progress_end();
    if (!wanted || !isatty(STDERR_FILENO))
        return;
    memset(&bar, 0, sizeof(bar));
    bar.on = true;
    bar.unit = unit;
    bar.part = -1.0;
    bar.start = bar.last = bar.from.time = tool_seconds();
    bar.alive = true;
    if (pthread_create(&bar.thread, NULL, tick, NULL) != 0)
        bar.alive = false; /* counts are shown without the thread, too */
}

void progress_step(const char *what, const char *name)
{
    pthread_mutex_lock(&lock);
    snprintf(bar.step, sizeof(bar.step), "%s %s", what, name);
    pthread_mutex_unlock(&lock);
}

void progress_last_step(const char *what, const char *name)
{
    progress_step(what, name);
    progress_show(-1.0, 0);
}

void progress_show(double part, uint64_t count)
{
    pthread_mutex_lock(&lock);
    double now = tool_seconds();
    bar.part = part;
    bar.count = count;
    if (bar.on && now - bar.last >= EVERY_SECONDS && now - bar.start >= LEAST_SECONDS) {
        bar.last = now;
        print_line(now);
    }
    pthread_mutex_unlock(&lock);
}

void progress_pause(void)
{
    pthread_mutex_lock(&lock);
    hide();
}

void progress_resume(void)
{
    pthread_mutex_unlock(&lock);
}

void progress_end(void)
{
    pthread_mutex_lock(&lock);
    bool was_alive = bar.alive;
    hide();
    bar.on = bar.alive = false;
    pthread_cond_signal(&ends);
    pthread_mutex_unlock(&lock);
    if (was_alive)
        pthread_join(bar.thread, NULL);
}
