/* SPDX-License-Identifier: Apache-2.0 */
/* Programs: compiled by a command into a shared object, one for each text and options. */
#include "host.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static void destroy_program(void *self)
{
    cl_program program = self;
    free(program->text);
    free(program->log);
}

cl_program clCreateProgramWithSource(cl_context context, cl_uint count, const char **texts,
                                     const size_t *lengths, cl_int *code)
{
    (void)context;
    cl_program program = host_make(sizeof(*program), destroy_program);
    size_t length = count == 1 && lengths ? lengths[0] : strlen(texts[0]);
    program->text = strndup(texts[0], length);
    if (code)
        *code = count == 1 && program->text ? CL_SUCCESS : CL_INVALID_VALUE;
    return program;
}

cl_program clCreateProgramWithBinary(cl_context context, cl_uint count, const cl_device_id *devices,
                                     const size_t *lengths, const unsigned char **binaries,
                                     cl_int *status, cl_int *code)
{
    (void)context;
    (void)count;
    (void)devices;
    (void)lengths;
    (void)binaries;
    if (status)
        *status = CL_INVALID_BINARY;
    if (code)
        *code = CL_INVALID_BINARY;
    return NULL;
}

static uint64_t hash(uint64_t seed, const char *text)
{
    for (; *text; text++)
        seed = (seed ^ (unsigned char)*text) * 1099511628211u;
    return seed;
}

static void *symbol(void *library, const char *before, const char *name)
{
    char text[256];
    snprintf(text, sizeof(text), "%s%s", before, name);
    return dlsym(library, text);
}

static const char *setting(const char *name)
{
    const char *value = getenv(name);
    if (!value)
        host_stop("%s is not set", name);
    return value;
}

/* Puts each word of the options in quotes, because a shell reads the command, and expressions
 * contain parentheses.
 */
static char *quote(const char *options)
{
    char *quoted = NULL;
    size_t length = 0;
    FILE *memory = open_memstream(&quoted, &length);
    if (!memory || strchr(options, '\''))
        host_stop("options that cannot be quoted: %s", options);
    for (size_t begin = strspn(options, " "), size; options[begin];
         begin += size + strspn(options + begin + size, " ")) {
        size = strcspn(options + begin, " ");
        fprintf(memory, " '%.*s'", (int)size, options + begin);
    }
    fclose(memory);
    return quoted;
}

/* Runs the compiler, without the libraries preloaded into this process; its output is the log. */
static bool compile(cl_program program, const char *options, const char *path)
{
    char *command = NULL, *text = NULL, *log = NULL, *quoted = quote(options);
    size_t length = 0;
    if (asprintf(&text, "%s.%d.cl", path, (int)getpid()) < 0 ||
        asprintf(&command, "LD_PRELOAD= %s --output '%s' '%s' --%s 2>&1",
                 setting("HOST_CL_COMPILE"), path, text, quoted) < 0)
        host_stop("no memory");
    FILE *file = fopen(text, "w");
    if (!file || fputs(program->text, file) < 0 || fclose(file))
        host_stop("%s: %s", text, strerror(errno));
    FILE *said = popen(command, "r"), *memory = open_memstream(&log, &length);
    for (int c = said ? getc(said) : EOF; c != EOF; c = getc(said))
        putc(c, memory);
    int status = said ? pclose(said) : -1;
    fclose(memory);
    program->log = log;
    unlink(text);
    free(text);
    free(quoted);
    free(command);
    return status == 0;
}

/* Coverage counts are written to a file of this program and process when the process ends. */
static void profile(cl_program program, uint64_t key)
{
    void (*set)(const char *);
    void *found = symbol(program->library, "profile_to", "");
    if (!getenv("HOST_CL_PROFILES"))
        return;
    if (asprintf(&program->profile, "%s/%016llx-%d.profraw", setting("HOST_CL_PROFILES"),
                 (unsigned long long)key, (int)getpid()) < 0)
        host_stop("no memory");
    memcpy(&set, &found, sizeof(set));
    set(program->profile);
}

cl_int clBuildProgram(cl_program program, cl_uint count, const cl_device_id *devices,
                      const char *options, void (*notify)(cl_program, void *), void *data)
{
    char path[4096];
    uint64_t key = hash(hash(14695981039346656037u, program->text), options ? options : "");
    (void)count;
    (void)devices;
    (void)notify;
    (void)data;
    snprintf(path, sizeof(path), "%s/%016llx.so", setting("HOST_CL_PROGRAMS"),
             (unsigned long long)key);
    mkdir(setting("HOST_CL_PROGRAMS"), 0700);
    if (access(path, R_OK) != 0 && !compile(program, options ? options : "", path))
        return CL_BUILD_PROGRAM_FAILURE;
    program->library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!program->library)
        host_stop("%s", dlerror());
    profile(program, key);
    return CL_SUCCESS;
}

cl_int clGetProgramInfo(cl_program program, cl_program_info what, size_t size, void *out,
                        size_t *needed)
{
    size_t none = 0;
    cl_device_id device = NULL;
    (void)program;
    if (what == CL_PROGRAM_BINARY_SIZES)
        return host_answer(&none, sizeof(none), size, out, needed);
    if (what == CL_PROGRAM_DEVICES) {
        clGetDeviceIDs(NULL, CL_DEVICE_TYPE_ALL, 1, &device, NULL);
        return host_answer(&device, sizeof(device), size, out, needed);
    }
    return CL_INVALID_VALUE;
}

