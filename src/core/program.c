/* SPDX-License-Identifier: Apache-2.0 */
/* The programs of a context. A program that is ready exists until the context is released. */
#include "core/program.h"
#include "core/kernels.h"
#include "core/log.h"
#include "core/program_build.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* Defines are small closed sets: if there are more programs of a source, a size has become a
 * define. */
#define PROGRAMS_EXPECTED 8

/* The number of unfinished builds of this thread, which is above 1 if a callback that runs during a
 * build makes a call that builds another program. */
static _Thread_local unsigned building;

typedef enum program_state { BUILDING, READY, FAILED } program_state;

struct mote_program {
    mote_program *next;
    const mote_source *source;
    char *defines;
    program_state state;
    size_t waiting;     /* threads that wait for the builder */
    mote_status status; /* of a failed build */
    char *message;      /* message of a failed build; NULL if memory ran out */
    cl_program cl;
    mote_kernels *kernels;
};

/* The lock guards the list, and state and waiting of the programs in it. */
struct mote_program_table {
    pthread_mutex_t lock;
    pthread_cond_t built;
    mote_program *first;
};

mote_program_table *mote_program_table_create(void)
{
    mote_program_table *table = calloc(1, sizeof(*table));
    if (!table)
        return NULL;
    if (pthread_mutex_init(&table->lock, NULL) != 0) {
        free(table);
        return NULL;
    }
    if (pthread_cond_init(&table->built, NULL) != 0) {
        pthread_mutex_destroy(&table->lock);
        free(table);
        return NULL;
    }
    return table;
}

static void destroy(mote_program *program)
{
    mote_kernels_release(program->kernels);
    if (program->cl)
        clReleaseProgram(program->cl);
    free(program->message);
    free(program->defines);
    free(program);
}

void mote_program_table_release(mote_program_table *table)
{
    if (!table)
        return;
    while (table->first) {
        mote_program *program = table->first;
        table->first = program->next;
        destroy(program);
    }
    pthread_cond_destroy(&table->built);
    pthread_mutex_destroy(&table->lock);
    free(table);
}

size_t mote_program_table_count(mote_program_table *table)
{
    size_t count = 0;
    pthread_mutex_lock(&table->lock);
    for (const mote_program *p = table->first; p; p = p->next)
        count += p->state == READY;
    pthread_mutex_unlock(&table->lock);
    return count;
}

static mote_status no_memory(const mote_source *source)
{
    return mote_fail(MOTE_ERROR_OUT_OF_HOST_MEMORY, "%s: out of host memory", source->name);
}

static mote_program *make(const mote_source *source, const char *defines)
{
    mote_program *program = calloc(1, sizeof(*program));
    if (!program)
        return NULL;
    program->source = source;
    program->kernels = mote_kernels_create();
    program->defines = malloc(strlen(defines) + 1);
    if (!program->kernels || !program->defines) {
        destroy(program);
        return NULL;
    }
    strcpy(program->defines, defines);
    return program;
}

/* The caller must hold the lock. A thread that is building does not wait for another build, which
 * may be its own or may wait for this one: if the program is not ready, the thread builds a second
 * one of the same key. */
static mote_program *find(const mote_program_table *table, const mote_source *source,
                          const char *defines, size_t *others)
{
    *others = 0;
    for (mote_program *p = table->first; p; p = p->next) {
        if (p->source != source)
            continue;
        if (strcmp(p->defines, defines) != 0)
            ++*others;
        else if (p->state == READY || !building)
            return p;
    }
    return NULL;
}

/* Under the lock. */
static void unlink_program(mote_program_table *table, const mote_program *program)
{
    mote_program **link = &table->first;
    while (*link != program)
        link = &(*link)->next;
    *link = program->next;
}

/* Builds the program, without holding the lock meanwhile. A failed program leaves the table at
 * once, so that the next call tries again; the last waiting thread frees it. */
static mote_status build(mote_context *ctx, mote_program *program)
{
    mote_program_table *table = ctx->programs;
    building++;
    mote_status status = mote_program_build(ctx, program->source, program->defines, &program->cl);
    building--;
    const char *sentence = mote_last_error();
    char *message = status ? malloc(strlen(sentence) + 1) : NULL;
    if (message)
        strcpy(message, sentence);
    pthread_mutex_lock(&table->lock);
    program->state = status ? FAILED : READY;
    program->status = status;
    program->message = message;
    if (status)
        unlink_program(table, program);
    bool mine = status && program->waiting == 0;
    pthread_cond_broadcast(&table->built);
    pthread_mutex_unlock(&table->lock);
    if (mine)
        destroy(program);
    return status;
}

/* It is called with the lock, and returns without it. A waiting thread is counted, so that a failed
 * program is not freed while its message is read. */
static mote_status wait_for(mote_program_table *table, mote_program *program)
{
    program->waiting++;
    while (program->state == BUILDING)
        pthread_cond_wait(&table->built, &table->lock);
    mote_status status = program->status;
    if (program->state == FAILED) {
        pthread_mutex_unlock(&table->lock);
        mote_fail(status, "%s", program->message ? program->message : "out of host memory");
        pthread_mutex_lock(&table->lock);
    }
    program->waiting--;
    bool mine = program->state == FAILED && program->waiting == 0;
    pthread_mutex_unlock(&table->lock);
    if (mine)
        destroy(program);
    return status;
}

static mote_status get(mote_context *ctx, const mote_source *source, const char *defines,
                       mote_program **out)
{
    mote_program_table *table = ctx->programs;
    size_t others;
    pthread_mutex_lock(&table->lock);
    mote_program *program = find(table, source, defines, &others);
    *out = program;
    if (program)
        return wait_for(table, program);
    *out = program = make(source, defines);
    if (program) {
        program->next = table->first;
        table->first = program;
    }
    pthread_mutex_unlock(&table->lock);
    if (!program)
        return no_memory(source);
    mote_status status = build(ctx, program);
    /* The warning comes after the build, because the log callback may request this program. */
    if (others == PROGRAMS_EXPECTED)
        mote_log(MOTE_LOG_WARN, "%s: more than %d programs are built, the last one with [%s]",
                 source->name, PROGRAMS_EXPECTED, defines);
    return status;
}

mote_status mote_kernel_acquire(mote_context *ctx, const mote_source *source, const char *defines,
                                const char *name, mote_kernel_lease *lease)
{
    *lease = (mote_kernel_lease){0};
    mote_program *program = NULL;
    mote_status status = get(ctx, source, defines, &program);
    if (status)
        return status;
    cl_int code = mote_kernels_take(program->kernels, program->cl, name, lease);
    if (code == MOTE_ERROR_OUT_OF_HOST_MEMORY)
        return no_memory(source);
    if (code)
        return mote_fail(code, "%s: clCreateKernel(\"%s\") failed with %s (%d), options [%s]",
                         source->name, name, mote_status_name(code), (int)code, defines);
    lease->program = program;
#ifndef NDEBUG
    status = mote_kernels_describe(program->kernels, lease);
    if (status)
        mote_kernel_give_back(lease);
#endif
    return status;
}

void mote_kernel_give_back(mote_kernel_lease *lease)
{
    if (lease->kernel)
        mote_kernels_return(lease->program->kernels, lease);
    *lease = (mote_kernel_lease){0};
}
