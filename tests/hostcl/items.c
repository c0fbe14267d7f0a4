/* SPDX-License-Identifier: Apache-2.0 */
/* The work-items of a group: each has its own stack, and they run one at a time, from barrier to
 * barrier. */
#include "host.h"

#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define STACK_BYTES ((size_t)256 << 10)

_Noreturn void host_stop(const char *format, ...)
{
    va_list values;
    va_start(values, format);
    fputs("ERROR: host OpenCL: ", stderr);
    vfprintf(stderr, format, values);
    fputc('\n', stderr);
    va_end(values);
    __sanitizer_print_stack_trace();
    abort();
}

/* A work-item that waits at a barrier, or has not started. */
typedef struct work_item {
    void *stack, *at;    /* its memory, and where its registers are stored */
    void *fake;          /* AddressSanitizer's data of the stack */
    const void *barrier; /* the barrier at which it waits; NULL: it has ended */
    const void *warp;    /* the exchange at which it waits for its warp only */
} work_item;

/* An item that may continue at once "waits" at this address. */
static const char ready;
/* The address at which it waits for its warp. */
static const char apart;

/* The current group. Kernels run one at a time. */
static struct {
    size_t wave, sub_group; /* sizes, from the environment */
    uint32_t *handed;       /* values that items pass to others of their sub-group */
    size_t group, groups, local, item;
    const struct _cl_kernel *kernel;
    const uint64_t *arguments;
    work_item *items;
    void *main_at, *main_fake;
    const void *main_bottom;
    size_t main_bytes;
} now;

static work_item stacks[HOST_MOST_ITEMS];

/* Saves the registers that a call preserves on the stack, and continues with another stack. */
__attribute__((naked, noinline)) static void change(void **save, void *load)
{
    __asm__("push %rbp\n push %rbx\n push %r12\n push %r13\n push %r14\n push %r15\n"
            "mov %rsp, (%rdi)\n"
            "mov %rsi, %rsp\n"
            "pop %r15\n pop %r14\n pop %r13\n pop %r12\n pop %rbx\n pop %rbp\n ret\n");
}

/* Returns to the group, which may resume the item. */
static void leave(const void *barrier)
{
    work_item *item = &now.items[now.item];
    item->barrier = barrier;
    __sanitizer_start_switch_fiber(barrier ? &item->fake : NULL, now.main_bottom, now.main_bytes);
    change(&item->at, now.main_at);
    __sanitizer_finish_switch_fiber(item->fake, NULL, NULL);
}

static void begin(void)
{
    __sanitizer_finish_switch_fiber(NULL, &now.main_bottom, &now.main_bytes);
    now.kernel->call(now.arguments);
    leave(NULL);
}

static void enter(size_t index)
{
    work_item *item = &now.items[index];
    now.item = index;
    __sanitizer_start_switch_fiber(&now.main_fake, item->stack, STACK_BYTES);
    change(&now.main_at, item->at);
    __sanitizer_finish_switch_fiber(now.main_fake, NULL, NULL);
}

static void prepare(work_item *item)
{
    if (!item->stack)
        item->stack = aligned_alloc(64, STACK_BYTES);
    if (!item->stack)
        host_stop("no memory for a stack");
    void **top = (void **)((char *)item->stack + STACK_BYTES) - 8;
    *top = (void *)(uintptr_t)begin; /* with the alignment that a call produces */
    item->at = top - 6;
    memset(item->at, 0, 6 * sizeof(void *));
    item->fake = NULL;
}

/* Runs each item of a wave from one atomic to its next, repeatedly, until all wait at a barrier. */
static void advance_wave(size_t first, size_t end, bool down)
{
    for (bool more = true; more;) {
        more = false;
        for (size_t k = first; k < end; k++) {
            size_t index = down ? end - 1 - (k - first) : k;
            if (now.items[index].barrier == &ready)
                enter(index);
            more |= now.items[index].barrier == &ready;
        }
    }
}

/* Resumes warps of which all lanes have reached the same exchange. Returns whether there are
 * any. */
