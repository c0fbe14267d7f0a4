/* SPDX-License-Identifier: Apache-2.0 */
#include "core/fail.h"
#include "core/log.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The thread's sentence: `owned` if memory could be allocated for it, else the part that fits
 * `brief`. */
static _Thread_local char *owned;
static _Thread_local char brief[sizeof(((mote_held_sentence *)0)->brief)];

/* The sentence that mote_sentence_hold() has saved. It is not freed when another one replaces
 * it. */
static _Thread_local char *held_back;

/* The key exists only so that a thread frees its sentence when it ends. */
static pthread_once_t key_once = PTHREAD_ONCE_INIT;
static pthread_key_t key;
static bool have_key;

static void thread_ends(void *text)
{
    owned = NULL;
    brief[0] = '\0';
    free(text);
}

static void make_key(void)
{
    have_key = pthread_key_create(&key, thread_ends) == 0;
}

#if defined(__GNUC__)
/* A thread that outlives an unloaded library must not call into it. */
static void library_unloads(void) __attribute__((destructor));
static void library_unloads(void)
{
    if (have_key)
        pthread_key_delete(key);
}
#endif

static void free_own(void)
{
    if (owned != held_back)
        free(owned);
}

/* Takes ownership of the text; returns 0 if it would never be freed. */
static bool keep(char *text)
{
    pthread_once(&key_once, make_key);
    if (!have_key || pthread_setspecific(key, text) != 0)
        return false;
    free_own();
    owned = text;
    return true;
}

static void keep_brief(const char *text)
{
    snprintf(brief, sizeof(brief), "%s", text);
    if (owned) {
        pthread_setspecific(key, NULL);
        free_own();
        owned = NULL;
    }
}

void mote_sentence_hold(mote_held_sentence *held)
{
    held->outer = held_back;
    held->owned = held_back = owned;
    memcpy(held->brief, brief, sizeof(brief));
}

void mote_sentence_restore(const mote_held_sentence *held)
{
    if (owned != held->owned) {
        free_own();
        owned = held->owned;
        pthread_setspecific(key, owned);
    }
    memcpy(brief, held->brief, sizeof(brief));
    held_back = held->outer;
}

/* Arguments may point into the sentence that is about to be replaced, so the new one is completed
 * first. */
static void record(const char *format, va_list list)
{
    char cut[sizeof(brief)];
    va_list again;
    va_copy(again, list);
    int formatted = vsnprintf(cut, sizeof(cut), format, list);
    if (formatted < 0)
        strcpy(cut, "the message could not be formatted");
    size_t length = formatted < 0 ? strlen(cut) : (size_t)formatted;
    char *text = malloc(length + 1);
    if (text && length < sizeof(cut))
        memcpy(text, cut, length + 1);
    else if (text)
        vsnprintf(text, length + 1, format, again);
    va_end(again);
    if (!text || !keep(text)) {
        keep_brief(text ? text : cut);
        free(text);
    }
}

mote_status mote_fail(mote_status status, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    record(format, list);
    va_end(list);
    mote_log(MOTE_LOG_ERROR, "%s", mote_last_error());
    return status;
}

mote_status mote_fail_cl(cl_int code, const char *function, const char *cl_name)
{
    return mote_fail(code, "%s: %s failed with %s (%d)", function, cl_name, mote_status_name(code),
                     (int)code);
}

bool mote_is_memory_code(cl_int code)
{
    return code == CL_MEM_OBJECT_ALLOCATION_FAILURE || code == CL_OUT_OF_RESOURCES ||
           code == CL_INVALID_BUFFER_SIZE;
}

const char *mote_last_error(void)
{
    return owned ? owned : brief;
}
