/* SPDX-License-Identifier: Apache-2.0 */
#include "text.h"

#include <string.h>

static const size_t pieces[] = {0, 1, 7};
#define PIECES (sizeof(pieces) / sizeof(pieces[0]))

void text_open(text_reader *reader, mote_trajectory_format format, const char *text, size_t length,
               size_t piece)
{
    reader->text = (mote_lines_text){text, length, piece};
    mote_trajectory_open(&reader->trajectory, format, "t", mote_lines_from_text, &reader->text);
}

void text_open_binary(text_reader *reader, mote_trajectory_format format, const binary *file,
                      size_t piece)
{
    text_open(reader, format, (const char *)file->bytes, file->count, piece);
}

void text_close(text_reader *reader)
{
    mote_trajectory_close(&reader->trajectory);
}

const double *text_next(text_reader *reader, size_t n)
{
    mote_trajectory *t = &reader->trajectory;
    ck_assert_msg(mote_trajectory_next(t) == MOTE_TRAJECTORY_FRAME, "%s", t->message);
    ck_assert_uint_eq(t->frame.n_atoms, n);
    return t->frame.positions;
}

void text_end(text_reader *reader)
{
    ck_assert_int_eq(mote_trajectory_next(&reader->trajectory), MOTE_TRAJECTORY_END);
    text_close(reader);
}

void text_good(mote_trajectory_format format, const char *text, size_t frames)
{
    for (size_t p = 0; p < PIECES; p++) {
        text_reader reader;
        text_open(&reader, format, text, strlen(text), pieces[p]);
        mote_trajectory *t = &reader.trajectory;
        for (size_t f = 0; f < frames; f++)
            ck_assert_msg(mote_trajectory_next(t) == MOTE_TRAJECTORY_FRAME, "%s", t->message);
        ck_assert_msg(mote_trajectory_next(t) == MOTE_TRAJECTORY_END, "%s", t->message);
        ck_assert_int_eq(mote_trajectory_next(t), MOTE_TRAJECTORY_END);
        ck_assert_uint_eq(t->lines.bytes, strlen(text));
        text_close(&reader);
    }
}

void text_bad(mote_trajectory_format format, const char *text, size_t frames, const char *message)
{
    for (size_t p = 0; p < PIECES; p++) {
        text_reader reader;
        text_open(&reader, format, text, strlen(text), pieces[p]);
        mote_trajectory *t = &reader.trajectory;
        for (size_t f = 0; f < frames; f++)
            ck_assert_msg(mote_trajectory_next(t) == MOTE_TRAJECTORY_FRAME, "%s", t->message);
        for (int again = 0; again < 2; again++) {
            ck_assert_int_eq(mote_trajectory_next(t), MOTE_TRAJECTORY_BAD);
            ck_assert_msg(strncmp(t->message, message, strlen(message)) == 0,
                          "found '%s', expected '%s'", t->message, message);
        }
        ck_assert_uint_eq(t->frames, frames);
        text_close(&reader);
    }
}
