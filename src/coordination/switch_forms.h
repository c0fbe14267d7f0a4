/* SPDX-License-Identifier: Apache-2.0 */
/* The forms of switching functions on the host, in double precision. */
#ifndef MOTE_COORDINATION_SWITCH_FORMS_H
#define MOTE_COORDINATION_SWITCH_FORMS_H

#include <math.h>

#include "coordination/switch.h"

typedef double real;
#define VEC            double
#define IVEC           int
#define ANY(mask)      (mask)
#define NUMBER(x)      x
#define PI             3.14159265358979323846
#define SINPI(x)       sin(PI *(x))
#define RECIP(x)       (1.0 / (x))
#define QUOTIENT(a, b) ((a) / (b))
#define EXP(x)         exp(x)
#define LOG(x)         log(x)
#define HUGE_LENGTH    1e150
#define LEAST_RAISED   1e-100
#include "shared/switch/all.h"

#endif