static bool release_warps(void)
{
    bool some = false;
    for (size_t first = 0; first < now.local; first += HOST_WARP) {
        size_t end = first + HOST_WARP < now.local ? first + HOST_WARP : now.local, there = 0;
        for (size_t k = first; k < end; k++)
            there += now.items[k].barrier == &apart && now.items[k].warp == now.items[first].warp;
        for (size_t k = first; k < end && there == HOST_WARP; k++)
            now.items[k].barrier = &ready;
        some |= there == HOST_WARP;
    }
    return some;
}

/* Runs all items to the next barrier or the end, wave by wave; in ascending and descending order in
 * turn, because results must not depend on the order. */
static void advance_group(size_t phase)
{
    size_t waves = (now.local + now.wave - 1) / now.wave;
    bool down = phase % 2;
    do {
        for (size_t k = 0; k < waves; k++) {
            size_t first = (down ? waves - 1 - k : k) * now.wave, end = first + now.wave;
            advance_wave(first, end < now.local ? end : now.local, down);
        }
        down = !down;
    } while (release_warps());
}

/* Runs all items from one barrier to the next, or to the end. Returns the number of remaining
 * items. */
static size_t advance(size_t phase)
{
    size_t ended = 0;
    for (size_t k = 0; k < now.local; k++)
        now.items[k].barrier = &ready;
    advance_group(phase);
    const void *barrier = now.items[0].barrier;
    for (size_t k = 0; k < now.local; k++) {
        ended += !now.items[k].barrier;
        if (now.items[k].barrier == &apart)
            host_stop("work-item %zu of group %zu waits for its warp, of which others do not", k,
                      now.group);
        if (now.items[k].barrier && barrier && now.items[k].barrier != barrier)
            host_stop("work-items 0 and %zu of group %zu wait at different barriers", k, now.group);
    }
    if (ended && ended < now.local)
        host_stop("%zu of %zu work-items of group %zu have ended, the others wait at a barrier",
                  ended, now.local, now.group);
    return now.local - ended;
}

static void run_group(void)
{
    for (size_t k = 0; k < now.local; k++)
        prepare(&now.items[k]);
    for (size_t phase = 0; advance(phase) > 0;)
        phase++;
    host_warps_end();
}

/* Pointers are passed unchanged, values by their addresses. Local memory is filled with arbitrary
 * bytes. */
static void fill(const struct _cl_kernel *kernel, uint64_t *arguments, char **local)
{
    for (size_t k = 0; kernel->letters[k]; k++) {
        const host_argument *argument = &kernel->arguments[k];
        arguments[k] = (uint64_t)(uintptr_t)argument->value;
        if (kernel->letters[k] == 'l') {
            free(local[k]);
            local[k] = malloc(argument->size);
            if (!local[k])
                host_stop("no memory for local memory");
            memset(local[k], 0xa5, argument->size);
            arguments[k] = (uint64_t)(uintptr_t)local[k];
        } else if (kernel->letters[k] == 'g') {
            cl_mem mem;
            memcpy(&mem, argument->value, sizeof(mem));
            arguments[k] = mem ? (uint64_t)(uintptr_t)mem->bytes : 0;
        }
    }
}

size_t host_number(const char *name, size_t least, size_t most)
{
    const char *text = getenv(name);
    size_t value = text ? strtoul(text, NULL, 10) : 0;
    return value < least ? least : value > most ? most : value;
}

void host_run(const struct _cl_kernel *kernel, size_t global, size_t local)
{
    uint64_t arguments[HOST_MOST_ARGS];
    char *memory[HOST_MOST_ARGS] = {NULL};
    uint32_t handed[HOST_MOST_ITEMS];
    now.wave = host_number("HOST_CL_WAVE", 1, HOST_MOST_ITEMS);
    now.sub_group = host_number("HOST_CL_SUB_GROUP", 1, HOST_MOST_ITEMS);
    now.handed = handed;
    now.kernel = kernel;
    now.arguments = arguments;
    now.local = local;
    now.groups = global / local;
    now.items = stacks;
    for (size_t k = 0; k < now.groups; k++) {
        now.group = k % 2 ? k / 2 : now.groups - 1 - k / 2; /* in no order */
        fill(kernel, arguments, memory);
        run_group();
    }
    for (size_t k = 0; k < HOST_MOST_ARGS; k++)
        free(memory[k]);
}

