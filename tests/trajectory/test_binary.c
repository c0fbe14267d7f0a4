/* SPDX-License-Identifier: Apache-2.0 */
/* XTC, TRR and DCD: readers return what was written, and report errors with frame and byte. */
#include "binary.h"
#include "text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define XTC MOTE_TRAJECTORY_XTC
#define TRR MOTE_TRAJECTORY_TRR
#define DCD MOTE_TRAJECTORY_DCD

static mote_rng rng;

static void seed(void)
{
    uint64_t number = (uint64_t)time(NULL);
    printf("# seed %llu\n", (unsigned long long)number);
    mote_rng_seed(&rng, number);
}

/* ---- XTC ------------------------------------------------------------------------------------- */

/* Makes atoms of molecules, which are near each other, and far from the next molecules. */
static void scatter(int32_t *p, size_t n, uint32_t reach, uint32_t near)
{
    for (size_t i = 0; i < 3 * n; i++)
        p[i] = i >= 3 && mote_rng_below(&rng, 4)
                   ? (int32_t)((int64_t)p[i - 3] + mote_rng_between(&rng, -(int64_t)near, near))
                   : (int32_t)mote_rng_between(&rng, -(int64_t)reach, reach);
}

static void check_xtc(size_t n, uint32_t reach, uint32_t near, size_t piece)
{
    enum { FRAMES = 3 };
    const float precision = 1000.0f;
    int32_t *p = malloc(FRAMES * (3 * n + 1) * sizeof(*p));
    binary file = {0};
    for (size_t f = 0; f < FRAMES; f++) {
        const float box[9] = {3, 0, 0, 0, 4, 0, 0, 0, 5.5f};
        scatter(p + 3 * n * f, n, reach, near);
        binary_xtc(&file, &rng, n, p + 3 * n * f, precision, 0.5f * (float)f, f ? box : NULL);
    }
    text_reader reader;
    text_open_binary(&reader, XTC, &file, piece);
    for (size_t f = 0; f < FRAMES; f++) {
        const double *found = text_next(&reader, n);
        const mote_trajectory_frame *frame = &reader.trajectory.frame;
        for (size_t i = 0; i < 3 * n; i++)
            ck_assert_msg(found[i] == (double)((float)p[3 * n * f + i] * (1.0f / precision)),
                          "%zu atoms, frame %zu, number %zu: %.9g, not %d", n, f, i, found[i],
                          p[3 * n * f + i]);
        ck_assert(frame->has_time && frame->time == 0.5 * (double)f);
        ck_assert_int_eq(frame->pbc, f ? MOTE_PBC_ORTHORHOMBIC : MOTE_PBC_NONE);
        ck_assert(!f || frame->box[8] == 5.5);
    }
    text_end(&reader);
    free(file.bytes);
    free(p);
}

START_TEST(xtc_random)
{
    static const size_t counts[] = {0, 1, 9, 10, 11, 100, 3000};
    static const uint32_t reaches[] = {0, 5, 4000, 16000000, 1000000000};
    seed();
    for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++)
        for (size_t k = 0; k < sizeof(reaches) / sizeof(reaches[0]); k++)
            for (uint32_t near = 1; near < 100000; near *= 30)
                check_xtc(counts[i], reaches[k], near, k % 2 ? 0 : 7);
}
END_TEST

/* After skipped frames, the next ones are read correctly. */
START_TEST(xtc_skipped)
{
    enum { N = 50 };
    int32_t p[4][3 * N];
    binary file = {0};
    seed();
    for (int f = 0; f < 4; f++) {
        scatter(p[f], N, 3000, 20);
        binary_xtc(&file, &rng, N, p[f], 100.0f, (float)f, NULL);
    }
    text_reader reader;
    text_open_binary(&reader, XTC, &file, 0);
    for (int f = 0; f < 4; f++) {
        reader.trajectory.skip = f % 2 == 0;
        const double *found = text_next(&reader, N);
        ck_assert(f % 2 == 0 || found[5] == (double)((float)p[f][5] * (1.0f / 100.0f)));
    }
    text_end(&reader);
    free(file.bytes);
}
END_TEST

