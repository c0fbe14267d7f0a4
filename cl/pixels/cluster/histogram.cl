/* SPDX-License-Identifier: Apache-2.0 */
/* Clustering with labels as CMS's findClus makes them: kept for comparison, one module at a time.
 *
 * Defines: as union_find.cl. */
#define STRATEGY_HISTOGRAM 1
#include "pixels/cluster/kernel.clh"
