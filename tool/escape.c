/* SPDX-License-Identifier: Apache-2.0 */
/* Escapes text for terminals. Messages quote file names, values and options, which may contain
 * control sequences. */
#include "tool.h"

#include <stdio.h>

/* Decodes the UTF-8 character at `text`. Returns its length, or 0 if the bytes are not valid UTF-8;
 * *number receives the code point. */
static int decode(const unsigned char *text, uint32_t *number)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    int length = *text < 0x80   ? 1
                 : *text < 0xc0 ? 0
                 : *text < 0xe0 ? 2
                 : *text < 0xf0 ? 3
                 : *text < 0xf8 ? 4
                                : 0;
    *number = length == 1 ? *text : *text & (0x7fu >> length);
    for (int i = 1; i < length; i++) {
        if ((text[i] & 0xc0) != 0x80)
            return 0;
        *number = *number << 6 | (text[i] & 0x3f);
    }
    bool good = length && *number >= least[length] && *number <= 0x10ffff &&
                (*number < 0xd800 || *number > 0xdfff);
    return good ? length : 0;
}

/* True for code points that change what a terminal shows: control characters, separators of lines
 * and paragraphs, and marks that change the direction of text. */
static bool is_obeyed(uint32_t number)
{
    return number < 0x20 || (number >= 0x7f && number < 0xa0) ||
           (number >= 0x200e && number <= 0x200f) || (number >= 0x2028 && number <= 0x202e) ||
           (number >= 0x2066 && number <= 0x2069);
}

static void print_byte(FILE *file, unsigned char byte)
{
    static const char letters[] = "abtnvfr"; /* escapes of the characters 7 to 13 */
    if (byte >= 7 && byte <= 13)
        fprintf(file, "\\%c", letters[byte - 7]);
    else
        fprintf(file, "\\x%02x", byte);
}

void tool_print_text(FILE *file, const char *text, char line_break)
{
    const unsigned char *at = (const unsigned char *)text;
    while (*at) {
        uint32_t number;
        int length = decode(at, &number);
        if (*at == (unsigned char)line_break)
            fputs("\n    ", file);
        else if (length && !is_obeyed(number))
            fwrite(at, 1, (size_t)length, file);
        else
            for (int i = 0; i < (length ? length : 1); i++)
                print_byte(file, at[i]);
        at += length ? length : 1;
    }
}
