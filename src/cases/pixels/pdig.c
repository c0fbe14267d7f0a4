/* SPDX-License-Identifier: Apache-2.0 */
#include "cases/pixels/pdig.h"

#include <errno.h>
#include <string.h>

#include "mote/pixels.h"

#define PDIG_MAGIC  0x47494450u
#define PDIG_MOST   65536u      /* rows and columns that 16-bit numbers can name */
#define CHUNK_BYTES 65536u      /* what is read before memory for it is asked for */
#define MOST_DIGIS  0x7fffffffu /* fewer than 2^31 in one call */

typedef struct pdig_source {
    FILE *file; /* NULL: memory */
    const unsigned char *data;
    size_t left;
    uint64_t position;
    char *message;
    size_t size;
} pdig_source;

static mote_pdig_status fetch(pdig_source *source, unsigned char *out, size_t bytes,
                              const char *what)
{
    size_t got = bytes < source->left ? bytes : source->left;

    if (source->file)
        got = fread(out, 1, bytes, source->file);
    else
        memcpy(out, source->data, got);
    if (!source->file) {
        source->data += got;
        source->left -= got;
    }
    source->position += got;
    if (got == bytes)
        return MOTE_PDIG_OK;
    if (source->file && ferror(source->file)) {
        snprintf(source->message, source->size, "cannot read at byte %llu: %s",
                 (unsigned long long)source->position, strerror(errno));
        return MOTE_PDIG_IO;
    }
    snprintf(source->message, source->size,
             "the file ends at byte %llu inside %s: %llu more bytes expected",
             (unsigned long long)source->position, what, (unsigned long long)(bytes - got));
    return MOTE_PDIG_BAD;
}

static uint32_t u16_at(const unsigned char *p)
{
    return (uint32_t)p[0] | (uint32_t)p[1] << 8;
}

static uint32_t u32_at(const unsigned char *p)
{
    return u16_at(p) | u16_at(p + 2) << 16;
}

static mote_pdig_status read_header(pdig_source *source, mote_digis *digis, uint32_t *n_events)
{
    unsigned char head[20];
    mote_pdig_status status = fetch(source, head, 4, "the magic number");

    if (status)
        return status;
    if (u32_at(head) != PDIG_MAGIC) {
        snprintf(source->message, source->size,
                 "not a digi event file: it begins with 0x%08x, expected 0x%08x (PDIG)",
                 u32_at(head), PDIG_MAGIC);
        return MOTE_PDIG_BAD;
    }
    status = fetch(source, head + 4, sizeof(head) - 4, "the header");
    if (status)
        return status;
    *n_events = u32_at(head + 4);
    static const char *const names[] = {"modules", "rows", "columns"};

    for (int i = 0; i < 3; i++) {
        uint32_t value = u32_at(head + 8 + 4 * i);

        /* An id of the invalid module must not be one of the detector's. */
        uint32_t most = i == 0 ? MOTE_PIXELS_INVALID_MODULE_U16 : PDIG_MOST;

        if (value < 1 || value > most) {
            snprintf(source->message, source->size, "the header says %u %s, expected 1 to %u",
                     value, names[i], most);
            return MOTE_PDIG_BAD;
        }
    }
    mote_digis_init(digis, u32_at(head + 8), u32_at(head + 12), u32_at(head + 16));
    return MOTE_PDIG_OK;
}

/* One array of an event goes to its place in `digis`, which grows while the first one is read. */
static mote_pdig_status read_array(pdig_source *source, mote_digis *digis, size_t n, int which,
                                   const char *what)
{
    unsigned char chunk[CHUNK_BYTES];

    for (size_t done = 0; done < n;) {
        size_t part = n - done < CHUNK_BYTES / 2 ? n - done : CHUNK_BYTES / 2;
        mote_pdig_status status = fetch(source, chunk, 2 * part, what);

        if (status)
            return status;
        if (which == 0 && !mote_digis_reserve(digis, done + part)) {
            snprintf(source->message, source->size, "no memory for %zu digis",
                     digis->n + done + part);
            return MOTE_PDIG_NO_MEMORY;
        }
        size_t at = digis->n + done;

        for (size_t i = 0; i < part; i++) {
            uint32_t value = u16_at(chunk + 2 * i);

            if (which == 0)
                digis->module_id[at + i] = value;
            else if (which == 1)
                digis->x[at + i] = (uint16_t)value;
            else if (which == 2)
                digis->y[at + i] = (uint16_t)value;
            else
                digis->adc[at + i] = value;
        }
        done += part;
    }
    return MOTE_PDIG_OK;
}

static mote_pdig_status read_event(pdig_source *source, mote_digis *digis, uint32_t event)
{
    static const char *const names[] = {"module_id", "x", "y", "adc"};
    char what[64];
    unsigned char head[4];

    snprintf(what, sizeof(what), "the size of event %u", event);
    mote_pdig_status status = fetch(source, head, sizeof(head), what);

    if (status)
        return status;
    size_t n = u32_at(head);

    if (n > MOST_DIGIS - digis->n) {
        snprintf(source->message, source->size,
                 "event %u says it has %zu digis: a file may hold at most %u", event, n,
                 MOST_DIGIS);
        return MOTE_PDIG_BAD;
    }
    for (int which = 0; which < 4 && !status; which++) {
        snprintf(what, sizeof(what), "%s of event %u", names[which], event);
        status = read_array(source, digis, n, which, what);
    }
    if (!status) {
        digis->n += n;
        mote_digis_end_event(digis);
    }
    return status;
}

static bool at_end(pdig_source *source)
{
    return source->file ? getc(source->file) == EOF && !ferror(source->file) : source->left == 0;
}

static mote_pdig_status read_source(pdig_source *source, mote_digis *digis)
{
    uint32_t n_events = 0;

    mote_digis_init(digis, 0, 0, 0);
    mote_pdig_status status = read_header(source, digis, &n_events);

    for (uint32_t event = 0; !status && event < n_events; event++)
        status = read_event(source, digis, event);
    if (!status && digis->failed) {
        snprintf(source->message, source->size, "no memory for %u events", n_events);
        status = MOTE_PDIG_NO_MEMORY;
    }
    if (!status && !at_end(source)) {
        snprintf(source->message, source->size,
                 "the file goes on after its last event (%u), which ends at byte %llu", n_events,
                 (unsigned long long)source->position);
        status = MOTE_PDIG_BAD;
    }
    if (status)
        mote_digis_free(digis);
    return status;
}

mote_pdig_status mote_pdig_read(FILE *file, mote_digis *digis, char *message, size_t size)
{
    pdig_source source = {.file = file, .message = message, .size = size};

    return read_source(&source, digis);
}

mote_pdig_status mote_pdig_parse(const void *data, size_t bytes, mote_digis *digis, char *message,
                                 size_t size)
{
    pdig_source source = {.data = data, .left = bytes, .message = message, .size = size};

    return read_source(&source, digis);
}
