/* SPDX-License-Identifier: Apache-2.0 */
#include "testkit/cases/pixels/pdig.h"

#include <string.h>

#include "mote/pixels.h"

#define PDIG_MAGIC  0x47494450u
#define PDIG_MOST   65536u      /* rows and columns that 16-bit numbers can represent */
#define CHUNK_BYTES 65536u      /* bytes that must be present before memory for them is allocated */
#define MOST_DIGIS  0x7fffffffu /* fewer than 2^31 in one call */

/* Explains why the next bytes are missing. */
static mote_pdig_status explain(const mote_pdig *pdig, mote_lines_status found, size_t bytes,
                                const char *what)
{
    const mote_lines *lines = pdig->lines;
    unsigned long long end = lines->bytes;

    if (found == MOTE_LINES_END) {
        snprintf(pdig->message, pdig->size,
                 "it ends at byte %llu inside %s: %llu more bytes expected", end, what,
                 bytes + mote_lines_place(lines) - end);
        return MOTE_PDIG_BAD;
    }
    if (found == MOTE_LINES_FAILED) {
        snprintf(pdig->message, pdig->size, "cannot read at byte %llu: %s", end,
                 strerror(lines->error));
        return MOTE_PDIG_IO;
    }
    snprintf(pdig->message, pdig->size, "no memory to read it");
    return MOTE_PDIG_NO_MEMORY;
}

/* Returns the next bytes; NULL with a status and a message if they are missing. */
static const unsigned char *fetch(mote_pdig *pdig, size_t bytes, const char *what,
                                  mote_pdig_status *status)
{
    const unsigned char *at;
    mote_lines_status found = mote_lines_peek(pdig->lines, bytes, &at);

    *status = found == MOTE_LINES_LINE ? MOTE_PDIG_OK : explain(pdig, found, bytes, what);
    return *status ? NULL : at;
}

static uint32_t u16_at(const unsigned char *p)
{
    return (uint32_t)p[0] | (uint32_t)p[1] << 8;
}

static uint32_t u32_at(const unsigned char *p)
{
    return u16_at(p) | u16_at(p + 2) << 16;
}

bool mote_pdig_is(const unsigned char *head, size_t bytes)
{
    /* The header line of a CSV file contains no zeros. */
    return bytes >= MOTE_PDIG_HEAD && u32_at(head) == PDIG_MAGIC &&
           memchr(head, '\0', MOTE_PDIG_HEAD);
}

mote_pdig_status mote_pdig_open(mote_pdig *pdig, mote_lines *lines, char *message, size_t size)
{
    static const char *const names[] = {"modules", "rows", "columns"};
    mote_pdig_status status;

    *pdig = (mote_pdig){.lines = lines, .message = message, .size = size};
    const unsigned char *head = fetch(pdig, 4, "the magic number", &status);

    if (head && u32_at(head) != PDIG_MAGIC) {
        snprintf(message, size,
                 "not a digi event file: it begins with 0x%08x, expected 0x%08x (PDIG)",
                 u32_at(head), PDIG_MAGIC);
        return MOTE_PDIG_BAD;
    }
    head = head ? fetch(pdig, MOTE_PDIG_HEAD, "the header", &status) : NULL;
    if (!head)
        return status;
    uint32_t *const values[] = {&pdig->n_modules, &pdig->rows, &pdig->columns};

    pdig->n_events = u32_at(head + 4);
    for (int i = 0; i < 3; i++) {
        uint32_t value = u32_at(head + 8 + 4 * i);

        /* The id of the invalid module must not be a module of the detector. */
        uint32_t most = i == 0 ? MOTE_PIXELS_INVALID_MODULE_U16 : PDIG_MOST;

        if (value < 1 || value > most) {
            snprintf(message, size, "the header says %u %s, expected 1 to %u", value, names[i],
                     most);
            return MOTE_PDIG_BAD;
        }
        *values[i] = value;
    }
    mote_lines_take(lines, MOTE_PDIG_HEAD);
    return MOTE_PDIG_OK;
}

/* No bytes may follow the last event. */
static mote_pdig_status look_for_end(mote_pdig *pdig)
{
    const unsigned char *more;
    mote_lines_status found = mote_lines_peek(pdig->lines, 1, &more);

    if (found == MOTE_LINES_END)
        return MOTE_PDIG_END;
    if (found != MOTE_LINES_LINE)
        return explain(pdig, found, 1, "the last event");
    snprintf(pdig->message, pdig->size,
             "it goes on after its last event (%u), which ends at byte %llu", pdig->n_events,
             (unsigned long long)mote_lines_place(pdig->lines));
    return MOTE_PDIG_BAD;
}

