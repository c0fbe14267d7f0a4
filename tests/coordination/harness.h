/* SPDX-License-Identifier: Apache-2.0 */
/* What the coordination tests share: devices with tuning, queues, the shared cases. */
#ifndef MOTE_TESTS_COORDINATION_HARNESS_H
#define MOTE_TESTS_COORDINATION_HARNESS_H

#include <check.h>
#include <stdio.h>

#include "cases/coordination/nearest.h"
#include "cases/coordination/oracle.h"
#include "cases/coordination/oracle_switch.h"
#include "cases/coordination/plumed.h"
#include "coordination/switch.h"
#include "mote/mote.h"

#define MESSAGE_SIZE 1024

/* Calls `check` with every case of coordination/ in the shared folder (MOTE_SHARED, else ../shared
 * of the source root) and prints how many there were; with none it passes. */
void shared_each(const char *what, void (*check)(const char *name, const mote_plumed_case *c));

Suite *switch_suite(void);
Suite *parse_suite(void);
Suite *box_suite(void);
Suite *oracle_suite(void);

#endif
