/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <string.h>

#include "testkit/cases/pixels/pdig.h"
#include "mote/pixels.h"

#define PDIG_MAGIC 0x47494450u

static void put_u16(FILE *file, uint32_t value)
{
    putc((int)(value & 0xff), file);
    putc((int)(value >> 8 & 0xff), file);
}

static void put_u32(FILE *file, uint32_t value)
{
    put_u16(file, value & 0xffff);
    put_u16(file, value >> 16);
}

static mote_pdig_status check_range(const mote_digis *digis, char *message, size_t size)
{
    if (digis->n_events > UINT32_MAX || digis->n_modules > MOTE_PIXELS_INVALID_MODULE_U16) {
        snprintf(message, size, "%u modules do not fit into a digi event file: at most %u",
                 digis->n_modules, MOTE_PIXELS_INVALID_MODULE_U16);
        return MOTE_PDIG_BAD;
    }
    for (size_t i = 0; i < digis->n; i++) {
        bool invalid = digis->module_id[i] == digis->invalid_module_id;

        if ((!invalid && digis->module_id[i] > UINT16_MAX) || digis->adc[i] > UINT16_MAX) {
            snprintf(message, size, "digi %zu (module %u, adc %u) does not fit into 16 bits", i,
                     digis->module_id[i], digis->adc[i]);
            return MOTE_PDIG_BAD;
        }
    }
    return MOTE_PDIG_OK;
}

static void write_event(FILE *file, const mote_digis *digis, size_t first, size_t last)
{
    put_u32(file, (uint32_t)(last - first));
    for (size_t i = first; i < last; i++)
        put_u16(file, digis->module_id[i] == digis->invalid_module_id
                          ? MOTE_PIXELS_INVALID_MODULE_U16
                          : digis->module_id[i]);
    for (size_t i = first; i < last; i++)
        put_u16(file, digis->x[i]);
    for (size_t i = first; i < last; i++)
        put_u16(file, digis->y[i]);
    for (size_t i = first; i < last; i++)
        put_u16(file, digis->adc[i]);
}

mote_pdig_status mote_pdig_write(FILE *file, const mote_digis *digis, char *message, size_t size)
{
    mote_pdig_status status = check_range(digis, message, size);

    if (status)
        return status;
    put_u32(file, PDIG_MAGIC);
    put_u32(file, (uint32_t)digis->n_events);
    put_u32(file, digis->n_modules);
    put_u32(file, digis->rows);
    put_u32(file, digis->columns);
    for (size_t event = 0; event < digis->n_events && !ferror(file); event++)
        write_event(file, digis, digis->event_offsets[event], digis->event_offsets[event + 1]);
    if (fflush(file) || ferror(file)) {
        snprintf(message, size, "cannot write: %s", strerror(errno));
        return MOTE_PDIG_IO;
    }
    return MOTE_PDIG_OK;
}
