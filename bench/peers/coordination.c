/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/peers/coordination.h"

#include <stdlib.h>
#include <string.h>

#include "bench/peers/grid.h"

static void mote_peer_clear(const mote_coordination_native *in, mote_coordination_native_out *out,
                            size_t real)
{
    out->value = 0;
    memset(out->virial, 0, sizeof(out->virial));
    if (in->derivatives)
        memset(out->derivatives, 0, 3 * in->n * real);
}

/* 1.5 x 2^23 or 1.5 x 2^52: adding and subtracting it rounds to an integer. */
#define REAL              float
#define NAMED(x)          x##_f32
#define POSITIONS_f32(in) (in)->positions32
#define MAGIC             12582912.0f
#include "bench/peers/coordination_real.h"

#undef REAL
#undef NAMED
#undef MAGIC
#define REAL              double
#define NAMED(x)          x##_f64
#define POSITIONS_f64(in) (in)->positions64
#define MAGIC             6755399441055744.0
#include "bench/peers/coordination_real.h"
