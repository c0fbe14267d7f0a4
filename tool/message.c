/* SPDX-License-Identifier: Apache-2.0 */
#include "tool.h"
#include "progress.h"
#include "common/devices.h"
#include "io/out.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const char *tool_command_name = "";
static _Thread_local tool_failure *kept_in;
static bool with_functions;

void tool_name_set(const char *command)
{
    tool_command_name = command;
}

/* Formats a message of any length. Returns NULL if memory is exhausted; the caller frees the
 * result. */
static char *make_text(const char *format, va_list values)
{
    va_list again;
    va_copy(again, values);
    int length = vsnprintf(NULL, 0, format, again);
    va_end(again);
    char *text = length < 0 ? NULL : malloc((size_t)length + 1);
    if (text)
        vsnprintf(text, (size_t)length + 1, format, values);
    return text;
}

/* Prints a message, followed by `more`. */
static void print_line(const char *format, va_list values, const char *more)
{
    char *text = make_text(format, values);
    progress_pause();
    fprintf(stderr, "mote%s%s: ", *tool_command_name ? " " : "", tool_command_name);
    tool_print_text(stderr, text ? text : "out of memory", TOOL_LINE_BREAK);
    tool_print_text(stderr, more, TOOL_LINE_BREAK);
    fputc('\n', stderr);
    progress_resume();
    free(text);
}

void tool_keep_failures(struct tool_failure *failure)
{
    kept_in = failure;
}

int tool_fail(int code, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    if (!kept_in) {
        print_line(format, values, "");
    } else if (kept_in->code == TOOL_GO_ON) {
        kept_in->code = code;
        vsnprintf(kept_in->text, sizeof(kept_in->text), format, values);
    }
    va_end(values);
    return code;
}

void tool_note(const tool_common *common, const char *format, ...)
{
    if (common->quiet)
        return;
    va_list values;
    va_start(values, format);
    print_line(format, values, "");
    va_end(values);
}

void tool_summary(const tool_common *common, const char *format, ...)
{
    if (common->quiet)
        return;
    va_list values;
    va_start(values, format);
    print_line(format, values, out_written());
    va_end(values);
}

/* The codes for errors in the data form a range of their own. */
static bool is_data(mote_status status)
{
    return status <= MOTE_ERROR_EVENT_OFFSETS && status > MOTE_ERROR_EVENT_OFFSETS - 100;
}

int tool_code_of(mote_status status)
{
    return is_data(status) ? TOOL_INPUT : TOOL_DEVICE;
}

void tool_keep_lines(mote_status status, char *sentence)
{
    /* The text that a user has typed precedes the list of devices. */
    if (status == MOTE_ERROR_NO_DEVICE)
        sentence = strstr(sentence, "or one of:\n");
    else if (status != MOTE_ERROR_BUILD)
        return;
    while (sentence && (sentence = strchr(sentence, '\n')))
        *sentence = TOOL_LINE_BREAK;
}

int tool_fail_library(mote_status status)
{
    char *sentence = strdup(tool_sentence());
    if (sentence)
        tool_keep_lines(status, sentence);
    int code = tool_fail(tool_code_of(status), "%s (%s)",
                         sentence && *sentence ? sentence : "the library failed",
                         mote_status_name(status));
    free(sentence);
    return code;
}

/* The name of the function is shown only on request (-v), because a user of the command has called
 * none. */
static const char *without_function(const char *sentence)
{
    if (with_functions)
        return sentence;
    const char *end = strstr(sentence, ": ");
    return end && strncmp(sentence, "mote_", 5) == 0 ? end + 2 : sentence;
}

const char *tool_sentence(void)
{
    return without_function(mote_last_error());
}

int tool_fail_input(const char *name, mote_status status)
{
    const char *sentence = mote_last_error();
    if (!is_data(status) && status != MOTE_ERROR_INVALID_ARGUMENT)
        return tool_fail_library(status);
    return tool_fail(TOOL_INPUT, "%s: %s (%s)", name, without_function(sentence),
                     mote_status_name(status));
}

static void print_json_text(FILE *file, const char *text)
{
    fputc('"', file);
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;
        if (c == '"' || c == '\\')
            fprintf(file, "\\%c", c);
        else if (c < 0x20 || c == 0x7f)
            fprintf(file, "\\u%04x", c);
        else
            fputc(c, file);
    }
    fputc('"', file);
}

void tool_timing_print(const tool_common *common, const char *command, const char *device,
                       const tool_timing *timing)
{
    if (!common->timing)
        return;
    fputs("{\"command\": ", stderr);
    print_json_text(stderr, command);
    fputs(", \"device\": ", stderr);
    print_json_text(stderr, device);
    fprintf(stderr,
            ", \"read_s\": %.6f, \"device_s\": %.6f, \"write_s\": %.6f, \"bytes\": %llu%s%s}\n",
            timing->read_s, timing->device_s, timing->write_s, (unsigned long long)timing->bytes,
            timing->more ? ", " : "", timing->more ? timing->more : "");
}

const char *tool_plural(uint64_t count)
{
    return count == 1 ? "" : "s";
}

double tool_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

int tool_open_device(const tool_common *common, mote_context **ctx)
{
    const char *spec = common->device ? common->device : getenv("MOTE_DEVICE");
    if (devices_are_several(spec))
        return tool_fail(
            TOOL_USAGE,
            "%s: mote %s uses one device; mote clusters, mote coordination, mote rdf and mote "
            "selftest take several",
            common->device ? "-d" : "MOTE_DEVICE", tool_command_name);
    mote_status status = mote_context_open(common->device, ctx);
    return status == MOTE_SUCCESS ? TOOL_DONE : tool_fail_library(status);
}

int tool_no_device(void)
{
    return tool_fail(TOOL_DEVICE,
                     "no OpenCL device found: install a driver, on Debian for the CPU the "
                     "package pocl-opencl-icd");
}

void tool_name_functions(void)
{
    with_functions = true;
}
