/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file mote.h
 * @brief The whole C interface: programs include this header.
 *
 * mote computes on particle data with OpenCL. Each area has its header: pixels.h groups detector
 * pixels into clusters, pixels_measure.h lists the digis of clusters, pixels_time.h groups hits in
 * space and time, coordination.h counts neighbours smoothly, neighbours.h lists neighbours,
 * pair_histogram.h counts distances, jagged.h works on lists of any lengths, reduce.h adds up
 * arrays, and histogram.h counts values in bins.
 * context.h opens a device, buffer.h describes memory, status.h explains failures, and log.h
 * delivers messages.
 */
#ifndef MOTE_MOTE_H
#define MOTE_MOTE_H

#include "version.h"
#include "status.h"
#include "log.h"
#include "context.h"
#include "buffer.h"
#include "reduce.h"
#include "histogram.h"
#include "jagged.h"
#include "pixels.h"
#include "pixels_time.h"
#include "pixels_measure.h"
#include "coordination.h"
#include "neighbours.h"
#include "pair_histogram.h"
#include "init.h"

#endif
