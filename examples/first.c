/* SPDX-License-Identifier: Apache-2.0 */
#include <mote/mote.h>
#include <stdio.h>

int main(void)
{
    const uint16_t module[] = {0, 0, 0, 1, 1}, x[] = {10, 11, 40, 3, 4}, y[] = {7, 8, 9, 5, 6};
    int32_t cluster[5];
    mote_pixels_host_args args;
    mote_pixels_host_args_init(&args);
    args.n = 5;
    args.module_id16 = module, args.x = x, args.y = y;
    args.n_modules = 2, args.rows = 160, args.columns = 416;
    args.cluster_id = cluster;

    mote_context *ctx = NULL; /* NULL below: the best GPU, else the CPU */
    int failed = mote_context_open(NULL, &ctx) || mote_pixels_cluster_host(ctx, NULL, &args, NULL);
    if (failed)
        fprintf(stderr, "%s\n", mote_last_error());
    for (int i = 0; i < 5 && !failed; i++)
        printf("digi %d: module %d, cluster %d\n", i, module[i], cluster[i]);
    mote_context_release(ctx);
    return failed;
}
