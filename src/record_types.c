/* SPDX-License-Identifier: Apache-2.0 */
/* The areas' own types of elements. */
#include "core/type.h"
#include "mote/layout/pixels.h"

const mote_type_text *mote_record_type(mote_type type)
{
    static const mote_type_text cluster = {"pixels cluster record",
                                           sizeof(mote_pixels_cluster_record)};
    return type == MOTE_PIXELS_CLUSTER_TYPE ? &cluster : NULL;
}
