/* SPDX-License-Identifier: Apache-2.0 */
/* Clustering with labels by lock-free union-find over runs of pixels: the fast GPU form.
 *
 * Defines: WG, TILE (power of two), ARENA_WORDS, LEVELS (2..4), ORDER_ANY, DUPLICATES, ID_T, ADC_T,
 * ADC_WIDE, CHARGE_CUT, DEVICE_GPU, SPILLED (the kernel for modules that did not fit). */
#define STRATEGY_HISTOGRAM 0
#include "pixels/cluster/kernel.clh"
