/* SPDX-License-Identifier: Apache-2.0 */
/* Prints the library's messages on stderr for -v. */
#include "progress.h"
#include "tool.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Each device that reads a faulty tune file, for example, repeats the same warning. */
typedef struct warning {
    struct warning *next;
    char text[];
} warning;

static warning *told;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* If memory is exhausted, a warning counts as a new one each time. */
static bool is_told(const char *text)
{
    pthread_mutex_lock(&lock);
    const warning *known = told;
    while (known && strcmp(known->text, text) != 0)
        known = known->next;
    warning *made = known ? NULL : malloc(sizeof(warning) + strlen(text) + 1);
    if (made) {
        strcpy(made->text, text);
        made->next = told;
        told = made;
    }
    pthread_mutex_unlock(&lock);
    return known;
}

static void log_line(mote_log_level level, const char *message, void *user)
{
    (void)user;
    static const char *const names[] = {"", "error", "warning", "info", "debug"};
    if (level == MOTE_LOG_ERROR)
        return; /* the message of the failed call follows */
    if (level == MOTE_LOG_WARN && is_told(message))
        return;
    progress_pause();
    fprintf(stderr, "mote: %s: ", names[level]);
    tool_print_text(stderr, message, '\n'); /* keeps the line breaks of compiler logs */
    fputc('\n', stderr);
    progress_resume();
}

void tool_log_to_stderr(void)
{
    mote_log_set(MOTE_LOG_DEBUG, log_line, NULL);
}
