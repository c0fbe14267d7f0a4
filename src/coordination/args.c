/* SPDX-License-Identifier: Apache-2.0 */
/* Initialisers of the argument structures: all zero but the size. */
#include "mote/coordination.h"

void mote_coordination_plan_args_init(mote_coordination_plan_args *args)
{
    if (args)
        *args = (mote_coordination_plan_args){.size = sizeof(*args),
                                              .function.size = sizeof(args->function)};
}

void mote_coordination_args_init(mote_coordination_args *args)
{
    if (args)
        *args = (mote_coordination_args){.size = sizeof(*args)};
}

void mote_coordination_host_args_init(mote_coordination_host_args *args)
{
    if (args)
        *args = (mote_coordination_host_args){.size = sizeof(*args)};
}
