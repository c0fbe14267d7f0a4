/* SPDX-License-Identifier: Apache-2.0 */
#include "record.h"

/* Names of devices and kernels contain few characters that JSON must escape. */
static void print_text(out_file *out, const char *text)
{
    out_text(out, "\"");
    for (; *text; text++)
        if ((unsigned char)*text >= 0x20)
            out_print(out, "%s%c", *text == '"' || *text == '\\' ? "\\" : "", *text);
    out_text(out, "\"");
}

static void print_span(const profile_record *r, size_t i, out_file *out)
{
    const profile_span *s = &r->spans[i];
    const profile_kernel *k = &r->kernels[s->kernel];
    double start = 1e-3 * (double)(s->start - r->devices[k->device].first);
    double lasts = 1e-3 * (double)(s->end - s->start);
    out_text(out, "{\"name\": ");
    print_text(out, k->name);
    out_print(out,
              ", \"cat\": \"%s\", \"ph\": \"X\", \"ts\": %.3f, \"dur\": %.3f, \"pid\": %zu, "
              "\"tid\": %zu, \"args\": {",
              k->copies ? "copy" : "kernel", start, lasts, k->device, s->queue);
    if (!k->copies)
        out_print(out, "\"work_items\": %zu, \"work_group\": %zu%s", s->global, s->local,
                  s->bytes ? ", " : "");
    if (s->bytes)
        out_print(out, "\"bytes\": %llu", (unsigned long long)s->bytes);
    if (s->bytes && s->end > s->start)
        out_print(out, ", \"GB/s\": %.3f", 1e-3 * (double)s->bytes / lasts);
    out_text(out, "}}");
}

void profile_trace(const profile_record *r, out_file *out)
{
    out_text(out, "{\"displayTimeUnit\": \"ns\",\n \"otherData\": {\"left_out\": ");
    out_print(out, "%zu, \"without_times\": %zu},\n \"traceEvents\": [", r->spans_left_out,
              r->untimed);
    for (size_t d = 0; d < r->n_devices; d++) {
        out_print(out,
                  "%s\n{\"name\": \"process_name\", \"ph\": \"M\", \"pid\": %zu, \"args\": "
                  "{\"name\": ",
                  d ? "," : "", d);
        print_text(out, r->devices[d].name);
        out_text(out, "}}");
    }
    for (size_t i = 0; i < r->n_spans && !out_is_closed(out); i++) {
        out_text(out, ",\n");
        print_span(r, i, out);
    }
    out_text(out, "]}\n");
}
