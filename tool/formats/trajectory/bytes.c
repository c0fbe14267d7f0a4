/* SPDX-License-Identifier: Apache-2.0 */
/* Code that the binary formats share. */
#include "tool/formats/trajectory/inner.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

bool mote_trajectory_fail_bytes(mote_trajectory *t, mote_lines_status status, const char *what)
{
    if (status == MOTE_LINES_NO_MEMORY)
        return mote_trajectory_fail(t, "out of memory: frame %zu is too large", t->frames);
    return mote_trajectory_fail_lines(t, status, what);
}

bool mote_trajectory_bytes(mote_trajectory *t, size_t count, const char *what,
                           const unsigned char **at)
{
    t->place = mote_lines_place(&t->lines);
    mote_lines_status status = mote_lines_peek(&t->lines, count, at);
    if (status != MOTE_LINES_LINE)
        return mote_trajectory_fail_bytes(t, status, what);
    mote_lines_take(&t->lines, count);
    return true;
}

bool mote_trajectory_pass(mote_trajectory *t, size_t count, const char *what)
{
    t->place = mote_lines_place(&t->lines);
    mote_lines_status status = mote_lines_pass(&t->lines, count);
    return status == MOTE_LINES_LINE || mote_trajectory_fail_bytes(t, status, what);
}

bool mote_trajectory_ended(mote_trajectory *t, bool *ended)
{
    const unsigned char *at;
    t->place = mote_lines_place(&t->lines);
    mote_lines_status status = mote_lines_peek(&t->lines, 1, &at);
    *ended = status == MOTE_LINES_END;
    return *ended || status == MOTE_LINES_LINE || mote_trajectory_fail_bytes(t, status, "");
}

void mote_trajectory_time(mote_trajectory *t, float time)
{
    char text[32];
    t->frame.has_time = isfinite(time);
    t->frame.time = (double)time;
    for (int digits = 6; digits < 9 && t->frame.has_time; digits++) {
        snprintf(text, sizeof(text), "%.*g", digits, (double)time);
        if ((float)strtod(text, NULL) == time) {
            t->frame.time = strtod(text, NULL);
            return;
        }
    }
}

bool mote_trajectory_finite(mote_trajectory *t)
{
    for (size_t i = 0; i < 3 * t->frame.n_atoms; i++) {
        double x = t->frame.positions[i];
        if (!isfinite(x))
            return mote_trajectory_fail(t, "frame %zu, atom %zu: %c is %g, but must be finite",
                                        t->frames, i / 3 + 1, "xyz"[i % 3], x);
    }
    return true;
}
