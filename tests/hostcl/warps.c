/* SPDX-License-Identifier: Apache-2.0 */
/* Warps, if the device reports that it is NVIDIA's: functions with which ptx.py replaces PTX. All
 * lanes must reach an exchange, and the same one; between two exchanges they run in any order. */
#include "host.h"

#include <string.h>

#define MOST_COPIES 512 /* copies in flight of an item */

/* Values that lanes pass to others, in two buffers in turn: no lane reaches the second next
 * exchange before all have read. */
static uint32_t handed[2][HOST_MOST_ITEMS];
static unsigned turns[HOST_MOST_ITEMS];

/* cp.async: the data is not copied before the wait. */
static struct {
    char *to[MOST_COPIES];
    const char *from[MOST_COPIES];
    size_t count, last, open; /* the first copy of the last complete group, and the next one */
} copies[HOST_MOST_ITEMS];

uint64_t ptx_shuffle_up(uint32_t value, uint32_t by, uint32_t clamp);
uint64_t ptx_shuffle_down(uint32_t value, uint32_t by, uint32_t clamp);
uint64_t ptx_shuffle_bfly(uint32_t value, uint32_t mask, uint32_t clamp);
uint64_t ptx_shuffle_idx(uint32_t value, uint32_t lane, uint32_t clamp);
uint32_t ptx_ballot(uint32_t predicate);
void ptx_warp_sync(void);
uint32_t ptx_barrier_or(uint32_t predicate);
void ptx_copy_16(uint32_t to, uint64_t from);
void ptx_copies_wait(void);
void ptx_copies_commit(void);
void ptx_copies_wait_but_last(void);

/* Passes a value to the warp; returns the values of all its lanes. */
static const uint32_t *hand(uint32_t value, const void *where)
{
    size_t item = host_item();
    uint32_t *all = handed[turns[item]++ % 2];
    all[item] = value;
    host_meet_warp(where);
    return all + item / HOST_WARP * HOST_WARP;
}

/* The value of lane `from`, and above it whether `within` is set; else the lane's own value. */
static uint64_t pick(const uint32_t *all, size_t from, bool within)
{
    size_t lane = host_item() % HOST_WARP;
    return all[within ? from : lane] | (uint64_t)within << 32;
}

uint64_t ptx_shuffle_up(uint32_t value, uint32_t by, uint32_t clamp)
{
    const uint32_t *all = hand(value, __builtin_return_address(0));
    size_t lane = host_item() % HOST_WARP, least = clamp % HOST_WARP;
    by %= HOST_WARP;
    return pick(all, lane - by, lane >= least + by);
}

uint64_t ptx_shuffle_down(uint32_t value, uint32_t by, uint32_t clamp)
{
    const uint32_t *all = hand(value, __builtin_return_address(0));
    size_t from = host_item() % HOST_WARP + by % HOST_WARP;
    return pick(all, from, from <= clamp % HOST_WARP);
}

uint64_t ptx_shuffle_bfly(uint32_t value, uint32_t mask, uint32_t clamp)
{
    const uint32_t *all = hand(value, __builtin_return_address(0));
    size_t from = (host_item() % HOST_WARP) ^ (mask % HOST_WARP);
    return pick(all, from, from <= clamp % HOST_WARP);
}

uint64_t ptx_shuffle_idx(uint32_t value, uint32_t lane, uint32_t clamp)
{
    const uint32_t *all = hand(value, __builtin_return_address(0));
    size_t from = lane % HOST_WARP;
    return pick(all, from, from <= clamp % HOST_WARP);
}

uint32_t ptx_ballot(uint32_t predicate)
{
    const uint32_t *all = hand(predicate, __builtin_return_address(0));
    uint32_t bits = 0;
    for (size_t k = 0; k < HOST_WARP; k++)
        bits |= (uint32_t)(all[k] != 0) << k;
    return bits;
}

void ptx_warp_sync(void)
{
    host_meet_warp(__builtin_return_address(0));
}

uint32_t ptx_barrier_or(uint32_t predicate)
{
    static uint32_t flags[HOST_MOST_ITEMS];
    uint32_t any = 0;
    flags[host_item()] = predicate;
    host_meet_group(__builtin_return_address(0));
    for (size_t k = 0; k < host_items(); k++)
        any |= flags[k];
    host_meet_group(__builtin_return_address(0));
    return any != 0;
}

void ptx_copy_16(uint32_t to, uint64_t from)
{
    size_t item = host_item(), k = copies[item].count++;
    if (k == MOST_COPIES)
        host_stop("work-item %zu has more than %d copies under way", item, MOST_COPIES);
    /* Local memory belongs to the kernel, so its address is near the kernel's code. */
    uintptr_t near = host_code(), low = (uint32_t)(to - (uint32_t)near);
    copies[item].to[k] = (char *)(near + low - (low >> 31 ? (uintptr_t)1 << 32 : 0));
    copies[item].from[k] = (const char *)(uintptr_t)from;
    if ((to | from) % 16)
        host_stop("a copy of 16 bytes that is not aligned: to %#x from %#llx", to,
                  (unsigned long long)from);
}

/* Executes the first `count` copies; the others stay in flight. */
static void copy_first(size_t count)
{
    size_t item = host_item(), rest = copies[item].count - count;
    for (size_t k = 0; k < count; k++)
        memcpy(copies[item].to[k], copies[item].from[k], 16);
    memmove(copies[item].to, copies[item].to + count, rest * sizeof(copies[item].to[0]));
    memmove(copies[item].from, copies[item].from + count, rest * sizeof(copies[item].from[0]));
    copies[item].count = rest;
    copies[item].last -= count < copies[item].last ? count : copies[item].last;
    copies[item].open -= count < copies[item].open ? count : copies[item].open;
}

void ptx_copies_wait(void)
{
    copy_first(copies[host_item()].count);
}

void ptx_copies_commit(void)
{
    size_t item = host_item();
    copies[item].last = copies[item].open;
    copies[item].open = copies[item].count;
}

void ptx_copies_wait_but_last(void)
{
    copy_first(copies[host_item()].last);
}

void host_warps_end(void)
{
    for (size_t k = 0; k < HOST_MOST_ITEMS; k++) {
        if (copies[k].count)
            host_stop("work-item %zu has ended with copies under way", k);
        turns[k] = 0;
    }
}
