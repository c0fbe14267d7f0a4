/* SPDX-License-Identifier: Apache-2.0 */
/* The switching functions, in the common part of C and OpenCL C: the host includes this file as
 * well. The formulas and their source are in mote/coordination.h.
 *
 * Each function of these files is a form: it computes f and df / dx from x = (r - d_0) / r_0, from
 * r in units of r_0, and from the numbers that the host has derived from the switching function.
 * Forms whose names end with _square read u = x^2 instead, for d_0 = 0, and return (df / dx) / x
 * without a factor that the host applies.
 *
 * Forms whose names begin with stretched_ compute s and ds / dt instead, for functions that are
 * stretched far: s = (f(x) - f(x_end)) / (f(x_0) - f(x_end)) loses the digits that the two values
 * of f have in common, which can be all digits. These forms write each difference as a product of
 * factors that neither cancel nor overflow. t runs from 0 at max(d_0, 0) to number[STRETCHED_END]
 * at d_max; the unit of length is such that f changes over a distance of about 1 or less.
 * src/coordination/switch_stretched.c computes the numbers.
 *
 * The including file defines first: real, VEC, IVEC, ANY, NUMBER, SINPI, RECIP, QUOTIENT, EXP, LOG,
 * PI, HUGE_LENGTH, LEAST_RAISED and SWITCH_REAL as in coordination/real.clh, or
 * src/coordination/switch_forms.h. */
#ifndef MOTE_SHARED_SWITCH_ALL_H
#define MOTE_SHARED_SWITCH_ALL_H

#include "shared/switch/numbers.h"

#include "shared/switch/cosinus.h"
#include "shared/switch/cubic.h"
#include "shared/switch/decay.h"
#include "shared/switch/logistic.h"
#include "shared/switch/power.h"
#include "shared/switch/rational.h"

#endif
