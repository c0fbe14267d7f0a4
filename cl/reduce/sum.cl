/* SPDX-License-Identifier: Apache-2.0 */
/* Sums, minima and maxima of rows, for GPUs, in the virtual layout of mote/reduce.h.
 *
 * sum_blocks assigns a work-group to every block of a row, and each group strides over the blocks
 * of all rows; sum_finish combines the blocks of a row. Rows of one block need only sum_blocks, and
 * rows of up to 1024 values only sum_short, which assigns no more work-items to a row than can be
 * used. sum_once, for NVIDIA's devices, does the work of sum_blocks and sum_finish for one row with
 * few blocks.
 *
 * Form: GPU.
 * Defines: WG (a power of two, 1024 at most), VALUES, RESULT, OP, WIDE, PAIR, SKIP_NAN
 * (reduce/sum_value.clh). */
#include "reduce/sum_once.clh"
