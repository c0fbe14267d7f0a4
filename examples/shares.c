/* SPDX-License-Identifier: Apache-2.0 */
/* One coordination number on two devices: each has a share of the pairs, and a thread. */
#include <mote/mote.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#define SHARES 2
#define ATOMS  3000
#define SIDE   4.4 /* of the box */

typedef struct job {
    pthread_t thread;
    char device[64]; /* the word that opens it */
    uint32_t share;
    const double *positions;
    double value, virial[9];
    mote_status status;
    char sentence[512];
} job;

static const double box[9] = {SIDE, 0, 0, 0, SIDE, 0, 0, 0, SIDE};

/* Every share has the same plan but for its number. */
static mote_status compute(job *j, mote_context *ctx, mote_coordination **plan)
{
    mote_coordination_plan_args setup;
    mote_coordination_host_args args;
    mote_coordination_plan_args_init(&setup);
    mote_coordination_host_args_init(&args);
    mote_status status = mote_switch_parse("RATIONAL R_0=0.3 D_MAX=0.75", &setup.function);
    setup.n_atoms = ATOMS, setup.pbc = MOTE_PBC_ORTHORHOMBIC;
    setup.share = j->share, setup.shares = SHARES;
    if (!status)
        status = mote_coordination_create(ctx, &setup, plan);
    args.plan = *plan, args.positions64 = j->positions, args.box = box;
    args.value = &j->value, args.virial = j->virial;
    return status ? status : mote_coordination_host(ctx, NULL, &args);
}

static void *work(void *argument)
{
    job *j = argument;
    mote_context *ctx = NULL;
    mote_coordination *plan = NULL;
    j->status = mote_context_open(j->device, &ctx);
    if (!j->status)
        j->status = compute(j, ctx, &plan);
    snprintf(j->sentence, sizeof(j->sentence), "%s", j->status ? mote_last_error() : "");
    mote_coordination_release(plan);
    mote_context_release(ctx);
    return NULL;
}

/* The first devices; where there is one only, it has all shares. */
static void choose_devices(job *jobs)
{
    mote_device_info *devices = NULL;
    size_t count = 0;
    if (mote_devices(sizeof(*devices), &devices, &count) || count == 0)
        fprintf(stderr, "there is no device\n");
    for (size_t s = 0; count && s < SHARES; s++)
        snprintf(jobs[s].device, sizeof(jobs[s].device), "%s", devices[s % count].spec);
    mote_devices_free(devices);
}

int main(void)
{
    static double positions[3 * ATOMS];
    static job jobs[SHARES];
    double value = 0.0, trace = 0.0;
    uint64_t state = 1;
    int started = 0, failed = 0;
    for (int i = 0; i < 3 * ATOMS; i++) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        positions[i] = (double)(state >> 11) * 0x1p-53 * SIDE;
    }
    choose_devices(jobs);
    for (; started < SHARES; started++) {
        jobs[started].share = (uint32_t)started;
        jobs[started].positions = positions;
        if (pthread_create(&jobs[started].thread, NULL, work, &jobs[started]))
            break;
    }
    for (int s = 0; s < started; s++) {
        pthread_join(jobs[s].thread, NULL);
        if (jobs[s].status)
            fprintf(stderr, "share %d: %s\n", s, jobs[s].sentence);
        failed |= jobs[s].status != MOTE_SUCCESS;
        printf("share %d of %d: %.1f\n", s, SHARES, jobs[s].value);
        value += jobs[s].value;
        trace += jobs[s].virial[0] + jobs[s].virial[4] + jobs[s].virial[8];
    }
    printf("coordination number %.1f, trace of the virial %.1f\n", value, trace);
    return failed || started < SHARES ? EXIT_FAILURE : EXIT_SUCCESS;
}
