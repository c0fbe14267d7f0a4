/* SPDX-License-Identifier: Apache-2.0 */
/* vendors-requested PLATFORM GROUP LOCAL FP64 UNITS SUB_GROUPS WIDTH: a line "SOURCE KERNEL
 * WORK-ITEMS OPTIONS" for each kernel that the host would launch on a GPU of a platform, with
 * groups of at most GROUP work-items, LOCAL bytes of local memory, with (1) or without (0) double
 * precision, UNITS compute units, the ways to exchange inside a sub-group whose bits are in
 * SUB_GROUPS, and the WIDTH that some kernels demand, or 0 (core/sub_groups.h). Calls are prepared,
 * so nothing is computed; the linker replaces the library's functions by those below, so nothing is
 * built either. */
#include "requested.h"

#include "core/call.h"
#include "core/context.h"
#include "core/convert.h"
#include "core/program.h"
#include "core/quirks.h"
#include "core/sub_groups.h"
#include "testkit/operation.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const areas[] = {"reduce", "jagged", "coordination", "pixels"};

/* The kernel of the launch under construction. */
static struct {
    const char *source, *name;
    char options[1024];
} kernel;

mote_status __wrap_mote_kernel_acquire(mote_context *ctx, const mote_source *source,
                                       const char *defines, const char *name,
                                       mote_kernel_lease *lease);
mote_status __wrap_mote_launch_run(mote_launch *launch, size_t groups, size_t local);
mote_status __wrap_mote_call_scratch(mote_call *call, size_t bytes, const mote_view *workspace,
                                     mote_view *scratch);

/* The options are those of core/program_build.c; the prefix "inlined" shows that its
 * MOTE_QUIRK_CALLS is set. MOTE_SUB_GROUPS is printed even if it is 0, so that each kind of
 * exchange is compiled; the path of large modules is an exception, because it has no effect
 * there. */
mote_status __wrap_mote_kernel_acquire(mote_context *ctx, const mote_source *source,
                                       const char *defines, const char *name,
                                       mote_kernel_lease *lease)
{
    *lease = (mote_kernel_lease){.name = name};
    kernel.source = source->name;
    kernel.name = name;
    bool exchanges =
        strstr(source->text, "MOTE_SUB_GROUPS") && !strstr(defines, "-DSMALL_MODULES=0");
    unsigned way = exchanges ? (unsigned)ctx->sub_groups : MOTE_SUB_GROUPS_NONE;
    int used = snprintf(kernel.options, sizeof(kernel.options), "%s-cl-std=CL%s",
                        mote_has_quirk(ctx, MOTE_QUIRK_CALLS) ? "inlined " : "",
                        way == MOTE_SUB_GROUPS_KHR ? "3.0" : "1.2");
    if (exchanges)
        used += snprintf(kernel.options + used, sizeof(kernel.options) - (size_t)used,
                         " -DMOTE_SUB_GROUPS=%u", way);
    if (ctx->width > 0 && strstr(source->text, "MOTE_WIDTH"))
        used += snprintf(kernel.options + used, sizeof(kernel.options) - (size_t)used,
                         " -DMOTE_WIDTH=%u", (unsigned)ctx->width);
    snprintf(kernel.options + used, sizeof(kernel.options) - (size_t)used, "%s %s",
             ctx->device.has_fp64 ? " -DMOTE_FP64=1" : "", defines);
    return MOTE_SUCCESS;
}

mote_status __wrap_mote_launch_run(mote_launch *launch, size_t groups, size_t local)
{
    const mote_device_info *device = &launch->call->ctx->device;
    if (launch->status)
        return launch->status;
    if (local > device->max_work_group) {
        fprintf(stderr, "%s: %s in groups of %zu\n", kernel.source, kernel.name, local);
        exit(1);
    }
    if (groups > 0)
        printf("%s %s %zu %s\n", kernel.source, kernel.name, local, kernel.options);
    return MOTE_SUCCESS;
}

mote_status __wrap_mote_call_scratch(mote_call *call, size_t bytes, const mote_view *workspace,
                                     mote_view *scratch)
{
    (void)workspace;
    call->zeros = (mote_view){.count = MOTE_CALL_ZEROS, .type = MOTE_UINT32};
    *scratch = (mote_view){.count = bytes / 4, .type = MOTE_UINT32};
    return MOTE_SUCCESS;
}

void requested_check(mote_status status, const char *what)
{
    if (!status)
        return;
    fprintf(stderr, "%s: %s\n", what, mote_last_error());
    exit(1);
}

void requested_prepare(mote_context *ctx, mote_operation operation, const void *args)
{
    mote_status status = mote_prepare(ctx, operation, args);
    if (status != MOTE_ERROR_INVALID_ARGUMENT && status != MOTE_ERROR_INVALID_TYPE &&
        status != MOTE_ERROR_UNSUPPORTED)
        requested_check(status, "mote_prepare");
}

mote_view requested_view(mote_type type, size_t count)
{
    return (mote_view){.count = count, .type = type};
}

