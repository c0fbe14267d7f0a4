/* SPDX-License-Identifier: Apache-2.0 */
/* By which functions the work-items of a sub-group exchange values: what cl/common/band.clh is told
 * as MOTE_SUB_GROUPS. A device may offer several, or none that fits a band of 32.
 *
 *   KHR    cl_khr_subgroup_shuffle. Drivers declare the functions that tell of sub-groups in OpenCL
 *          C 3.0 alone (rusticl does), so programs that ask for them are built as that.
 *   INTEL  cl_intel_subgroups, in OpenCL C 1.2 as well, with sub-groups of a demanded size.
 *   AMD    no extension, but functions that its compiler has built in.
 *
 * Compilers define macros of extensions that their device lacks, and devices have extensions whose
 * functions the compiler declares in other versions of the language alone. So both have to agree:
 * the device here, the compiler in band.clh. */
#ifndef MOTE_CORE_SUB_GROUPS_H
#define MOTE_CORE_SUB_GROUPS_H

#include "core/context.h"

typedef enum mote_sub_groups {
    MOTE_SUB_GROUPS_NONE = 0,
    MOTE_SUB_GROUPS_KHR = 1,
    MOTE_SUB_GROUPS_INTEL = 2,
    MOTE_SUB_GROUPS_AMD = 3,
} mote_sub_groups;

/* Returns the functions that a device offers: bit k stands for value k of mote_sub_groups. A device
 * that does not answer offers none. */
uint32_t mote_sub_groups_offered(const mote_device_info *device);

/* The one that programs of this context are built with: MOTE_TUNE's core.sub_groups where the
 * device offers it, else the vendor's own before KHR. */
mote_sub_groups mote_sub_groups_choose(const mote_context *ctx);

/* The number of work-items of a sub-group that kernels with many 64-bit numbers demand: MOTE_WIDTH
 * of cl/common/width.clh; 0: no demand. Intel's compiler goes down to a width of 8 where registers
 * run short, but on devices whose least width is 16 it keeps 32 and puts numbers in memory: there
 * 16 is demanded. MOTE_TUNE's core.width can name another one of the device's. */
uint32_t mote_width_choose(const mote_context *ctx);

/* Returns the text to append to the defines of programs that keep numbers in memory on Intel's
 * GPUs: with MOTE_TUNE's core.large_registers an option, after a blank, that gives work-items twice
 * the registers, so that half as many run at once; otherwise "". Which is faster has not been
 * measured on such a device. */
const char *mote_registers_option(const mote_context *ctx);

/* Appends the option of NVIDIA's compiler that limits the registers of a work-item, so that a
 * compute unit holds more groups; 0: no limit. Kernels that are declared with REQUIRED_SIZE
 * (cl/common/width.clh) then have no required size. */
void mote_limit_registers(char *defines, size_t size, size_t registers);

#endif
