/* SPDX-License-Identifier: Apache-2.0 */
#include "svg_escape.h"

void svg_escape(out_file *out, const char *text)
{
    for (; *text; text++) {
        const char *entity = *text == '&'   ? "&amp;"
                             : *text == '<' ? "&lt;"
                             : *text == '>' ? "&gt;"
                                            : NULL;
        if (entity)
            out_text(out, entity);
        else
            out_bytes(out, (unsigned char)*text >= ' ' ? text : "?", 1);
    }
}
