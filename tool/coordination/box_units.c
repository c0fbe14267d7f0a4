/* SPDX-License-Identifier: Apache-2.0 */
/* mote coordination: boxes, directions and units of the command line. */
#include "options.h"

#include "tool/formats/trajectory/decimal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static bool is_separator(char c)
{
    return c == ' ' || c == ',' || c == '\t';
}

/* Reads up to 9 numbers; returns -1 for other texts. */
static int read_numbers(const char *text, double *numbers)
{
    char copy[400];
    size_t length = strlen(text);
    int count = 0;
    if (length + 1 >= sizeof(copy))
        return -1;
    memcpy(copy, text, length);
    memcpy(copy + length, "\n", 2);
    for (const char *p = copy; p < copy + length;) {
        const char *end = p;
        while (end < copy + length && !is_separator(*end))
            end++;
        if (end > p && (count == 9 || mote_decimal(p, end, &numbers[count]) != end ||
                        !isfinite(numbers[count])))
            return -1;
        count += end > p;
        p = end + 1;
    }
    return count;
}

int coordination_box(coordination_options *options, const char *value)
{
    double *box = options->box;
    int count = read_numbers(value, box);
    if (count != 3 && count != 9)
        return tool_fail(TOOL_USAGE,
                         "--box: '%.80s' is neither 3 lengths nor 9 numbers with blanks or commas "
                         "between them",
                         value);
    options->rules.box = box;
    options->rules.box_numbers = count;
    return TOOL_GO_ON;
}

int coordination_periodic(coordination_options *options, const char *value)
{
    unsigned periodic = 0;
    for (const char *p = value; *p; p++) {
        unsigned bit = *p >= 'x' && *p <= 'z' ? 1u << (*p - 'x') : 0;
        if (!bit || periodic & bit)
            return tool_fail(TOOL_USAGE,
                             "--periodic: '%.40s' is not made of x, y and z, each once "
                             "(--nopbc is for none)",
                             value);
        periodic |= bit;
    }
    options->rules.periodic = periodic;
    return periodic ? TOOL_GO_ON : tool_fail(TOOL_USAGE, "--periodic: none is what --nopbc is for");
}

int coordination_unit(coordination_options *options, const char *value)
{
    static const char *const names[] = {"nm", "A", NULL};
    int place = 0;
    int code = tool_word("--length-unit", value, names, &place);
    options->rules.unit = place ? 0.1 : 1.0;
    return code;
}
