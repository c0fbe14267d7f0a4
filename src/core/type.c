/* SPDX-License-Identifier: Apache-2.0 */
#include "core/type.h"
#include "mote/layout/pixels.h"
#include "mote/version.h"

typedef struct type_text {
    const char *name;
    size_t size;
} type_text;

static const type_text types[] = {
    [MOTE_TYPE_NONE] = {"none", 0},
    [MOTE_BOOL] = {"bool", 1},
    [MOTE_UINT8] = {"uint8", sizeof(uint8_t)},
    [MOTE_UINT16] = {"uint16", sizeof(uint16_t)},
    [MOTE_INT32] = {"int32", sizeof(int32_t)},
    [MOTE_UINT32] = {"uint32", sizeof(uint32_t)},
    [MOTE_INT64] = {"int64", sizeof(int64_t)},
    [MOTE_UINT64] = {"uint64", sizeof(uint64_t)},
    [MOTE_FLOAT32] = {"float32", sizeof(float)},
    [MOTE_FLOAT64] = {"float64", sizeof(double)},
    [MOTE_INT8] = {"int8", sizeof(int8_t)},
    [MOTE_INT16] = {"int16", sizeof(int16_t)},
    [MOTE_FLOAT16] = {"float16", sizeof(uint16_t)},
    [MOTE_PIXELS_CLUSTER_TYPE] = {"pixels cluster record", sizeof(mote_pixels_cluster_record)},
};

/* A number from a caller need not be in the enumeration. */
static const type_text *find(mote_type type)
{
    size_t index = (size_t)type;
    bool own = index < sizeof(types) / sizeof(types[0]) && types[index].name;
    return own ? &types[index] : NULL;
}

size_t mote_type_size(mote_type type)
{
    const type_text *text = find(type);
    return text ? text->size : 0;
}

const char *mote_type_name(mote_type type)
{
    const type_text *text = find(type);
    return text ? text->name : "unknown type";
}

uint32_t mote_types_moved(void)
{
    uint32_t set = 0;
    for (unsigned t = 1; t < 32; t++)
        if (mote_type_moved_as((mote_type)t))
            set |= MOTE_TYPE_BIT(t);
    return set;
}

const char *mote_type_moved_as(mote_type type)
{
    static const char *const names[] = {[1] = "uchar", [2] = "ushort", [4] = "uint", [8] = "ulong"};
    size_t size = mote_type_size(type);
    return size < sizeof(names) / sizeof(names[0]) ? names[size] : NULL;
}

bool mote_type_is_float(mote_type type)
{
    return type == MOTE_FLOAT16 || type == MOTE_FLOAT32 || type == MOTE_FLOAT64;
}

bool mote_type_is_unsigned(mote_type type)
{
    return type == MOTE_UINT8 || type == MOTE_UINT16 || type == MOTE_UINT32 || type == MOTE_UINT64;
}

mote_view mote_view_make(cl_mem mem, size_t count, mote_type type)
{
    return (mote_view){.mem = mem, .offset = 0, .count = count, .type = type};
}

const char *mote_version(void)
{
    return MOTE_VERSION_STRING;
}