/* ---- TRR ------------------------------------------------------------------------------------- */

START_TEST(trr)
{
    enum { N = 20 };
    double p[3 * N];
    const double box[9] = {2, 0, 0, 0.5, 3, 0, 0, 0, 4};
    for (int i = 0; i < 3 * N; i++)
        p[i] = 0.1 * i - 1.0;
    for (int wide = 0; wide < 2; wide++) {
        const binary_trr_frame frames[] = {
            {.n = N, .wide = wide, .time = 1.5, .box = box, .positions = p},
            {.n = N, .wide = wide, .time = 2, .velocities = p, .box = box},
            {.n = N, .wide = wide, .time = 2.5, .positions = p, .velocities = p},
            {.n = N, .wide = wide, .time = 3, .velocities = p}};
        binary file = {0};
        for (int f = 0; f < 4; f++)
            binary_trr(&file, &frames[f]);
        text_reader reader;
        text_open_binary(&reader, TRR, &file, wide ? 5 : 0);
        for (int f = 0; f < 4; f += 2) {
            const double *found = text_next(&reader, N);
            for (int i = 0; i < 3 * N; i++)
                ck_assert(found[i] == (wide ? p[i] : (double)(float)p[i]));
            ck_assert(reader.trajectory.frame.time == frames[f].time);
            ck_assert_int_eq(reader.trajectory.frame.pbc, f ? MOTE_PBC_NONE : MOTE_PBC_TRICLINIC);
        }
        text_end(&reader);
        free(file.bytes);
    }
}
END_TEST

/* ---- what is wrong --------------------------------------------------------------------------- */

static bool wide_lengths; /* DCD's record markers have 8 bytes */

/* Three small files, each with consecutive frames. */
static void make(mote_trajectory_format format, binary *file)
{
    enum { N = 12 };
    int32_t whole[3 * N];
    double wide[3 * N];
    float single[3 * N];
    const double cell[6] = {3, 90, 4, 90, 90, 5};
    const binary_dcd_head head = {
        .n = N, .n_free = N, .charmm = true, .cell = true, .every = 1, .delta = 1.0f};
    const binary_trr_frame frame = {.n = N, .positions = wide, .box = cell};
    const double box[9] = {3, 0, 0, 0, 4, 0, 0, 0, 5};
    for (int i = 0; i < 3 * N; i++) {
        whole[i] = 10 * i;
        wide[i] = i;
        single[i] = (float)i;
    }
    binary_trr_frame boxed = frame;
    boxed.box = box;
    *file = (binary){.wide = wide_lengths};
    if (format == DCD)
        binary_dcd(file, &head);
    for (int f = 0; f < 2; f++) {
        if (format == XTC)
            binary_xtc(file, &rng, N, whole, 1000.0f, 1.0f, NULL);
        else if (format == TRR)
            binary_trr(file, &boxed);
        else
            binary_dcd_frame(file, &head, f == 0, cell, single);
    }
}

/* Reads to the end; returns the message of a bad file, or "". */
static size_t frames_of(mote_trajectory_format format, const binary *file, char message[1024])
{
    text_reader reader;
    mote_trajectory_status status;
    text_open_binary(&reader, format, file, 0);
    while ((status = mote_trajectory_next(&reader.trajectory)) == MOTE_TRAJECTORY_FRAME)
        continue;
    strcpy(message, status == MOTE_TRAJECTORY_BAD ? reader.trajectory.message : "");
    size_t frames = reader.trajectory.frames;
    text_close(&reader);
    return frames;
}

