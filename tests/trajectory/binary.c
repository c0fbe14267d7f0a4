/* SPDX-License-Identifier: Apache-2.0 */
#include "binary.h"

#include <stdlib.h>
#include <string.h>

/* ---- words ----------------------------------------------------------------------------------- */

void binary_byte(binary *file, unsigned byte)
{
    if (file->count == file->reserved) {
        file->reserved = file->reserved ? 2 * file->reserved : 4096;
        file->bytes = realloc(file->bytes, file->reserved);
        if (!file->bytes)
            abort();
    }
    file->bytes[file->count++] = (unsigned char)byte;
}

void binary_word(binary *file, uint32_t word)
{
    for (int k = 0; k < 4; k++)
        binary_byte(file, word >> (file->big ? 24 - 8 * k : 8 * k) & 255u);
}

void binary_float(binary *file, float value)
{
    uint32_t word;
    memcpy(&word, &value, sizeof(word));
    binary_word(file, word);
}

void binary_double(binary *file, double value)
{
    uint64_t word;
    memcpy(&word, &value, sizeof(word));
    binary_word(file, (uint32_t)(file->big ? word >> 32 : word));
    binary_word(file, (uint32_t)(file->big ? word : word >> 32));
}

/* ---- XTC ------------------------------------------------------------------------------------- */

enum { LEAST_SMALL = 9, MOST_SMALL = 72 };

/* The sizes of steps, as GROMACS writes them. */
static const uint32_t sizes[MOST_SMALL + 1] = {
    0,        0,        0,       0,       0,       0,       0,       0,       0,       8,
    10,       12,       16,      20,      25,      32,      40,      50,      64,      80,
    101,      128,      161,     203,     256,     322,     406,     512,     645,     812,
    1024,     1290,     1625,    2048,    2580,    3250,    4096,    5060,    6501,    8192,
    10321,    13003,    16384,   20642,   26007,   32768,   41285,   52015,   65536,   82570,
    104031,   131072,   165140,  208063,  262144,  330280,  416127,  524287,  660561,  832255,
    1048576,  1321122,  1664510, 2097152, 2642245, 3329021, 4194304, 5284491, 6658042, 8388607,
    10568983, 13316085, 16777216};

/* One byte for each bit: slow but simple. */
typedef struct bit_list {
    unsigned char *bits;
    size_t count, reserved;
} bit_list;

static void put_bits(bit_list *list, unsigned n, uint64_t value)
{
    if (list->count + n > list->reserved) {
        list->reserved = 2 * list->reserved + 4096;
        list->bits = realloc(list->bits, list->reserved);
        if (!list->bits)
            abort();
    }
    while (n--)
        list->bits[list->count++] = value >> n & 1;
}

/* The bytes of v[0] s[1] s[2] + v[1] s[2] + v[2], least significant first. */
static void multiply(const uint32_t *v, const uint32_t *s, unsigned char bytes[16])
{
    memset(bytes, 0, 16);
    for (int k = 0; k < 3; k++) {
        uint64_t carry = v[k];
        for (int b = 0; b < 16; b++) {
            carry += (uint64_t)bytes[b] * (k ? s[k] : 0);
            bytes[b] = (unsigned char)carry;
            carry >>= 8;
        }
    }
}

static void put_mixed(bit_list *list, unsigned n, const uint32_t *v, const uint32_t *s)
{
    unsigned char bytes[16];
    unsigned b = 0;
    multiply(v, s, bytes);
    for (; n > 8; n -= 8)
        put_bits(list, 8, bytes[b++]);
    put_bits(list, n, bytes[b]);
}

/* Returns the number of bits of the product of the sizes. */
static unsigned together(const uint32_t *s)
{
    const uint32_t ones[3] = {s[0], 0, 0};
    unsigned char bytes[16];
    unsigned n = 0;
    multiply(ones, s, bytes);
    for (unsigned b = 0; b < 128; b++)
        if (bytes[b / 8] >> b % 8 & 1)
            n = b + 1;
    return n;
}

static unsigned bits_of(uint32_t value)
{
    unsigned n = 0;
    while (n < 32 && value >> n)
        n++;
    return n;
}

/* Computes the steps from `from` to `to`; returns whether all of them are in 0 .. size - 1. */
static bool step_fits(const int32_t *from, const int32_t *to, uint32_t size, uint32_t *step)
{
    for (int k = 0; k < 3; k++) {
        int64_t value = (int64_t)to[k] - from[k] + size / 2;
        if (value < 0 || value >= size)
            return false;
        step[k] = (uint32_t)value;
    }
    return true;
}

