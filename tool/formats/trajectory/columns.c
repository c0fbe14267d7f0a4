/* SPDX-License-Identifier: Apache-2.0 */
/* Code that the formats of text in columns share. */
#include "tool/formats/trajectory/inner.h"

#include "tool/formats/trajectory/decimal.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

void mote_trajectory_title(mote_trajectory *t, mote_span title)
{
    double value;
    for (ptrdiff_t i = title.end - title.begin - 2; i >= 0; i--) {
        const char *p = title.begin + i;
        if (p[0] != 't' || p[1] != '=' || (i > 0 && p[-1] != ' ' && p[-1] != '\t'))
            continue;
        mote_span rest = {p + 2, title.end}, word;
        if (!mote_span_word(&rest, &word))
            return;
        t->frame.has_time = mote_decimal(word.begin, word.end, &value) && isfinite(value);
        if (t->frame.has_time)
            t->frame.time = value;
        return;
    }
}

bool mote_trajectory_column(mote_trajectory *t, size_t i, int k, const char *at, size_t width)
{
    char text[MOTE_TRAJECTORY_WIDEST + 1];
    memcpy(text, at, width);
    text[width] = '\n';
    mote_span span = {text, text + width};
    while (span.begin < span.end && *span.begin == ' ')
        span.begin++;
    while (span.end > span.begin && span.end[-1] == ' ')
        span.end--;
    return mote_trajectory_coordinate(t, i, k, span);
}
