/* SPDX-License-Identifier: Apache-2.0 */
#include "core/scratch.h"

#include <stdlib.h>

struct mote_scratch_pool {
    size_t blocks;
};

mote_scratch_pool *mote_scratch_pool_create(void)
{
    return calloc(1, sizeof(mote_scratch_pool));
}

void mote_scratch_pool_release(mote_scratch_pool *pool)
{
    free(pool);
}