cl_int clGetProgramBuildInfo(cl_program program, cl_device_id device, cl_program_build_info what,
                             size_t size, void *out, size_t *needed)
{
    const char *log = program->log ? program->log : "";
    (void)device;
    if (what != CL_PROGRAM_BUILD_LOG)
        return CL_INVALID_VALUE;
    return host_answer(log, strlen(log) + 1, size, out, needed);
}

cl_int clReleaseProgram(cl_program program)
{
    return host_release(program);
}

static void destroy_kernel(void *self)
{
    host_release(((cl_kernel)self)->program);
}

cl_kernel clCreateKernel(cl_program program, const char *name, cl_int *code)
{
    void *call = symbol(program->library, "call_", name);
    if (code)
        *code = call ? CL_SUCCESS : CL_INVALID_KERNEL_NAME;
    if (!call)
        return NULL;
    cl_kernel kernel = host_make(sizeof(*kernel), destroy_kernel);
    memcpy(&kernel->call, &call, sizeof(call));
    kernel->letters = symbol(program->library, "arguments_", name);
    if (strlen(kernel->letters) > HOST_MOST_ARGS)
        host_stop("kernel %s has more arguments than HOST_MOST_ARGS", name);
    kernel->names = symbol(program->library, "names_", name);
    kernel->types = symbol(program->library, "types_", name);
    kernel->sizes = symbol(program->library, "sizes_", name);
    kernel->group = *(const cl_uint *)symbol(program->library, "group_", name);
    kernel->program = program;
    host_retain(program);
    return kernel;
}

cl_int clReleaseKernel(cl_kernel kernel)
{
    return host_release(kernel);
}

cl_int clSetKernelArg(cl_kernel kernel, cl_uint index, size_t size, const void *value)
{
    if (index >= strlen(kernel->letters))
        return CL_INVALID_ARG_INDEX;
    bool local = kernel->letters[index] == 'l', memory = kernel->letters[index] == 'g';
    host_argument *argument = &kernel->arguments[index];
    size_t right = memory ? sizeof(cl_mem) : local ? size : kernel->sizes[index];
    if (size == 0 || size != right || (!local && size > sizeof(argument->value)))
        return CL_INVALID_ARG_SIZE;
    if (local != !value)
        return CL_INVALID_ARG_VALUE;
    argument->size = size;
    if (value)
        memcpy(argument->value, value, size);
    return CL_SUCCESS;
}

cl_int clGetKernelInfo(cl_kernel kernel, cl_kernel_info what, size_t size, void *out,
                       size_t *needed)
{
    cl_uint count = (cl_uint)strlen(kernel->letters);
    if (what != CL_KERNEL_NUM_ARGS)
        return CL_INVALID_VALUE;
    return host_answer(&count, sizeof(count), size, out, needed);
}

/* Returns one word of a list. */
static cl_int answer_word(const char *list, cl_uint number, size_t size, char *out, size_t *needed)
{
    for (; number > 0; number--)
        list = strchr(list, ' ') + 1;
    size_t length = strcspn(list, " ");
    if (needed)
        *needed = length + 1;
    if (out && size <= length)
        return CL_INVALID_VALUE;
    if (out) {
        memcpy(out, list, length);
        out[length] = '\0';
    }
    return CL_SUCCESS;
}

cl_int clGetKernelArgInfo(cl_kernel kernel, cl_uint index, cl_kernel_arg_info what, size_t size,
                          void *out, size_t *needed)
{
    if (index >= strlen(kernel->letters))
        return CL_INVALID_ARG_INDEX;
    char letter = kernel->letters[index];
    cl_kernel_arg_address_qualifier space = letter == 'l'   ? CL_KERNEL_ARG_ADDRESS_LOCAL
                                            : letter == 'g' ? CL_KERNEL_ARG_ADDRESS_GLOBAL
                                                            : CL_KERNEL_ARG_ADDRESS_PRIVATE;
    if (what == CL_KERNEL_ARG_NAME)
        return answer_word(kernel->names, index, size, out, needed);
    if (what == CL_KERNEL_ARG_TYPE_NAME)
        return answer_word(kernel->types, index, size, out, needed);
    if (what == CL_KERNEL_ARG_ADDRESS_QUALIFIER)
        return host_answer(&space, sizeof(space), size, out, needed);
    return CL_INVALID_VALUE;
}

cl_int clGetKernelWorkGroupInfo(cl_kernel kernel, cl_device_id device,
                                cl_kernel_work_group_info what, size_t size, void *out,
                                size_t *needed)
{
    size_t most = HOST_MOST_ITEMS, group[3] = {kernel->group, kernel->group > 0, kernel->group > 0};
    cl_ulong local = 0;
    (void)device;
    if (what == CL_KERNEL_WORK_GROUP_SIZE)
        return host_answer(&most, sizeof(most), size, out, needed);
    if (what == CL_KERNEL_COMPILE_WORK_GROUP_SIZE)
        return host_answer(group, sizeof(group), size, out, needed);
    if (what == CL_KERNEL_LOCAL_MEM_SIZE)
        return host_answer(&local, sizeof(local), size, out, needed);
    return CL_INVALID_VALUE;
}
