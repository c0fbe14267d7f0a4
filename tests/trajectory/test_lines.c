/* SPDX-License-Identifier: Apache-2.0 */
/* Lines of texts that arrive in pieces. */
#include "text.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Joins all lines of a text, each followed by '|'. */
static void join(const char *text, size_t length, size_t piece, char *joined)
{
    mote_lines_text from = {text, length, piece};
    mote_lines lines = {.source = mote_lines_from_text, .user = &from};
    const char *begin, *end;
    mote_lines_status status;
    size_t n = 0, number = 0;
    while ((status = mote_lines_next(&lines, &begin, &end)) == MOTE_LINES_LINE) {
        ck_assert_uint_eq(lines.number, ++number);
        ck_assert_int_eq(*end == '\n' || *end == '\r', 1);
        memcpy(joined + n, begin, (size_t)(end - begin));
        n += (size_t)(end - begin);
        joined[n++] = '|';
    }
    ck_assert_int_eq(status, MOTE_LINES_END);
    ck_assert_uint_eq(lines.bytes, length);
    joined[n] = '\0';
    mote_lines_free(&lines);
}

START_TEST(ends)
{
    static const struct {
        const char *text, *joined;
    } all[] = {{"", ""},
               {"\n", "|"},
               {"a", "a|"},
               {"a\n", "a|"},
               {"a\nb", "a|b|"},
               {"a\r\nb\r\n", "a|b|"},
               {"\n\nx\n\n", "||x||"},
               {"a\rb\n", "a\rb|"},
               {"\r", "|"},
               {"a\r", "a|"}};
    for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
        for (size_t piece = 0; piece < 4; piece++) {
            char joined[32];
            join(all[i].text, strlen(all[i].text), piece, joined);
            ck_assert_str_eq(joined, all[i].joined);
        }
}
END_TEST

START_TEST(cut)
{
    mote_lines_text from = {"a\nb", 3, 0};
    mote_lines lines = {.source = mote_lines_from_text, .user = &from};
    const char *begin, *end;
    mote_lines_next(&lines, &begin, &end);
    ck_assert(!lines.cut);
    mote_lines_next(&lines, &begin, &end);
    ck_assert(lines.cut);
    ck_assert_int_eq(mote_lines_next(&lines, &begin, &end), MOTE_LINES_END);
    ck_assert(!lines.cut);
    mote_lines_free(&lines);
}
END_TEST

/* A line with a NUL byte is rejected, and again when it is requested again. */
START_TEST(nul)
{
    static const struct {
        const char *text;
        size_t length, lines, byte;
    } all[] = {{"\0", 1, 0, 1},           {"\0\n", 2, 0, 1},
               {"a\nb\0c\nd\n", 8, 1, 2}, {"a\n\nbc\r\0\r\n", 9, 2, 4},
               {"a\n\0\0", 4, 1, 1},      {"a\nb\0", 4, 1, 2}};
    for (size_t i = 0; i < 4 * (sizeof(all) / sizeof(all[0])); i++) {
        mote_lines_text from = {all[i / 4].text, all[i / 4].length, i % 4};
        mote_lines lines = {.source = mote_lines_from_text, .user = &from};
        const char *begin, *end;
        char text[200], expected[200];
        for (size_t k = 0; k < all[i / 4].lines; k++)
            ck_assert_int_eq(mote_lines_next(&lines, &begin, &end), MOTE_LINES_LINE);
        for (int again = 0; again < 2; again++)
            ck_assert_int_eq(mote_lines_next(&lines, &begin, &end), MOTE_LINES_NUL);
        mote_lines_fault(&lines, MOTE_LINES_NUL, text, sizeof(text));
        snprintf(expected, sizeof(expected),
                 "byte %zu of the line is NUL: this is not a text in UTF-8, or it is damaged",
                 all[i / 4].byte);
        ck_assert_str_eq(text, expected);
        mote_lines_free(&lines);
    }
}
END_TEST

