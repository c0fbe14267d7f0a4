/* SPDX-License-Identifier: Apache-2.0 */
/* One blocking call on plain arrays: its host state, arrays on the device, and the wait. */
#ifndef MOTE_CORE_HOST_JOB_H
#define MOTE_CORE_HOST_JOB_H

#include "core/host.h"

#define MOTE_HOST_JOB_OUTPUTS 8

typedef struct mote_host_job {
    const char *name; /* public function, for messages */
    mote_host *host;  /* the caller's, or `temporary` */
    mote_host *temporary;
    mote_status status; /* first failure of the functions for arrays */
    size_t slots, outputs;
    mote_host_target output[MOTE_HOST_JOB_OUTPUTS];
    mote_error_word word; /* the error word that mote_host_job_finish() has read */
} mote_host_job;

/* Returns element k of an array of one of the types of offsets. */
int64_t mote_host_index(const void *array, mote_type type, size_t k);

/* Checks ctx and host; without a host, creates a temporary one. */
mote_status mote_host_job_begin(mote_host_job *job, const char *name, mote_context *ctx,
                                mote_host *host);

/* Makes the elements of an input available in the next slot and sets their view; without elements
 * or without an array the view does not change. job->status keeps the first failure; after it, the
 * functions for arrays do nothing. */
void mote_host_job_in(mote_host_job *job, const void *from, size_t count, mote_type type,
                      mote_view *view);

/* Reserves room for an output in the next slot, and sets its view. */
void mote_host_job_out(mote_host_job *job, void *to, size_t count, mote_type type, mote_view *view);

/* Reserves room for an output in the next slot, and sets its view, but mote_host_job_finish() does
 * not read the output: a caller that knows how many results there are reads them with
 * mote_host_download_all(). */
void mote_host_job_room(mote_host_job *job, void *to, size_t count, mote_type type,
                        mote_view *view);

/* Reserves room for an error word in the next slot. */
cl_mem mote_host_job_error(mote_host_job *job);

/* After an enqueuing call that returned `status`: waits for its event, releases it, and reads all
 * outputs and the error word. */
mote_status mote_host_job_finish(mote_host_job *job, mote_status status, cl_event done);

/* Makes `count` elements available in a slot, by copying them or, on CPU devices, in place, and
 * returns the view of them; without elements or without an array it does nothing, and the view is
 * NULL. */
mote_status mote_host_job_upload(mote_host_job *job, size_t slot, const void *from, size_t count,
                                 mote_type type, mote_view *view);

/* Makes an array available, as mote_host_job_upload() does, that has not changed since the last
 * call on the host. If that call left a copy of the array in the slot, it is not copied again. */
mote_status mote_host_job_upload_again(mote_host_job *job, size_t slot, const void *from,
                                       size_t count, mote_type type, mote_view *view);

/* mote_host_job_upload() or mote_host_job_upload_again(). */
typedef mote_status (*mote_host_upload_way)(mote_host_job *job, size_t slot, const void *from,
                                            size_t count, mote_type type, mote_view *view);

/* Reserves room for `count` elements in a slot, even for none, and returns its view. */
mote_status mote_host_job_reserve(mote_host_job *job, size_t slot, size_t count, mote_type type,
                                  mote_view *view);

/* Reserves room in a slot for results, and returns its view. The results will be written to the
 * array `to`, unless it is NULL. On CPU devices the room is the array itself, until
 * mote_host_download() to the same array. */
mote_status mote_host_job_output(mote_host_job *job, size_t slot, void *to, size_t count,
                                 mote_type type, mote_view *view);

/* Reserves room for a result that the host owns, as mote_host_job_output() does for the slot's
 * plain memory. */
mote_status mote_host_job_result(mote_host_job *job, size_t slot, size_t count, mote_type type,
                                 mote_view *view);

/* After an enqueuing call that returned `status`: waits for its event and releases it. */
mote_status mote_host_job_wait(mote_host_job *job, mote_status status, cl_event done);

/* Reads the results after an enqueuing call that returned `status`, and releases its event. The
 * host does not wait between the work and the reads: on a GPU each wait takes 5 to 10 us. After the
 * reads, the event is complete and shows whether the work has failed. */
mote_status mote_host_job_fetch(mote_host_job *job, mote_status status, cl_event done,
                                const mote_host_target *targets, size_t count);

/* Ends the job and the use of the caller's arrays: after a failure it waits for commands that still
 * use them. */
mote_status mote_host_job_end(mote_host_job *job, mote_status status);

#endif
