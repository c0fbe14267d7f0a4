/* SPDX-License-Identifier: Apache-2.0 */
/* `fuzz --target=NAME [libFuzzer's options] [corpus]`. */
#include "fuzz.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "tool/tool.h"

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static fuzz_target *target;
static char message[1024];

void fuzz_stop(const char *file, int line, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    fprintf(stderr, "%s:%d: ", file, line);
    vfprintf(stderr, format, values);
    fputc('\n', stderr);
    va_end(values);
    abort();
}

/* The messages of the command, without the command. */
int tool_fail(int code, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    vsnprintf(message, sizeof(message), format, values);
    va_end(values);
    FUZZ_CHECK(*message, "a failure without a sentence");
    return code;
}

const char *tool_plural(uint64_t count)
{
    return count == 1 ? "" : "s";
}

const char *tool_sentence(void)
{
    return mote_last_error();
}

const char *fuzz_message(void)
{
    return message;
}

void fuzz_forget(void)
{
    *message = '\0';
}

char *fuzz_text(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1);
    FUZZ_CHECK(text, "no memory");
    if (size)
        memcpy(text, data, size);
    text[size] = '\0';
    return text;
}

FILE *fuzz_file(const uint8_t *data, size_t size)
{
    static int memory = -1;
    if (memory < 0)
        memory = memfd_create("input", MFD_CLOEXEC);
    bool good = memory >= 0 && ftruncate(memory, 0) == 0 &&
                pwrite(memory, data, size, 0) == (ssize_t)size && lseek(memory, 0, SEEK_SET) == 0;
    int copy = good ? dup(memory) : -1;
    FILE *file = copy < 0 ? NULL : fdopen(copy, "rb");
    FUZZ_CHECK(file, "no file in memory");
    return file;
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    const char *name = "";
    for (int i = 1; i < *argc; i++)
        if (strncmp((*argv)[i], "--target=", 9) == 0)
            name = (*argv)[i] + 9;
    for (const fuzz_entry *entry = fuzz_table; entry->name; entry++)
        if (strcmp(entry->name, name) == 0)
            target = entry->run;
    if (!target) {
        fprintf(stderr, "--target=%s is not one of", name);
        for (const fuzz_entry *entry = fuzz_table; entry->name; entry++)
            fprintf(stderr, " %s", entry->name);
        fputc('\n', stderr);
        exit(1);
    }
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    target(data, size);
    return 0;
}
