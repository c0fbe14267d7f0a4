/* SPDX-License-Identifier: Apache-2.0 */
/* The number of entries per work-item of all pairs, on devices that report their vendor: few if
 * doubles or the numbers of a stretched function would not fit the registers. No kernel runs. */
#include "harness.h"

#include "coordination/all_pairs.h"
#include "core/quirks.h"

typedef struct device {
    const char *name;
    uint32_t quirks, units;
    size_t most, wave;
} device;

static const device devices[] = {
    {"NVIDIA", 0, 132, 1024, 32},
    {"CDNA", 0, 104, 1024, 64},
    {"CDNA, groups of 256", 0, 104, 256, 64},
    {"RDNA", 0, 40, 1024, 32},
    {"Intel, SIMD 32", MOTE_QUIRK_FEW_REGISTERS, 96, 1024, 32},
    {"Intel, SIMD 16", MOTE_QUIRK_FEW_REGISTERS, 24, 512, 16},
    {"Intel, SIMD 8", MOTE_QUIRK_FEW_REGISTERS, 24, 256, 8},
};

/* With up to 4096 rows each work-item gets one; the last size has enough work for any device. */
static const size_t entries[] = {500, 4096, 5000, 200000};
#define ENOUGH 200000

static void check_choice(const device *d, const char *way, const mote_all_pairs *all, size_t own)
{
    ck_assert_msg(all->own == own, "%s, %s of %u entries: %zu for a work-item, not %zu", d->name,
                  way, (unsigned)all->sums.params.n_a, all->own, own);
    ck_assert_msg(all->local <= d->most && all->local % (d->wave < 32 ? d->wave : 32) == 0,
                  "%s, %s: groups of %zu", d->name, way, all->local);
}

/* _i: a mote_precision of the plan. */
static void check_device(bed *b, const device *d, mote_precision precision, bool stretched)
{
    b->ctx->device.device_class = MOTE_DEVICE_GPU;
    b->ctx->device.compute_units = d->units;
    b->ctx->device.max_work_group = d->most;
    b->ctx->quirks = d->quirks;
    bool doubles = d->quirks && precision == MOTE_PRECISION_DOUBLE;
    bool few = doubles || (d->quirks && stretched);
    for (size_t k = 0; k < COUNT(entries); k++) {
        mote_coordination plan = {
            .precision = precision, .mode = MOTE_COORDINATION_SELF, .n_a = (uint32_t)entries[k]};
        plan.numbers.stretched = stretched;
        mote_call call = {.ctx = b->ctx};
        const mote_coordination_args args = {.frames = 1};
        mote_coordination_job job = {.args = &args,
                                     .call = &call,
                                     .plan = &plan,
                                     .precision = precision,
                                     .entries = entries[k]};
        mote_all_pairs rows = {.sums.params.n_a = plan.n_a}, tiles = rows;
        mote_all_pairs_rows.choose_shape(&job, &rows);
        check_choice(d, "rows", &rows, entries[k] <= 4096 || doubles ? 1 : few ? 2 : 4);
        mote_all_pairs_tiles.choose_shape(&job, &tiles);
        check_choice(d, "tiles", &tiles, few ? 2 : entries[k] == ENOUGH ? 4 : tiles.own);
    }
}

START_TEST(entries_of_items)
{
    static const mote_precision precisions[] = {MOTE_PRECISION_DOUBLE, MOTE_PRECISION_MIXED,
                                                MOTE_PRECISION_SINGLE};
    bed b;
    bed_open(&b, NULL);
    const mote_device_info info = b.ctx->device;
    const uint32_t quirks = b.ctx->quirks;
    for (size_t d = 0; d < COUNT(devices); d++)
        for (size_t p = 0; p < COUNT(precisions); p++)
            for (int stretched = 0; stretched < 2; stretched++)
                check_device(&b, &devices[d], precisions[p], stretched);
    b.ctx->device = info;
    b.ctx->quirks = quirks;
    bed_close(&b);
}
END_TEST

Suite *few_suite(void)
{
    Suite *suite = suite_create("few");
    tcase_add_test(suite_case(suite, "few", NULL), entries_of_items);
    return suite;
}
