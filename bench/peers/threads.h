/* SPDX-License-Identifier: Apache-2.0 */
/* OpenMP's functions for threads; a compiler without OpenMP runs the peers on one thread. */
#ifndef MOTE_BENCH_PEERS_THREADS_H
#define MOTE_BENCH_PEERS_THREADS_H

#if defined(_OPENMP)
#include <omp.h>
#else
static inline int omp_get_thread_num(void)
{
    return 0;
}

static inline int omp_get_num_threads(void)
{
    return 1;
}

static inline int omp_get_max_threads(void)
{
    return 1;
}
#endif

#endif
