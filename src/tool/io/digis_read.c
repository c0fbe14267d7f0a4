/* SPDX-License-Identifier: Apache-2.0 */
/* Which reader a file needs, by its name. */
#include "digis.h"
#include "kind.h"

#include "../option.h"

#include <string.h>
#include <sys/stat.h>

int digi_read(const char *path, const digi_options *options, digi_set *set)
{
    *set = (digi_set){0};
    bool packed = tool_ends_with(path, ".csv.gz");
    if (!packed && input_refuse_packed(path) != TOOL_GO_ON)
        return TOOL_INPUT;
    if (tool_ends_with(path, ".bin"))
        return digi_pdig_read(path, options, set);
    if (!packed && !tool_ends_with(path, ".csv") && !input_is_stream(path)) {
        struct stat info;
        if (stat(path, &info) == 0 && S_ISREG(info.st_mode))
            return tool_fail(TOOL_INPUT, "%s: the name must end in .csv, .csv.gz or .bin", path);
    }
    in_file in;
    int code = in_open(path, true, &in);
    if (code == TOOL_DONE)
        code = digi_csv_read(&in, options, set);
    in_close(&in);
    return code;
}
