/* SPDX-License-Identifier: Apache-2.0 */
#include "file_type.h"

#include "unpack_kind.h"
#include "../option.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

bool input_is_stream(const char *path)
{
    struct stat info;
    if (strcmp(path, "-") == 0 || strncmp(path, "/dev/", 5) == 0)
        return true;
    return stat(path, &info) == 0 && !S_ISREG(info.st_mode) && !S_ISDIR(info.st_mode);
}

bool input_ends_with(const char *path, const char *ending)
{
    char packed[40];
    if (tool_ends_with(path, ending))
        return true;
    for (size_t k = 0; k < unpack_kinds; k++) {
        snprintf(packed, sizeof(packed), "%s%s", ending, unpack_kind_list[k].ending);
        if (tool_ends_with(path, packed))
            return true;
    }
    return false;
}

const char *input_skip_packing(const char *at)
{
    for (size_t k = 0; k < unpack_kinds; k++) {
        size_t n = strlen(unpack_kind_list[k].ending);
        if (strncmp(at, unpack_kind_list[k].ending, n) == 0)
            return at + n;
    }
    return at;
}

int input_refuse_foreign(const char *path, const char *remedy)
{
    static const char *const kinds[][2] = {
        {".root", "ROOT"},   {".parquet", "Parquet"}, {".feather", "Feather"},
        {".arrow", "Arrow"}, {".h5", "HDF5"},         {".hdf5", "HDF5"},
        {".h5md", "H5MD"},   {".nc", "NetCDF"},       {".ncdf", "NetCDF"},
        {".tng", "TNG"},     {".cif", "CIF"},         {".traj", "ASE trajectory"},
    };
    for (size_t k = 0; k < sizeof(kinds) / sizeof(kinds[0]); k++)
        if (input_ends_with(path, kinds[k][0]))
            return tool_fail(TOOL_INPUT,
                             "%s: %s files are not read; %s (docs/python.md, Files of other "
                             "programs)",
                             path, kinds[k][1], remedy);
    return TOOL_GO_ON;
}

int output_refuse_foreign(const char *path, bool arrays, const char *remedy)
{
    static const char *const endings[] = {".npy", ".npz", ".json", ".parquet", ".root", ".h5"};
    for (size_t k = arrays; path && k < sizeof(endings) / sizeof(endings[0]); k++)
        if (input_ends_with(path, endings[k]))
            return tool_fail(TOOL_USAGE, "%s: the output is not written as %s; %s", path,
                             endings[k], remedy);
    return TOOL_GO_ON;
}