START_TEST(truncated)
{
    char message[1024];
    seed();
    for (int k = XTC; k <= DCD + 1; k++) {
        int format = k > DCD ? DCD : k;
        wide_lengths = k > DCD;
        binary file;
        make((mote_trajectory_format)format, &file);
        size_t whole = file.count, good = 0;
        for (file.count = 0; file.count < whole; file.count++) {
            size_t frames = frames_of((mote_trajectory_format)format, &file, message);
            size_t place = 0;
            good += !*message;
            ck_assert_uint_le(frames, 1);
            ck_assert_msg(
                !*message || (sscanf(message, "t: byte %zu: ", &place) == 1 && place <= file.count),
                "%zu bytes: %s", file.count, message);
        }
        ck_assert_uint_eq(good, 1); /* end of the first frame */
        ck_assert_uint_eq(frames_of((mote_trajectory_format)format, &file, message), 2);
        free(file.bytes);
    }
}
END_TEST

/* With any bytes wrong, the result is an error or other numbers, but all of them are finite. */
START_TEST(damaged)
{
    char message[1024];
    seed();
    for (int round = 0; round < 3000; round++) {
        mote_trajectory_format format = (mote_trajectory_format)(XTC + round % 3);
        wide_lengths = round % 2;
        binary file;
        make(format, &file);
        for (uint32_t k = mote_rng_below(&rng, 4) + 1; k > 0; k--)
            file.bytes[mote_rng_below(&rng, (uint32_t)file.count)] ^=
                (unsigned char)(1u << mote_rng_below(&rng, 8));
        frames_of(format, &file, message);
        free(file.bytes);
    }
}
END_TEST

/* Writes a word over a valid file and expects this result. */
static void expect_fault(mote_trajectory_format format, size_t place, uint32_t word,
                         const char *sentence)
{
    char message[1024];
    binary file;
    make(format, &file);
    size_t count = file.count;
    file.count = place;
    file.big = format != DCD;
    binary_word(&file, word);
    file.count = count;
    frames_of(format, &file, message);
    ck_assert_msg(strstr(message, sentence), "'%s' is not in '%s'", sentence, message);
    free(file.bytes);
}

START_TEST(faults)
{
    wide_lengths = false;
    seed();
    expect_fault(XTC, 0, 7, "t: byte 0: frame 0 begins with 7, not with 1995: this is no XTC file");
    expect_fault(XTC, 0, 2023, "gmx trjconv");
    expect_fault(XTC, 4, 0x80000000u, "2147483648 atoms in its head, but 12 positions");
    expect_fault(XTC, 56, 0xc0000000u, "the precision is -2; it must be above 0");
    expect_fault(XTC, 60, 0x7fffffff, "the range of the packed positions is empty");
    expect_fault(XTC, 84, 3, "the size of steps between packed positions is out of range");
    expect_fault(XTC, 84, 73, "the size of steps between packed positions is out of range");
    expect_fault(XTC, 88, 0xffffffffu, "4294967295 bytes of packed positions are too many");
    expect_fault(XTC, 88, 0x7ffffff0, "the file ends inside frame 0; a block of packed positions");
    expect_fault(XTC, 88, 1, "1 bytes cannot hold the positions of 12 atoms");
    expect_fault(TRR, 0, 1995, "frame 0 begins with 1995, not with 1993: this is no TRR file");
    expect_fault(TRR, 12, 0, "\"GMX_trn_file\" was expected");
    expect_fault(TRR, 24, 1, "the sizes in its head do not fit each other");
    expect_fault(TRR, 64, 13, "the sizes in its head do not fit each other");
    expect_fault(DCD, 0, 83, "this is no DCD file");
    expect_fault(DCD, 88, 83, "ends with another length");
    expect_fault(DCD, 92, 5, "the title, a record of 5 bytes, ends with another length");
    expect_fault(DCD, 92, 0xffffffffu, "the title is a record of 4294967295 bytes, but at");
    expect_fault(DCD, 260, 13, "the title, a record of 164 bytes, ends with another length");
}
END_TEST

