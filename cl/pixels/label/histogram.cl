/* SPDX-License-Identifier: Apache-2.0 */
/* Clustering with the labels of CMS's findClus, for comparison, one module at a time.
 *
 * Form: GPU.
 * Defines: WG, TILE, ARENA_WORDS, LEVELS, DUPLICATES, ADC_WIDE, CHARGE_CUT, DEVICE_GPU, SPILLED
 * (as for pixels/label/union_find.cl), ID_T, ADC_T, ORDER_ANY (pixels/input/input.clh).
 * Optional: POSITION_KEYS (as there), MASKED, CALIBRATED (pixels/input/decode.clh). */
#define STRATEGY_HISTOGRAM 1
#include "pixels/label/kernel.clh"
