/* SPDX-License-Identifier: Apache-2.0 */
#include "core/host_job.h"
#include "core/fail.h"
#include "core/fork.h"

#include <assert.h>

int64_t mote_host_index(const void *array, mote_type type, size_t k)
{
    if (type == MOTE_INT32)
        return ((const int32_t *)array)[k];
    return type == MOTE_UINT32 ? ((const uint32_t *)array)[k] : ((const int64_t *)array)[k];
}

mote_status mote_host_job_begin(mote_host_job *job, const char *name, mote_context *ctx,
                                mote_host *host)
{
    *job = (mote_host_job){.name = name};
    mote_status st = mote_check_process(name);
    if (st)
        return st;
    job->host = host;
    if (!ctx)
        return mote_fail(MOTE_ERROR_INVALID_ARGUMENT, "%s: ctx is NULL", name);
    if (host && host->ctx != ctx)
        return mote_fail(MOTE_ERROR_WRONG_CONTEXT,
                         "%s: host was made on another mote_context than ctx", name);
    if (!host) {
        st = mote_host_create(ctx, NULL, &job->temporary);
        job->host = job->temporary;
    }
    if (!st)
        job->host->calls++;
    return st;
}

mote_status mote_host_job_upload(mote_host_job *job, size_t slot, const void *from, size_t count,
                                 mote_type type, mote_view *view)
{
    size_t element = mote_type_size(type);
    const mote_host_array array = {(void *)(uintptr_t)from, count * element, element, false};
    cl_mem mem;
    if (!from || count == 0)
        return MOTE_SUCCESS;
    mote_status st = mote_host_wrap(job->host, slot, &array, &mem);
    if (!st && !mem) {
        st = mote_host_upload(job->host, slot, from, array.bytes);
        mem = job->host->slot[slot].device;
        if (!st)
            mote_host_cache_note(job->host, slot, from, array.bytes);
    }
    *view = mote_view_make(mem, count, type);
    return st;
}

mote_status mote_host_job_upload_again(mote_host_job *job, size_t slot, const void *from,
                                       size_t count, mote_type type, mote_view *view)
{
    if (!mote_host_cache_holds(job->host, slot, from, count * mote_type_size(type)))
        return mote_host_job_upload(job, slot, from, count, type, view);
    mote_host_cache_note(job->host, slot, from, count * mote_type_size(type));
    *view = mote_view_make(job->host->slot[slot].device, count, type);
    return MOTE_SUCCESS;
}

mote_status mote_host_job_reserve(mote_host_job *job, size_t slot, size_t count, mote_type type,
                                  mote_view *view)
{
    cl_mem mem = NULL;
    mote_status st = mote_host_device(job->host, slot, count * mote_type_size(type), &mem);
    *view = mote_view_make(mem, count, type);
    return st;
}

mote_status mote_host_job_output(mote_host_job *job, size_t slot, void *to, size_t count,
                                 mote_type type, mote_view *view)
{
    size_t element = mote_type_size(type);
    const mote_host_array array = {to, count * element, element, true};
    cl_mem mem;
    mote_status st = mote_host_wrap(job->host, slot, &array, &mem);
    if (!st && !mem)
        return mote_host_job_reserve(job, slot, count, type, view);
    *view = mote_view_make(mem, count, type);
    return st;
}

mote_status mote_host_job_result(mote_host_job *job, size_t slot, size_t count, mote_type type,
                                 mote_view *view)
{
    void *memory;
    mote_status st = mote_host_plain(job->host, slot, count * mote_type_size(type), &memory);
    return st ? st : mote_host_job_output(job, slot, memory, count, type, view);
}

void mote_host_job_in(mote_host_job *job, const void *from, size_t count, mote_type type,
                      mote_view *view)
{
    if (!job->status)
        job->status = mote_host_job_upload(job, job->slots++, from, count, type, view);
}

static void add_output(mote_host_job *job, void *to, const mote_view *view)
{
    assert(job->outputs < MOTE_HOST_JOB_OUTPUTS);
    job->output[job->outputs++] =
        (mote_host_target){job->slots++, to, view->count * mote_type_size(view->type)};
}

void mote_host_job_out(mote_host_job *job, void *to, size_t count, mote_type type, mote_view *view)
{
    if (job->status)
        return;
    job->status = mote_host_job_output(job, job->slots, to, count, type, view);
    add_output(job, to, view);
}

void mote_host_job_room(mote_host_job *job, void *to, size_t count, mote_type type, mote_view *view)
{
    if (!job->status)
        job->status = mote_host_job_output(job, job->slots++, to, count, type, view);
}

cl_mem mote_host_job_error(mote_host_job *job)
{
    mote_view view = {0};
    if (job->status)
        return NULL;
    job->status = mote_host_job_reserve(job, job->slots, MOTE_ERROR_SLOTS, MOTE_UINT32, &view);
    add_output(job, &job->word, &view);
    return view.mem;
}

mote_status mote_host_job_finish(mote_host_job *job, mote_status status, cl_event done)
{
    return mote_host_job_fetch(job, status, done, job->output, job->outputs);
}

mote_status mote_host_job_wait(mote_host_job *job, mote_status status, cl_event done)
{
    if (!status)
        status = mote_host_wait(job->host, done);
    if (done)
        clReleaseEvent(done);
    return status;
}

mote_status mote_host_job_fetch(mote_host_job *job, mote_status status, cl_event done,
                                const mote_host_target *targets, size_t count)
{
    double begin = mote_host_clock();
    if (!status)
        status = mote_host_download_all(job->host, targets, count);
    status = mote_host_job_wait(job, status, done);
    job->host->device_seconds = mote_host_clock() - begin;
    return status;
}

mote_status mote_host_job_end(mote_host_job *job, mote_status status)
{
    if (status && job->host) {
        clFinish(job->host->queue);
        mote_host_cache_forget(job->host);
    }
    if (job->host)
        mote_host_unwrap_all(job->host);
    mote_host_release(job->temporary);
    return status;
}
