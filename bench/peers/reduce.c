/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/peers/reduce.h"

double mote_peer_sum_f32(const float *values, size_t n)
{
    float sum = 0;

#pragma omp simd reduction(+ : sum)
    for (size_t i = 0; i < n; i++)
        sum += values[i];
    return (double)sum;
}

double mote_peer_sum_f64(const double *values, size_t n)
{
    double sum = 0;

#pragma omp simd reduction(+ : sum)
    for (size_t i = 0; i < n; i++)
        sum += values[i];
    return sum;
}

double mote_peer_sum_f32_omp(const float *values, size_t n)
{
    float sum = 0;

#pragma omp parallel for simd reduction(+ : sum)
    for (size_t i = 0; i < n; i++)
        sum += values[i];
    return (double)sum;
}

double mote_peer_sum_f64_omp(const double *values, size_t n)
{
    double sum = 0;

#pragma omp parallel for simd reduction(+ : sum)
    for (size_t i = 0; i < n; i++)
        sum += values[i];
    return sum;
}
