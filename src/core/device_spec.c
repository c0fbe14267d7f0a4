/* SPDX-License-Identifier: Apache-2.0 */
#include "core/device.h"
#include "core/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Short names of platforms whose own names are long. */
static const struct {
    const char *word, *platform;
} short_words[] = {
    {"pocl", "Portable Computing Language"},
    {"nvidia", "NVIDIA"},
    {"amd", "AMD Accelerated"},
    {"intel", "Intel(R) OpenCL"},
    {"rusticl", "rusticl"},
    {"oclgrind", "Oclgrind"},
};
#define SHORT_WORDS (sizeof(short_words) / sizeof(short_words[0]))

void mote_device_spec(mote_device_info *info, int index)
{
    const char *word = info->platform;
    for (size_t i = 0; i < SHORT_WORDS; i++)
        if (mote_text_contains(info->platform, short_words[i].platform))
            word = short_words[i].word;
    int length = snprintf(info->spec, sizeof(info->spec), "%s:%d", word, index);
    if (length < 0 || (size_t)length >= sizeof(info->spec))
        snprintf(info->spec, sizeof(info->spec), ":%d", index); /* settled later */
}

/* Returns the number after the last colon, or -1 if there is no colon followed by digits. */
static int spec_index(const char *spec, size_t *word_length)
{
    const char *colon = strrchr(spec, ':');
    if (!colon || !colon[1] || strlen(colon + 1) > 6 ||
        strspn(colon + 1, "0123456789") != strlen(colon + 1))
        return -1;
    *word_length = (size_t)(colon - spec);
    return atoi(colon + 1);
}

/* Returns a platform's number: platforms are numbered in the order of the list. */
static size_t platform_number(const mote_device_info *devices, const mote_device_info *device)
{
    size_t number = 0;
    for (const mote_device_info *d = devices; d->platform_id != device->platform_id; d++)
        if (d[1].platform_id != d->platform_id)
            number++;
    return number;
}

static bool names_platform(const mote_device_info *devices, const mote_device_info *device,
                           const char *word)
{
    if (*word && strspn(word, "0123456789") == strlen(word))
        return strlen(word) <= 6 && platform_number(devices, device) == (size_t)atoi(word);
    for (size_t i = 0; i < SHORT_WORDS; i++)
        if (mote_text_same(word, short_words[i].word) &&
            mote_text_contains(device->platform, short_words[i].platform))
            return true;
    return mote_text_contains(device->platform, word) || mote_text_contains(device->vendor, word);
}

/* "WORD:INDEX": the first platform that WORD names is used, even if it has no such device. */
static const mote_device_info *find_index(const mote_device_info *devices, size_t count,
                                          const char *spec)
{
    char word[128];
    size_t length = 0, unused;
    int index = spec_index(spec, &length);
    if (index < 0 || length == 0 || length >= sizeof(word))
        return NULL;
    memcpy(word, spec, length);
    word[length] = '\0';
    cl_platform_id platform = NULL;
    for (size_t i = 0; i < count && !platform; i++)
        if (names_platform(devices, &devices[i], word))
            platform = devices[i].platform_id;
    for (size_t i = 0; platform && i < count; i++)
        if (devices[i].platform_id == platform && spec_index(devices[i].spec, &unused) == index)
            return &devices[i];
    return NULL;
}

const mote_device_info *mote_device_best(const mote_device_info *devices, size_t count,
                                         mote_device_class device_class)
{
    const mote_device_info *best = NULL;
    for (size_t i = 0; i < count; i++)
        if (devices[i].device_class == device_class &&
            (!best || devices[i].compute_units > best->compute_units))
            best = &devices[i];
    return best;
}

const mote_device_info *mote_device_find(const mote_device_info *devices, size_t count,
                                         const char *spec)
{
    if (mote_text_same(spec, "gpu"))
        return mote_device_best(devices, count, MOTE_DEVICE_GPU);
    if (mote_text_same(spec, "cpu"))
        return mote_device_best(devices, count, MOTE_DEVICE_CPU);
    const mote_device_info *found = find_index(devices, count, spec);
    for (size_t i = 0; i < count && !found; i++)
        if (mote_text_contains(devices[i].name, spec) ||
            (strchr(spec, ':') == NULL && names_platform(devices, &devices[i], spec)))
            found = &devices[i];
    return found;
}

void mote_device_specs_settle(mote_device_info *devices, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        mote_device_info *info = &devices[i];
        size_t unused;
        if (mote_device_find(devices, count, info->spec) != info)
            snprintf(info->spec, sizeof(info->spec), "%zu:%d", platform_number(devices, info),
                     spec_index(info->spec, &unused));
    }
}
