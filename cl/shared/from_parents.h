/* SPDX-License-Identifier: Apache-2.0 */
/* How offsets.cl divides its work. */
#ifndef MOTE_SHARED_FROM_PARENTS_H
#define MOTE_SHARED_FROM_PARENTS_H

#define MOTE_FROM_PARENTS_QUADS    3 /* groups of four elements that a work-item processes */
#define MOTE_FROM_PARENTS_TILE(wg) (4 * MOTE_FROM_PARENTS_QUADS * (wg)) /* elements of a group */
#define MOTE_FROM_PARENTS_SPAN     65536 /* lists: the length of a run less 1 has 16 bits */

#endif