/* Functions that kernels call, under the names that clang gives them. */
size_t host_global_id(unsigned d) __asm__("_Z13get_global_idj");
size_t host_local_id(unsigned d) __asm__("_Z12get_local_idj");
size_t host_group_id(unsigned d) __asm__("_Z12get_group_idj");
size_t host_global_size(unsigned d) __asm__("_Z15get_global_sizej");
size_t host_local_size(unsigned d) __asm__("_Z14get_local_sizej");
size_t host_num_groups(unsigned d) __asm__("_Z14get_num_groupsj");
void host_barrier(unsigned flags) __asm__("_Z7barrierj");
uint32_t host_num_sub_groups(void) __asm__("_Z18get_num_sub_groupsv");
uint32_t host_sub_group_local_id(void) __asm__("_Z22get_sub_group_local_idv");
uint32_t host_shuffle(uint32_t value, uint32_t from) __asm__("_Z17sub_group_shufflejj");
uint32_t host_reduce_add(uint32_t value) __asm__("_Z20sub_group_reduce_addj");
void host_step(void);

size_t host_global_id(unsigned d)
{
    return d ? 0 : now.group * now.local + now.item;
}

size_t host_local_id(unsigned d)
{
    return d ? 0 : now.item;
}

size_t host_group_id(unsigned d)
{
    return d ? 0 : now.group;
}

size_t host_global_size(unsigned d)
{
    return d ? 1 : now.groups * now.local;
}

size_t host_local_size(unsigned d)
{
    return d ? 1 : now.local;
}

size_t host_num_groups(unsigned d)
{
    return d ? 1 : now.groups;
}

size_t host_item(void)
{
    return now.item;
}

size_t host_items(void)
{
    return now.local;
}

uintptr_t host_code(void)
{
    return (uintptr_t)now.kernel->call;
}

void host_meet_group(const void *where)
{
    leave(where);
}

void host_meet_warp(const void *where)
{
    now.items[now.item].warp = where;
    leave(&apart);
}

void host_barrier(unsigned flags)
{
    (void)flags;
    leave(__builtin_return_address(0));
}

/* Kernels call this function after each atomic operation. With waves of one item, work-items are
 * most independent: they run to their barrier. */
void host_step(void)
{
    if (now.wave > 1)
        leave(&ready);
}

uint32_t host_num_sub_groups(void)
{
    return (uint32_t)((now.local + now.sub_group - 1) / now.sub_group);
}

/* In descending order, because the driver may choose any order. */
uint32_t host_sub_group_local_id(void)
{
    size_t first = now.item / now.sub_group * now.sub_group, end = first + now.sub_group;
    return (uint32_t)((end < now.local ? end : now.local) - 1 - now.item);
}

/* Returns the item with a given number in this one's sub-group. */
static size_t numbered(uint32_t number)
{
    return now.item + host_sub_group_local_id() - number;
}

/* The whole group must call this function, although OpenCL requires only the sub-group to do so. */
uint32_t host_shuffle(uint32_t value, uint32_t from)
{
    now.handed[now.item] = value;
    leave(__builtin_return_address(0));
    uint32_t other = now.handed[numbered(from)];
    leave(__builtin_return_address(0));
    return other;
}

uint32_t host_reduce_add(uint32_t value)
{
    size_t first = now.item / now.sub_group * now.sub_group, end = first + now.sub_group;
    uint32_t sum = 0;
    now.handed[now.item] = value;
    leave(__builtin_return_address(0));
    for (size_t k = first; k < end && k < now.local; k++)
        sum += now.handed[k];
    leave(__builtin_return_address(0));
    return sum;
}