/* Every program of a described operation, at several sizes and for several seeds. */
static void ask_operation(mote_context *ctx, const trial_operation *operation)
{
    static const struct {
        size_t size, parts;
    } sizes[] = {{100, 1},
                 {4000, 500},
                 {300000, 3000},
                 {400000, 300000},
                 {4500000, 10000000},
                 {5000000, 100000},
                 {20000000, 400000},
                 {3000000, 10000000},
                 {20000000, 5000000},
                 {(size_t)5 << 30, 1000}}; /* more than 2^32 */
    for (size_t way = 0; way < 2 * ASKED_COUNT(sizes); way++) {
        trial_choices choices = {0};
        do {
            _Alignas(max_align_t) unsigned char args[TRIAL_ARGS_BYTES];
            trial_call c = {.operation = operation,
                            .ctx = ctx,
                            .choices = &choices,
                            .seed = way + 1,
                            .size = sizes[way % ASKED_COUNT(sizes)].size,
                            .parts = sizes[way % ASKED_COUNT(sizes)].parts};
            if (!trial_draw(&c))
                continue;
            trial_args(&c, args);
            requested_prepare(ctx, operation->number, args);
        } while (trial_choices_next(&choices));
    }
}

/* All operations of an area. The programs of two operations depend on more than their decisions:
 * on the sizes and numbers of modules, and on the numbers of a switching function. They have files
 * of their own. */
static void ask_area(mote_context *ctx, const char *area)
{
    const trial_operation *at = NULL;
    while ((at = trial_next(area, at)))
        if (at != &trial_clusters && at != &trial_coordination)
            ask_operation(ctx, at);
    if (strcmp(area, "pixels") == 0)
        requested_pixels(ctx);
    if (strcmp(area, "coordination") == 0)
        requested_coordination(ctx);
}

/* Conversions from each type to each other one. */
static void ask_conversions(mote_context *ctx)
{
    for (ASKED_TYPES(from))
        for (ASKED_TYPES(to)) {
            mote_view in = requested_view((mote_type)from, 100000);
            mote_view out = requested_view((mote_type)to, 100000);
            mote_call call = {.ctx = ctx, .name = "convert", .preparing = true};
            if (from == to || !mote_can_convert(in.type, out.type))
                continue; /* equal types are copied */
            mote_status status = mote_convert_device(&call, &in, &out, true);
            if (status != MOTE_ERROR_UNSUPPORTED)
                requested_check(status, "convert");
        }
}

/* Returns a context of the device that the arguments describe. */
static mote_context *pretend(char **argv, const char *tune)
{
    mote_context *ctx = NULL;
    requested_check(mote_context_open(NULL, &ctx), "mote_context_open");
    mote_device_info *device = &ctx->device;
    device->device_class = MOTE_DEVICE_GPU;
    snprintf(device->platform, sizeof(device->platform), "%s", argv[1]);
    device->max_work_group = strtoul(argv[2], NULL, 10);
    device->local_bytes = strtoul(argv[3], NULL, 10);
    device->has_fp64 = argv[4][0] == '1';
    device->compute_units = (cl_uint)strtoul(argv[5], NULL, 10);
    ctx->quirks = mote_quirks_find(device);
    ctx->sub_groups = MOTE_SUB_GROUPS_NONE;
    ctx->width = (uint32_t)strtoul(argv[7], NULL, 10);
    requested_check(mote_context_tune(ctx, tune), "mote_context_tune");
    return ctx;
}

/* Kernels that exchange values in sub-groups, with each kind of exchange; labelling by size is off
 * unless they are requested, and so are sums of positions in global memory. */
static void ask_bands(char **argv)
{
    static const char *const tunes[] = {"", "pixels.by_size=1", "pixels.positions_group=0"};
    unsigned long ways = strtoul(argv[6], NULL, 10) | 1ul << MOTE_SUB_GROUPS_NONE;
    for (size_t k = 0; k < sizeof(tunes) / sizeof(tunes[0]); k++) {
        mote_context *ctx = pretend(argv, tunes[k]);
        for (int way = MOTE_SUB_GROUPS_NONE; way <= MOTE_SUB_GROUPS_AMD; way++) {
            ctx->sub_groups = (mote_sub_groups)way;
            if (ways >> way & 1)
                ask_area(ctx, "pixels");
        }
        mote_context_release(ctx);
    }
}

/* With the option for programs that keep numbers in memory; other vendors' devices do not have
 * it. */
static void ask_registers(char **argv)
{
    mote_context *ctx = pretend(argv, "core.large_registers=1");
    for (size_t k = 0; *mote_registers_option(ctx) && k < ASKED_COUNT(areas); k++)
        ask_area(ctx, areas[k]);
    mote_context_release(ctx);
}

int main(int argc, char **argv)
{
    if (argc != 8) {
        fprintf(stderr, "usage: %s PLATFORM GROUP LOCAL FP64 UNITS SUB_GROUPS WIDTH\n", argv[0]);
        return 2;
    }
    mote_context *ctx = pretend(argv, "");
    ask_conversions(ctx);
    for (size_t k = 0; k < ASKED_COUNT(areas); k++)
        if (strcmp(areas[k], "pixels") != 0) /* ask_bands() has them */
            ask_area(ctx, areas[k]);
    mote_context_release(ctx);
    ask_bands(argv);
    ask_registers(argv);
    return 0;
}