/* UTF-16 of either byte order is rejected, with and without a NUL byte on the first line. */
START_TEST(wide)
{
    static const struct {
        const char *text;
        size_t length;
    } all[] = {{"\xff\xfe"
                "1\0\n\0",
                6},
               {"\xfe\xff"
                "\0"
                "1\0\n",
                6},
               {"\xff\xfe", 2},
               {"\xff\xfe\x11\x22\n\0", 6}};
    for (size_t i = 0; i < 4 * (sizeof(all) / sizeof(all[0])); i++) {
        mote_lines_text from = {all[i / 4].text, all[i / 4].length, i % 4};
        mote_lines lines = {.source = mote_lines_from_text, .user = &from};
        const char *begin, *end;
        char text[200];
        for (int again = 0; again < 2; again++)
            ck_assert_int_eq(mote_lines_next(&lines, &begin, &end), MOTE_LINES_WIDE);
        mote_lines_fault(&lines, MOTE_LINES_WIDE, text, sizeof(text));
        ck_assert_str_eq(text, "this text is in UTF-16: save it in UTF-8");
        mote_lines_free(&lines);
    }
}
END_TEST

START_TEST(long_ones)
{
    static const size_t lengths[] = {65534, 65535, 65536, 131072, MOTE_LINES_LONGEST};
    char *text = malloc(MOTE_LINES_LONGEST + 8), *joined = malloc(MOTE_LINES_LONGEST + 8);
    for (size_t i = 0; i < sizeof(lengths) / sizeof(lengths[0]); i++)
        for (size_t piece = 0; piece <= 4096; piece += 4096) {
            size_t n = lengths[i];
            memset(text, 'a', n);
            memcpy(text + n, "\nb\n", 3);
            join(text, n + 3, piece, joined);
            ck_assert_uint_eq(strlen(joined), n + 3);
            ck_assert_str_eq(joined + n, "|b|");
        }
    free(text);
    free(joined);
}
END_TEST

/* An endless source that counts its bytes. */
static long endless(void *user, char *to, size_t bytes)
{
    *(size_t *)user += bytes;
    memset(to, 'x', bytes);
    return (long)bytes;
}

START_TEST(too_long)
{
    size_t given = 0;
    mote_lines lines = {.source = endless, .user = &given};
    const char *begin, *end;
    ck_assert_int_eq(mote_lines_next(&lines, &begin, &end), MOTE_LINES_LONG);
    ck_assert_uint_le(given, 2 * MOTE_LINES_LONGEST);
    ck_assert_uint_le(lines.reserved, 4 * MOTE_LINES_LONGEST);
    mote_lines_free(&lines);
    mote_trajectory t;
    mote_trajectory_open(&t, MOTE_TRAJECTORY_XYZ, "t", endless, &given);
    ck_assert_int_eq(mote_trajectory_next(&t), MOTE_TRAJECTORY_BAD);
    ck_assert_str_eq(t.message, "t:1: the line is longer than 1048576 bytes");
    mote_trajectory_close(&t);
}
END_TEST

/* A source that is interrupted, then returns a line, then fails. */
static long breaking(void *user, char *to, size_t bytes)
{
    int *calls = user;
    (void)bytes;
    errno = *calls == 0 ? EINTR : EISDIR;
    if ((*calls)++ != 1)
        return -1;
    memcpy(to, "5\n", 2);
    return 2;
}

START_TEST(failures)
{
    int calls = 0;
    mote_trajectory t;
    mote_trajectory_open(&t, MOTE_TRAJECTORY_XYZ, "t", breaking, &calls);
    ck_assert_int_eq(mote_trajectory_next(&t), MOTE_TRAJECTORY_BAD);
    ck_assert_str_eq(t.message, "t: cannot be read: Is a directory");
    ck_assert_int_eq(calls, 3);
    mote_trajectory_close(&t);
}
END_TEST

static const suite_test tests[] = {SUITE_TEST(ends),    SUITE_TEST(cut),       SUITE_TEST(nul),
                                   SUITE_TEST(wide),    SUITE_TEST(long_ones), SUITE_TEST(too_long),
                                   SUITE_TEST(failures)};
SUITE_MAIN("lines", tests)
