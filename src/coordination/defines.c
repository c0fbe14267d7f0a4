/* SPDX-License-Identifier: Apache-2.0 */
#include "coordination/defines.h"

#include <assert.h>
#include <string.h>

#define MOST_DIGITS 20 /* digits of a 64-bit number */

void mote_defines_text(mote_defines *defines, const char *text)
{
    size_t length = strlen(text);
    assert(length < sizeof(defines->text) - defines->length);
    memcpy(defines->text + defines->length, text, length + 1);
    defines->length += length;
}

void mote_defines_add(mote_defines *defines, const char *option, size_t value)
{
    size_t unit = 1;
    mote_defines_text(defines, option);
    assert(MOST_DIGITS < sizeof(defines->text) - defines->length);
    char *end = defines->text + defines->length;
    while (value / unit >= 10)
        unit *= 10;
    for (; unit > 1; unit /= 10)
        *end++ = (char)('0' + value / unit % 10);
    *end++ = (char)('0' + value % 10);
    *end = '\0';
    defines->length = (size_t)(end - defines->text);
}

void mote_defines_begin(mote_defines *defines, const mote_coordination_job *job)
{
    defines->length = 0;
    mote_defines_add(defines, "-DDOUBLE=", mote_coordination_is_double(job));
    mote_defines_add(defines, " -DPBC=", (size_t)job->plan->pbc);
}

void mote_defines_begin_pairs(mote_defines *defines, const mote_coordination_job *job)
{
    const mote_coordination_args *a = job->args;
    defines->length = 0;
    mote_defines_text(defines, mote_coordination_job_constants(job)->defines);
    mote_defines_add(defines, " -DFORCES=", a->derivatives.count > 0);
    mote_defines_add(defines, " -DVIRIAL=", a->virial.count > 0);
    mote_defines_add(defines, " -DNUMBERS=", a->coordination.count > 0);
    if (a->weights.count > 0)
        mote_defines_text(defines, " -DWEIGHTED=1");
}
