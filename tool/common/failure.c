/* SPDX-License-Identifier: Apache-2.0 */
#include "failure.h"

#include <stdio.h>

bool failure_set(tool_failure *failure, int code, const char *text)
{
    failure->code = code;
    snprintf(failure->text, sizeof(failure->text), "%s", text);
    return false;
}

bool failure_of_library(tool_failure *failure, mote_status status)
{
    const char *sentence = tool_sentence();
    failure->code = tool_code_of(status);
    snprintf(failure->text, sizeof(failure->text), "%.1200s (%s)",
             *sentence ? sentence : "the library failed", mote_status_name(status));
    tool_keep_lines(status, failure->text);
    return false;
}
