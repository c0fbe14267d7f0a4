/* SPDX-License-Identifier: Apache-2.0 */
#include "core/convert.h"
#include "core/fail.h"
#include "core/size.h"
#include "core/tune.h"

#include "cl_sources.h"

#include <stdio.h>

#define GROUP           256 /* GPU form */
#define GROUPS_PER_UNIT 16
#define ITEMS_PER_UNIT  4 /* CPU form */

/* The type in the kernel source; see there. */
typedef struct kernel_type {
    const char *name;
    int kind;
    const char *limits;
} kernel_type;

static const kernel_type kernel_types[] = {
    [MOTE_BOOL] = {"uchar", 0, ""},
    [MOTE_UINT8] = {"uchar", 1, " -DTO_MIN=0 -DTO_MAX=UCHAR_MAX -DTO_LIMIT=0x1p8f"},
    [MOTE_UINT16] = {"ushort", 1, " -DTO_MIN=0 -DTO_MAX=USHRT_MAX -DTO_LIMIT=0x1p16f"},
    [MOTE_INT32] = {"int", 2, " -DTO_MIN=INT_MIN -DTO_MAX=INT_MAX -DTO_LIMIT=0x1p31f"},
    [MOTE_UINT32] = {"uint", 1, " -DTO_MIN=0 -DTO_MAX=UINT_MAX -DTO_LIMIT=0x1p32f"},
    [MOTE_INT64] = {"long", 2, " -DTO_MIN=LONG_MIN -DTO_MAX=LONG_MAX -DTO_LIMIT=0x1p63f"},
    [MOTE_UINT64] = {"ulong", 1, " -DTO_MIN=0 -DTO_MAX=ULONG_MAX -DTO_LIMIT=0x1p64f"},
    [MOTE_FLOAT32] = {"float", 3, ""},
    [MOTE_FLOAT64] = {"double", 3, ""},
};

mote_status mote_convert_device(mote_call *call, const mote_view *from, const mote_view *to,
                                bool last)
{
    const mote_device_info *device = &call->ctx->device;
    bool wide = from->type == MOTE_FLOAT64 || to->type == MOTE_FLOAT64;
    bool cpu = mote_tune_form(call->ctx, "core.form") == MOTE_DEVICE_CPU;
    size_t local = cpu ? 1 : min_size(GROUP, device->max_work_group);
    size_t groups =
        cpu ? min_size(ITEMS_PER_UNIT * (size_t)device->compute_units, to->count)
            : min_size(GROUPS_PER_UNIT * (size_t)device->compute_units, to->count / local + 1);
    const kernel_type *in = &kernel_types[from->type], *out = &kernel_types[to->type];
    char defines[256];
    mote_launch launch;
    if (wide && !device->has_fp64)
        return mote_fail(MOTE_ERROR_UNSUPPORTED,
                         "%s: %s to %s needs double precision, which %s does not have: use a "
                         "blocking call, which converts on the host",
                         call->name, mote_type_name(from->type), mote_type_name(to->type),
                         device->name);
    snprintf(defines, sizeof(defines),
             "-DFROM_T=%s -DFROM_KIND=%d -DTO_T=%s -DTO_KIND=%d -DWG=%zu%s%s%s", in->name, in->kind,
             out->name, out->kind, local, out->limits, wide ? " -DFP64" : "",
             cpu ? " -DCPU_FORM" : "");
    mote_launch_begin(&launch, call, &mote_cl_common_convert, defines, "convert");
    mote_launch_view(&launch, "in", from);
    mote_launch_view(&launch, "out", to);
    mote_launch_u64(&launch, "n", to->count);
    mote_launch_bytes(&launch, (uint64_t)to->count *
                                   (mote_type_size(from->type) + mote_type_size(to->type)));
    if (last)
        mote_launch_last(&launch);
    return mote_launch_run(&launch, groups, local);
}
