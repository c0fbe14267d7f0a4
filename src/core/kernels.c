/* SPDX-License-Identifier: Apache-2.0 */
#include "core/kernels.h"
#include "core/fail.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

typedef struct kernel_slot {
    const char *name;
    cl_kernel *idle;
    size_t count, room;
    mote_parameters *parameters; /* NULL: unknown */
    bool described;              /* the driver has been queried for the parameters */
} kernel_slot;

struct mote_kernels {
    pthread_mutex_t lock;
    kernel_slot *slots;
    size_t count;
};

mote_kernels *mote_kernels_create(void)
{
    mote_kernels *kernels = calloc(1, sizeof(*kernels));
    if (kernels && pthread_mutex_init(&kernels->lock, NULL) != 0) {
        free(kernels);
        return NULL;
    }
    return kernels;
}

void mote_kernels_release(mote_kernels *kernels)
{
    if (!kernels)
        return;
    for (size_t i = 0; i < kernels->count; i++) {
        kernel_slot *slot = &kernels->slots[i];
        while (slot->count > 0)
            clReleaseKernel(slot->idle[--slot->count]);
        free(slot->idle);
        free(slot->parameters);
    }
    free(kernels->slots);
    pthread_mutex_destroy(&kernels->lock);
    free(kernels);
}

/* Under the lock: returns the slot of a name, and creates it if there is none; SIZE_MAX if memory
 * runs out. */
static size_t find(mote_kernels *kernels, const char *name)
{
    for (size_t i = 0; i < kernels->count; i++)
        if (strcmp(kernels->slots[i].name, name) == 0)
            return i;
    kernel_slot *grown = realloc(kernels->slots, (kernels->count + 1) * sizeof(*grown));
    if (!grown)
        return SIZE_MAX;
    kernels->slots = grown;
    grown[kernels->count] = (kernel_slot){.name = name};
    return kernels->count++;
}

mote_status mote_kernels_take(mote_kernels *kernels, cl_program program, const char *name,
                              mote_kernel_lease *lease)
{
    pthread_mutex_lock(&kernels->lock);
    lease->name = name;
    lease->slot = find(kernels, name);
    if (lease->slot != SIZE_MAX && kernels->slots[lease->slot].count > 0) {
        kernel_slot *slot = &kernels->slots[lease->slot];
        lease->kernel = slot->idle[--slot->count];
    }
    pthread_mutex_unlock(&kernels->lock);
    if (lease->slot == SIZE_MAX)
        return MOTE_ERROR_OUT_OF_HOST_MEMORY;
    if (lease->kernel)
        return MOTE_SUCCESS;
    cl_int code = CL_SUCCESS;
    lease->kernel = clCreateKernel(program, name, &code);
    if (code)
        lease->kernel = NULL;
    return code;
}

mote_status mote_kernels_describe(mote_kernels *kernels, mote_kernel_lease *lease)
{
    mote_status status = MOTE_SUCCESS;
    const char *failed = NULL;
    pthread_mutex_lock(&kernels->lock);
    kernel_slot *slot = &kernels->slots[lease->slot];
    if (!slot->described)
        status = mote_parameters_ask(lease->kernel, &slot->parameters, &failed);
    slot->described = !status;
    lease->parameters = slot->parameters;
    pthread_mutex_unlock(&kernels->lock);
    return status ? mote_fail_cl(status, lease->name, failed) : MOTE_SUCCESS;
}

void mote_kernels_return(mote_kernels *kernels, const mote_kernel_lease *lease)
{
    pthread_mutex_lock(&kernels->lock);
    kernel_slot *slot = &kernels->slots[lease->slot];
    if (slot->count == slot->room) {
        size_t room = slot->room ? 2 * slot->room : 4;
        cl_kernel *grown = realloc(slot->idle, room * sizeof(*grown));
        if (grown) {
            slot->idle = grown;
            slot->room = room;
        }
    }
    bool kept = slot->count < slot->room;
    if (kept)
        slot->idle[slot->count++] = lease->kernel;
    pthread_mutex_unlock(&kernels->lock);
    if (!kept)
        clReleaseKernel(lease->kernel);
}