/* The order in which a run of `run` atoms after atom 0 is written. */
static const int32_t *in_run(const int32_t *p, size_t run, size_t place)
{
    return run == 0 ? p : place == 0 ? p + 3 : place == 1 ? p : p + 3 * place;
}

/* The longest run that fits, of at most eight atoms. */
static size_t longest_run(const int32_t *p, size_t left, uint32_t size)
{
    uint32_t step[3];
    size_t run = 0;
    while (run < 8 && run + 1 < left) {
        const int32_t *from = run == 0 ? p + 3 : run == 1 ? p : p + 3 * run;
        const int32_t *to = run == 0 ? p : p + 3 * (run + 1);
        /* The second atom is stored as a position, the first one as the step from it. */
        if (!step_fits(from, to, size, step))
            break;
        run++;
    }
    return run;
}

static void put_atoms(bit_list *list, mote_rng *rng, size_t n, const int32_t *p,
                      const int32_t *least, const uint32_t *range, uint32_t small)
{
    bool wide = range[0] > 0xffffff || range[1] > 0xffffff || range[2] > 0xffffff;
    size_t last_run = 0;
    for (size_t i = 0; i < n;) {
        const int32_t *at = p + 3 * i;
        size_t run = longest_run(at, n - i, sizes[small]);
        run = mote_rng_below(rng, 4) ? run : mote_rng_below(rng, (uint32_t)run + 1);
        int change = (int)mote_rng_below(rng, 3) - 1;
        if ((change < 0 && small == LEAST_SMALL) || (change > 0 && small == MOST_SMALL))
            change = 0;
        const int32_t *alone = in_run(at, run, 0);
        uint32_t whole[3], step[3] = {0};
        for (int k = 0; k < 3; k++)
            whole[k] = (uint32_t)alone[k] - (uint32_t)least[k];
        if (!wide)
            put_mixed(list, together(range), whole, range);
        for (int k = 0; k < 3 && wide; k++)
            put_bits(list, bits_of(range[k]), whole[k]);
        bool told = change != 0 || run != last_run || mote_rng_below(rng, 8) == 0;
        put_bits(list, 1, told);
        if (told)
            put_bits(list, 5, 3 * run + (unsigned)(change + 1));
        const uint32_t size[3] = {sizes[small], sizes[small], sizes[small]};
        for (size_t j = 1; j <= run; j++) {
            step_fits(in_run(at, run, j - 1), in_run(at, run, j), size[0], step);
            put_mixed(list, small, step, size);
        }
        last_run = run;
        small = told ? (uint32_t)((int)small + change) : small;
        i += run + 1;
    }
}

static void put_packed(binary *file, mote_rng *rng, size_t n, const int32_t *p)
{
    int32_t least[3] = {p[0], p[1], p[2]}, most[3] = {p[0], p[1], p[2]};
    uint32_t range[3], small = LEAST_SMALL + mote_rng_below(rng, 30);
    for (size_t i = 0; i < 3 * n; i++) {
        least[i % 3] = p[i] < least[i % 3] ? p[i] : least[i % 3];
        most[i % 3] = p[i] > most[i % 3] ? p[i] : most[i % 3];
    }
    for (int k = 0; k < 3; k++) {
        binary_word(file, (uint32_t)least[k]);
        range[k] = (uint32_t)most[k] - (uint32_t)least[k] + 1;
    }
    for (int k = 0; k < 3; k++)
        binary_word(file, (uint32_t)most[k]);
    bit_list list = {0};
    put_atoms(&list, rng, n, p, least, range, small);
    put_bits(&list, (unsigned)(8 - list.count % 8) % 8, 0);
    binary_word(file, small);
    binary_word(file, (uint32_t)(list.count / 8));
    for (size_t b = 0; b < list.count; b += 8) {
        unsigned byte = 0;
        for (int k = 0; k < 8; k++)
            byte = byte << 1 | list.bits[b + (size_t)k];
        binary_byte(file, byte);
    }
    for (size_t b = list.count / 8; b % 4; b++)
        binary_byte(file, 0);
    free(list.bits);
}

void binary_xtc(binary *file, mote_rng *rng, size_t n, const int32_t *positions, float precision,
                float time, const float *box)
{
    file->big = true;
    binary_word(file, 1995);
    binary_word(file, (uint32_t)n);
    binary_word(file, 7);
    binary_float(file, time);
    for (int k = 0; k < 9; k++)
        binary_float(file, box ? box[k] : 0.0f);
    binary_word(file, (uint32_t)n);
    for (size_t i = 0; i < 3 * n && n <= 9; i++)
        binary_float(file, (float)positions[i] * (1.0f / precision));
    if (n <= 9)
        return;
    binary_float(file, precision);
    put_packed(file, rng, n, positions);
}

