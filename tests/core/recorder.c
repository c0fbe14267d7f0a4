/* SPDX-License-Identifier: Apache-2.0 */
#include "recorder.h"

#include <stdio.h>
#include <string.h>

static struct {
    mote_log_level level;
    char text[1024];
} kept[RECORDER_MAX];
static size_t kept_count;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void record(mote_log_level level, const char *message, void *user)
{
    (void)user;
    pthread_mutex_lock(&lock);
    if (kept_count < RECORDER_MAX) {
        kept[kept_count].level = level;
        snprintf(kept[kept_count].text, sizeof(kept[0].text), "%s", message);
        kept_count++;
    }
    pthread_mutex_unlock(&lock);
}

void recorder_start(mote_log_level level)
{
    pthread_mutex_lock(&lock);
    kept_count = 0;
    pthread_mutex_unlock(&lock);
    mote_log_set(level, record, NULL);
}

void recorder_stop(void)
{
    mote_log_set(MOTE_LOG_NONE, NULL, NULL);
}

size_t recorder_count(mote_log_level level, const char *words)
{
    size_t count = 0;
    pthread_mutex_lock(&lock);
    for (size_t i = 0; i < kept_count; i++)
        count += (level == MOTE_LOG_NONE || kept[i].level == level) &&
                 strstr(kept[i].text, words) != NULL;
    pthread_mutex_unlock(&lock);
    return count;
}
