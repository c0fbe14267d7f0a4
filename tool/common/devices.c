/* SPDX-License-Identifier: Apache-2.0 */
#include "devices.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

bool devices_are_several(const char *spec)
{
    size_t length = spec ? strlen(spec) : 0;
    return length && (strchr(spec, ',') || spec[length - 1] == '*');
}

static bool add(device_list *devices, const char *spec)
{
    char **grown = realloc(devices->specs, (devices->count + 1) * sizeof(*grown));
    if (!grown)
        return false;
    devices->specs = grown;
    grown[devices->count] = spec ? strdup(spec) : NULL;
    if (spec && !grown[devices->count])
        return false;
    devices->count++;
    return true;
}

static bool contains(const char *text, const char *part)
{
    size_t length = strlen(part);
    for (; *text; text++)
        if (strncasecmp(text, part, length) == 0)
            return true;
    return false;
}

static bool is_of_platform(const mote_device_info *device, const char *name)
{
    size_t length = strlen(name);
    return (strncasecmp(device->spec, name, length) == 0 && device->spec[length] == ':') ||
           contains(device->platform, name) || contains(device->vendor, name);
}

/* Returns whether the name in front of `:*` means the device. The first platform that matches is
 * used. */
static bool is_meant(const mote_device_info *all, const mote_device_info *device, const char *name)
{
    if (!*name)
        return true;
    if (strcasecmp(name, "gpu") == 0 || strcasecmp(name, "cpu") == 0)
        return (device->device_class == MOTE_DEVICE_CPU) == (strcasecmp(name, "cpu") == 0);
    const mote_device_info *first = all;
    while (first < device && !is_of_platform(first, name))
        first++;
    return is_of_platform(first, name) && first->platform_id == device->platform_id;
}

/* Adds one word of the list; for words with a star, the devices are `all`. */
static int add_word(device_list *devices, char *word, const mote_device_info *all, size_t count)
{
    size_t length = strlen(word), before = devices->count;
    bool star = strcmp(word, "*") == 0 || (length > 2 && strcmp(word + length - 2, ":*") == 0);
    bool kept = true;
    if (!length)
        return tool_fail(TOOL_USAGE, "-d: a device is missing before or behind a comma");
    if (!star && !add(devices, word))
        return tool_fail(TOOL_DEVICE, "out of memory");
    if (!star)
        return TOOL_GO_ON;
    word[length > 2 ? length - 2 : 0] = '\0';
    for (size_t i = 0; i < count && kept; i++)
        if (is_meant(all, &all[i], word))
            kept = add(devices, all[i].spec);
    if (!kept)
        return tool_fail(TOOL_DEVICE, "out of memory");
    if (devices->count == before)
        return tool_fail(TOOL_DEVICE, "no device is meant by '%s:*' (see mote devices)", word);
    return TOOL_GO_ON;
}

static int add_words(device_list *devices, const char *spec)
{
    mote_device_info *all;
    size_t count;
    char *words = strdup(spec), *next = words;
    if (!words)
        return tool_fail(TOOL_DEVICE, "out of memory");
    int code = TOOL_GO_ON;
    mote_status status = mote_devices(sizeof(mote_device_info), &all, &count);
    if (status)
        code = tool_fail_library(status);
    else if (!count)
        code = tool_no_device();
    while (next && code == TOOL_GO_ON) {
        char *word = next, *comma = strchr(word, ',');
        next = comma ? comma + 1 : NULL;
        if (comma)
            *comma = '\0';
        code = add_word(devices, word, all, count);
    }
    if (!status)
        mote_devices_free(all);
    free(words);
    return code;
}