/* ---- TRR ------------------------------------------------------------------------------------- */

static void put_reals(binary *file, bool wide, const double *values, size_t count)
{
    for (size_t i = 0; values && i < count; i++)
        wide ? binary_double(file, values[i]) : binary_float(file, (float)values[i]);
}

void binary_trr(binary *file, const binary_trr_frame *frame)
{
    uint32_t width = frame->wide ? 8 : 4, n = (uint32_t)frame->n;
    const uint32_t numbers[13] = {0,
                                  0,
                                  frame->box ? 9 * width : 0,
                                  0,
                                  0,
                                  0,
                                  0,
                                  frame->positions ? 3 * n * width : 0,
                                  frame->velocities ? 3 * n * width : 0,
                                  0,
                                  n,
                                  5,
                                  0};
    file->big = true;
    binary_word(file, 1993);
    binary_word(file, 13);
    binary_word(file, 12);
    for (const char *p = "GMX_trn_file"; *p; p++)
        binary_byte(file, (unsigned char)*p);
    for (int k = 0; k < 13; k++)
        binary_word(file, numbers[k]);
    const double times[2] = {frame->time, 0.25};
    put_reals(file, frame->wide, times, 2);
    put_reals(file, frame->wide, frame->box, 9);
    put_reals(file, frame->wide, frame->positions, 3 * frame->n);
    put_reals(file, frame->wide, frame->velocities, 3 * frame->n);
}

/* ---- DCD ------------------------------------------------------------------------------------- */

static void put_length(binary *file, size_t bytes)
{
    if (file->wide && file->big)
        binary_word(file, 0);
    binary_word(file, (uint32_t)bytes);
    if (file->wide && !file->big)
        binary_word(file, 0);
}

static void put_title(binary *file, const binary_dcd_head *head)
{
    uint32_t bytes = head->title_bytes ? head->title_bytes : 4 + 2 * 80;
    uint32_t length = head->title_length ? head->title_length : bytes;
    size_t text = head->title ? strlen(head->title) : 0;
    put_length(file, length);
    if (bytes >= 4)
        binary_word(file, (bytes - 4) / 80);
    for (uint32_t k = bytes >= 4 ? 4 : 0; k < bytes; k++)
        binary_byte(file, k < text + 4 && k >= 4 ? (unsigned char)head->title[k - 4] : ' ');
    put_length(file, length);
}

void binary_dcd(binary *file, const binary_dcd_head *head)
{
    uint32_t numbers[20] = {99, (uint32_t)head->first, (uint32_t)head->every};
    numbers[8] = (uint32_t)(head->n - head->n_free);
    numbers[10] = head->cell;
    numbers[11] = head->fourth;
    numbers[19] = !head->charmm ? 0 : head->version ? head->version : 24;
    put_length(file, 84);
    for (const char *p = "CORD"; *p; p++)
        binary_byte(file, (unsigned char)*p);
    for (int k = 0; k < 9; k++)
        binary_word(file, numbers[k]);
    head->charmm ? binary_float(file, head->delta) : binary_double(file, (double)head->delta);
    for (int k = head->charmm ? 10 : 11; k < 20; k++)
        binary_word(file, numbers[k]);
    put_length(file, 84);
    put_title(file, head);
    put_length(file, 4);
    binary_word(file, (uint32_t)head->n);
    put_length(file, 4);
    if (head->n_free == head->n)
        return;
    put_length(file, 4 * head->n_free);
    for (size_t i = 0; i < head->n_free; i++)
        binary_word(file, (uint32_t)(head->n - head->n_free + i + 1));
    put_length(file, 4 * head->n_free);
}

void binary_dcd_frame(binary *file, const binary_dcd_head *head, bool is_first, const double *cell,
                      const float *positions)
{
    size_t fixed = is_first ? 0 : head->n - head->n_free;
    size_t bytes = 4 * (head->n - fixed);
    if (head->cell) {
        put_length(file, 48);
        for (int k = 0; k < 6; k++)
            binary_double(file, cell[k]);
        put_length(file, 48);
    }
    for (size_t k = 0; k < (head->fourth ? 4 : 3); k++) {
        put_length(file, bytes);
        for (size_t i = fixed; i < head->n; i++)
            binary_float(file, k < 3 ? positions[3 * i + k] : 1.0f);
        put_length(file, bytes);
    }
}
