/* SPDX-License-Identifier: Apache-2.0 */
#include "pixels/host_digis.h"
#include "mote/pixels_measure.h"

mote_status mote_pixels_list_digis(mote_host_job *job, size_t slot,
                                   const mote_pixels_cluster_args *clusters, size_t capacity)
{
    mote_pixels_cluster_digis_args d;
    mote_host *host = job->host;
    cl_event done = NULL;
    mote_pixels_cluster_digis_args_init(&d);
    d.module_id = clusters->module_id;
    d.x = clusters->x;
    d.y = clusters->y;
    d.event_offsets = clusters->event_offsets;
    d.cluster_id = clusters->cluster_id;
    d.cluster_start = clusters->cluster_start;
    d.n_modules = clusters->n_modules;
    d.invalid_module_id = clusters->invalid_module_id;
    mote_status st = mote_host_job_result(job, slot, capacity + 1, MOTE_UINT32, &d.cluster_offsets);
    if (!st)
        st = mote_host_job_result(job, slot + 1, d.module_id.count, MOTE_UINT32, &d.digis);
    if (st)
        return st;
    const double before = host->device_seconds;
    st = mote_pixels_cluster_digis(host->ctx, host->queue, &d, 0, NULL, &done);
    st = mote_host_job_wait(job, st, done);
    host->device_seconds += before;
    return st;
}

mote_status mote_pixels_download_digis(mote_host_job *job, size_t slot, size_t clusters,
                                       mote_pixels_host_result *result)
{
    size_t bytes = (clusters + 1) * sizeof(uint32_t);
    void *offsets, *digis;
    mote_status st = mote_host_plain(job->host, slot, bytes, &offsets);
    if (!st)
        st = mote_host_download(job->host, slot, offsets, bytes);
    if (st)
        return st;
    bytes = ((const uint32_t *)offsets)[clusters] * sizeof(uint32_t);
    st = mote_host_plain(job->host, slot + 1, bytes, &digis);
    if (!st)
        st = mote_host_download(job->host, slot + 1, digis, bytes);
    result->digi_offsets = offsets;
    result->digis = digis;
    return st;
}