/* The list of moving atoms names each atom of the file at most once, in any order. */
START_TEST(moving_atoms)
{
    static const struct {
        uint32_t atoms[3];
        const char *sentence;
    } lists[] = {
        {{2, 3, 5}, NULL},
        {{5, 1, 3}, NULL},
        {{4, 4, 5}, "atom 4 is twice in the list of the 3 atoms that move"},
        {{5, 1, 5}, "atom 5 is twice in the list"},
        {{0, 1, 2}, "atom 0 is in the list of the atoms that move, but the atoms are 1 to 5"},
        {{1, 6, 2}, "atom 6 is in the list"},
        {{1, 2, 0xffffffffu}, "atom -1 is in the list"}};
    static const float positions[15] = {0};
    for (size_t i = 0; i < 2 * (sizeof(lists) / sizeof(lists[0])); i++) {
        const binary_dcd_head head = {.n = 5, .n_free = 3, .charmm = true};
        const uint32_t *atoms = lists[i / 2].atoms;
        binary file = {.big = i % 2};
        text_reader reader;
        binary_dcd(&file, &head);
        file.count -= 16;
        for (int k = 0; k < 3; k++)
            binary_word(&file, atoms[k]);
        binary_word(&file, 12);
        for (int f = 0; f < 2; f++)
            binary_dcd_frame(&file, &head, f == 0, NULL, positions);
        text_open_binary(&reader, DCD, &file, 0);
        if (lists[i / 2].sentence) {
            const char *message = reader.trajectory.message;
            ck_assert_int_eq(mote_trajectory_next(&reader.trajectory), MOTE_TRAJECTORY_BAD);
            ck_assert_msg(strstr(message, lists[i / 2].sentence), "%s", message);
            text_close(&reader);
        } else {
            text_next(&reader, 5);
            text_next(&reader, 5);
            text_end(&reader);
        }
        free(file.bytes);
    }
}
END_TEST

START_TEST(recognised)
{
    static const struct {
        const char *text;
        mote_trajectory_format format;
    } texts[] = {{"3\n\nA 1 2 3\n", MOTE_TRAJECTORY_XYZ},
                 {"", MOTE_TRAJECTORY_XYZ},
                 {"title\n  12 \n", MOTE_TRAJECTORY_GRO},
                 {"\n3\r\nA", MOTE_TRAJECTORY_GRO},
                 {" 3 \r\ncomment\n", MOTE_TRAJECTORY_XYZ},
                 {"a\nb\n3\n", MOTE_TRAJECTORY_XYZ},
                 {"1 2\n4\n", MOTE_TRAJECTORY_GRO},
                 {"TITLE of GRO\n4\n", MOTE_TRAJECTORY_GRO},
                 {"TITLE of PDB\nREMARK 4\n", MOTE_TRAJECTORY_PDB},
                 {"ATOM      1  CA\nATOM\n", MOTE_TRAJECTORY_PDB},
                 {"ITEM: TIMESTEP\n0\n", MOTE_TRAJECTORY_LAMMPS},
                 {"\xef\xbb\xbf"
                  "3\n12\n",
                  MOTE_TRAJECTORY_XYZ},
                 {"\xef\xbb\xbf"
                  "a\n12\n",
                  MOTE_TRAJECTORY_GRO}};
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
        ck_assert_msg(mote_trajectory_recognise((const unsigned char *)texts[i].text,
                                                strlen(texts[i].text)) == texts[i].format,
                      "%s", texts[i].text);
    seed();
    for (int k = XTC; k <= DCD + 1; k++) {
        int format = k > DCD ? DCD : k;
        binary file;
        wide_lengths = k > DCD;
        make((mote_trajectory_format)format, &file);
        ck_assert_int_eq(mote_trajectory_recognise(file.bytes, file.count), format);
        free(file.bytes);
    }
    ck_assert_str_eq(mote_trajectory_format_name(DCD), "dcd");
    ck_assert_ptr_null(mote_trajectory_format_name(MOTE_TRAJECTORY_FORMATS));
}
END_TEST

static const suite_test tests[] = {SUITE_TEST(xtc_random),   SUITE_TEST(xtc_skipped),
                                   SUITE_TEST(trr),          SUITE_TEST(truncated),
                                   SUITE_TEST(damaged),      SUITE_TEST(faults),
                                   SUITE_TEST(moving_atoms), SUITE_TEST(recognised)};
SUITE_MAIN("binary", tests)