int devices_find(const char *spec, device_list *devices)
{
    *devices = (device_list){0};
    const char *wanted = spec ? spec : getenv("MOTE_DEVICE");
    int code = TOOL_GO_ON;
    if (devices_are_several(wanted))
        code = add_words(devices, wanted);
    else if (!add(devices, spec))
        code = tool_fail(TOOL_DEVICE, "out of memory");
    if (code == TOOL_GO_ON) {
        devices->ctx = calloc(devices->count, sizeof(*devices->ctx));
        code = devices->ctx ? TOOL_GO_ON : tool_fail(TOOL_DEVICE, "out of memory");
    }
    if (code != TOOL_GO_ON)
        devices_close(devices);
    return code;
}

typedef struct opening {
    const char *spec;
    mote_context *ctx;
    tool_failure failure;
    pthread_t thread;
    bool started;
} opening;

static void *open_one(void *user)
{
    opening *one = user;
    mote_status status = mote_context_open(one->spec, &one->ctx);
    if (status)
        failure_of_library(&one->failure, status);
    return NULL;
}

bool devices_open(device_list *devices, tool_failure *failure)
{
    opening *all = calloc(devices->count, sizeof(*all));
    if (!all)
        return failure_set(failure, TOOL_DEVICE, "out of memory");
    for (size_t i = 0; i < devices->count; i++) {
        all[i].spec = devices->specs[i];
        all[i].failure.code = TOOL_GO_ON;
        all[i].started = i && pthread_create(&all[i].thread, NULL, open_one, &all[i]) == 0;
    }
    for (size_t i = 0; i < devices->count; i++)
        if (!all[i].started)
            open_one(&all[i]);
    for (size_t i = 0; i < devices->count; i++) {
        if (all[i].started)
            pthread_join(all[i].thread, NULL);
        devices->ctx[i] = all[i].ctx;
    }
    for (size_t i = devices->count; i-- > 0;)
        if (all[i].failure.code != TOOL_GO_ON)
            *failure = all[i].failure;
    free(all);
    return failure->code == TOOL_GO_ON;
}

void devices_close(device_list *devices)
{
    for (size_t i = 0; i < devices->count; i++) {
        if (devices->ctx)
            mote_context_release(devices->ctx[i]);
        free(devices->specs[i]);
    }
    free(devices->ctx);
    free(devices->specs);
    *devices = (device_list){0};
}

bool devices_are_alike(const device_list *devices)
{
    const mote_device_info *first = mote_context_device(devices->ctx[0]);
    for (size_t i = 1; i < devices->count; i++) {
        const mote_device_info *other = mote_context_device(devices->ctx[i]);
        if (strcmp(first->name, other->name) != 0 || strcmp(first->vendor, other->vendor) != 0 ||
            strcmp(first->driver, other->driver) != 0)
            return false;
    }
    return true;
}

bool devices_have_fp64(const device_list *devices)
{
    for (size_t i = 0; i < devices->count; i++)
        if (!mote_context_device(devices->ctx[i])->has_fp64)
            return false;
    return true;
}

char *devices_specs(const device_list *devices, const char *between)
{
    size_t length = 1;
    for (size_t i = 0; i < devices->count; i++)
        length += strlen(mote_context_device(devices->ctx[i])->spec) + strlen(between);
    char *text = calloc(1, length);
    for (size_t i = 0; text && i < devices->count; i++) {
        strcat(text, i ? between : "");
        strcat(text, mote_context_device(devices->ctx[i])->spec);
    }
    return text;
}

void devices_text(const device_list *devices, char *text, size_t size)
{
    if (devices->count > 1 && devices_are_alike(devices)) {
        char *specs = devices_specs(devices, ", ");
        snprintf(text, size, "%zu x %s (%s)", devices->count,
                 mote_context_device(devices->ctx[0])->name, specs ? specs : "");
        free(specs);
        return;
    }
    size_t used = 0;
    for (size_t i = 0; i < devices->count && used < size; i++) {
        const mote_device_info *device = mote_context_device(devices->ctx[i]);
        used += (size_t)snprintf(text + used, size - used, "%s%s (%s)", i ? ", " : "", device->name,
                                 device->spec);
    }
}
