/* SPDX-License-Identifier: Apache-2.0 */
#include "core/program.h"

#include <stdlib.h>

struct mote_program_table {
    size_t count;
};

mote_program_table *mote_program_table_create(void)
{
    return calloc(1, sizeof(mote_program_table));
}

void mote_program_table_release(mote_program_table *table)
{
    free(table);
}

size_t mote_program_table_count(mote_program_table *table)
{
    return table->count;
}
