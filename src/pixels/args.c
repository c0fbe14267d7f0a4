/* SPDX-License-Identifier: Apache-2.0 */
/* Initialisers of the argument structures: all zero but the size. */
#include "mote/pixels.h"

void mote_pixels_cluster_args_init(mote_pixels_cluster_args *args)
{
    if (args)
        *args = (mote_pixels_cluster_args){.size = sizeof(*args)};
}

void mote_pixels_module_start_args_init(mote_pixels_module_start_args *args)
{
    if (args)
        *args = (mote_pixels_module_start_args){.size = sizeof(*args)};
}

void mote_pixels_charge_cut_args_init(mote_pixels_charge_cut_args *args)
{
    if (args)
        *args = (mote_pixels_charge_cut_args){.size = sizeof(*args)};
}

void mote_pixels_cluster_start_args_init(mote_pixels_cluster_start_args *args)
{
    if (args)
        *args = (mote_pixels_cluster_start_args){.size = sizeof(*args)};
}

void mote_pixels_host_args_init(mote_pixels_host_args *args)
{
    if (args)
        *args = (mote_pixels_host_args){.size = sizeof(*args)};
}
