/* SPDX-License-Identifier: Apache-2.0 */
#include "pixels/module_out.h"
#include "pixels/sweep.h"

#include "cl_sources.h"

mote_status mote_pixels_launch_module_out(mote_call *call, const mote_pixels_cluster_args *a,
                                          const mote_pixels_params *prm, bool last)
{
    size_t n = a->module_id.count;
    mote_sweep sweep = mote_sweep_make(call->ctx, "pixels.form", n);
    char defines[128];
    mote_launch l;
    mote_pixels_sweep_defines(&sweep, a->module_id.type, MOTE_UINT16, "", defines, sizeof(defines));
    mote_launch_begin(&l, call, &mote_cl_pixels_clusters_module_out, defines, "module_out");
    mote_launch_struct(&l, "prm", prm, sizeof(*prm));
    mote_launch_view(&l, "module_id", &a->module_id);
    mote_launch_view(&l, "n_device", &a->n_device);
    mote_launch_view(&l, "cluster_id", &a->cluster_id);
    mote_launch_view(&l, "module_id_out", &a->module_id_out);
    mote_launch_bytes(&l, (uint64_t)n * (4 + 2 * mote_type_size(a->module_id.type)));
    if (last)
        mote_launch_last(&l);
    return mote_launch_run(&l, n ? sweep.groups : 0, sweep.local);
}
