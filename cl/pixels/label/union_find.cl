/* SPDX-License-Identifier: Apache-2.0 */
/* Clustering with labels by lock-free union-find over runs of pixels: the fast GPU form.
 *
 * Form: GPU.
 * Defines: WG, TILE (positions, a power of two), ARENA_WORDS (of local memory for a pack),
 * LEVELS (of the bit tree, 2 to 5), DUPLICATES (mote_pixels_duplicates), ADC_WIDE (1: charges of
 * a pack can pass 32 bits), CHARGE_CUT (1: there is one), DEVICE_GPU (0: a CPU runs this),
 * SPILLED (1: the kernel for modules that did not fit), ID_T, ADC_T, ORDER_ANY
 * (pixels/input/input.clh).
 * Optional: POSITION_KEYS (0: nobody listed the key of each position; behind by_size.cl), MASKED,
 * CALIBRATED (pixels/input/decode.clh). */
#define STRATEGY_HISTOGRAM 0
#include "pixels/label/kernel.clh"
