/* SPDX-License-Identifier: Apache-2.0 */
#include "groups.h"

#include <check.h>
#include <stdio.h>
#include <string.h>

static void note(const mote_launch_record *record, void *user)
{
    fault_groups *groups = user;
    groups->launched = record->local > groups->launched ? record->local : groups->launched;
}

void fault_groups_watch(fault_groups *groups)
{
    mote_launch_callback_set(groups ? note : NULL, groups);
}

int fault_groups_try(fault_bed *b, const fault_operation *operations, size_t count,
                     const fault_groups *groups)
{
    char limit[32];
    int refused = 0;
    snprintf(limit, sizeof(limit), " allows at most %zu", groups->most);
    for (size_t i = 0; i < count; i++) {
        bool good = fault_try(b, &operations[i]);
        bool told = !good && strstr(b->message, "fails with MOTE_ERROR_UNSUPPORTED") &&
                    strstr(b->message, limit);
        ck_assert_msg(good || told, "groups of %zu: %s", groups->most, b->message);
        ck_assert_msg(groups->launched <= groups->most, "%s: a group of %zu where %zu is most",
                      operations[i].name, groups->launched, groups->most);
        refused += told;
    }
    return refused;
}