mote_pdig_status mote_pdig_look(mote_pdig *pdig, uint32_t *n)
{
    char what[64];
    mote_pdig_status status = MOTE_PDIG_OK;

    if (pdig->event == pdig->n_events)
        return look_for_end(pdig);
    if (!pdig->sized) {
        snprintf(what, sizeof(what), "the size of event %u", pdig->event);
        const unsigned char *head = fetch(pdig, 4, what, &status);

        if (!head)
            return status;
        pdig->n = u32_at(head);
        pdig->sized = true;
        mote_lines_take(pdig->lines, 4);
    }
    *n = pdig->n;
    return status;
}

static void take_part(mote_digis *digis, size_t at, size_t part, int which,
                      const unsigned char *from)
{
    for (size_t i = 0; i < part; i++) {
        uint32_t value = u16_at(from + 2 * i);

        if (which == 0)
            digis->module_id[at + i] = value;
        else if (which == 1)
            digis->x[at + i] = (uint16_t)value;
        else if (which == 2)
            digis->y[at + i] = (uint16_t)value;
        else
            digis->adc[at + i] = value;
    }
}

/* Copies one array of an event to `digis`, which grows while the first array is read. */
static mote_pdig_status read_array(mote_pdig *pdig, mote_digis *digis, int which)
{
    static const char *const names[] = {"module_id", "x", "y", "adc"};
    char what[64];

    snprintf(what, sizeof(what), "%s of event %u", names[which], pdig->event);
    for (size_t done = 0, n = pdig->n, part; done < n; done += part) {
        mote_pdig_status status;

        part = n - done < CHUNK_BYTES / 2 ? n - done : CHUNK_BYTES / 2;
        const unsigned char *from = fetch(pdig, 2 * part, what, &status);

        if (!from)
            return status;
        if (which == 0 && !mote_digis_reserve(digis, done + part)) {
            snprintf(pdig->message, pdig->size, "no memory for %zu digis", digis->n + done + part);
            return MOTE_PDIG_NO_MEMORY;
        }
        take_part(digis, digis->n + done, part, which, from);
        mote_lines_take(pdig->lines, 2 * part);
    }
    return MOTE_PDIG_OK;
}

mote_pdig_status mote_pdig_next(mote_pdig *pdig, mote_digis *digis)
{
    uint32_t n;
    mote_pdig_status status = mote_pdig_look(pdig, &n);

    if (!status && n > MOST_DIGIS - digis->n) {
        snprintf(pdig->message, pdig->size,
                 "event %u says it has %u digis: at most %u can be taken at once", pdig->event, n,
                 MOST_DIGIS);
        return MOTE_PDIG_BAD;
    }
    for (int which = 0; which < 4 && !status; which++)
        status = read_array(pdig, digis, which);
    if (status)
        return status;
    digis->n += n;
    mote_digis_end_event(digis);
    if (digis->failed) {
        snprintf(pdig->message, pdig->size, "no memory for %zu events", digis->n_events + 1);
        return MOTE_PDIG_NO_MEMORY;
    }
    pdig->event++;
    pdig->sized = false;
    return MOTE_PDIG_OK;
}

static mote_pdig_status read_all(mote_lines *lines, mote_digis *digis, char *message, size_t size)
{
    mote_pdig pdig;
    mote_pdig_status status = mote_pdig_open(&pdig, lines, message, size);

    mote_digis_init(digis, pdig.n_modules, pdig.rows, pdig.columns);
    while (!status)
        status = mote_pdig_next(&pdig, digis);
    mote_lines_free(lines);
    if (status == MOTE_PDIG_END)
        return MOTE_PDIG_OK;
    mote_digis_free(digis);
    return status;
}

/* A mote_lines_source. */
static long from_file(void *user, char *to, size_t bytes)
{
    FILE *file = user;
    size_t got = fread(to, 1, bytes, file);

    return got || !ferror(file) ? (long)got : -1;
}

mote_pdig_status mote_pdig_read(FILE *file, mote_digis *digis, char *message, size_t size)
{
    mote_lines lines = {.source = from_file, .user = file};

    return read_all(&lines, digis, message, size);
}

mote_pdig_status mote_pdig_parse(const void *data, size_t bytes, mote_digis *digis, char *message,
                                 size_t size)
{
    mote_lines_text text = {.at = data, .left = bytes};
    mote_lines lines = {.source = mote_lines_from_text, .user = &text};

    return read_all(&lines, digis, message, size);
}
