/* SPDX-License-Identifier: Apache-2.0 */
/* Sums, minima and maxima of rows, for GPUs, in the virtual layout of mote/reduce.h.
 *
 * sum_blocks gives every block of a row to a work-group, which strides over the blocks of all rows;
 * sum_finish joins the blocks of a row. Rows of one block need only sum_blocks, rows of up to 1024
 * values only sum_short, which gives a row no more work-items than it has use for. sum_once, for
 * NVIDIA's devices, does what sum_blocks and sum_finish do for one row of not too many blocks.
 *
 * Form: GPU.
 * Defines: WG (a power of two, 1024 at most), VALUES, RESULT, OP, WIDE, PAIR, SKIP_NAN
 * (reduce/sum_value.clh). */
#include "reduce/sum_once.clh"
