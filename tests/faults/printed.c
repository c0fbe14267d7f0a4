/* SPDX-License-Identifier: Apache-2.0 */
#include "printed.h"

#include <check.h>
#include <stdio.h>
#include <unistd.h>

static int standard[2] = {-1, -1};
static FILE *caught;

void printed_begin(void)
{
    fflush(NULL);
    caught = tmpfile();
    ck_assert_ptr_nonnull(caught);
    for (int i = 0; i < 2; i++) {
        standard[i] = dup(i + 1);
        ck_assert_int_ge(standard[i], 0);
        ck_assert_int_ge(dup2(fileno(caught), i + 1), 0);
    }
}

bool printed_end(char *text, size_t room)
{
    fflush(NULL);
    for (int i = 0; i < 2; i++) {
        dup2(standard[i], i + 1);
        close(standard[i]);
    }
    rewind(caught);
    size_t length = fread(text, 1, room - 1, caught);
    text[length] = '\0';
    fclose(caught);
    return length > 0;
}
