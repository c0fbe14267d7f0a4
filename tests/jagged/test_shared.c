/* SPDX-License-Identifier: Apache-2.0 */
/* All verification cases of the shared folder. */
#include "common/suite.h"
#include "shared.h"

#include <dirent.h>
#include <stdio.h>

static const struct {
    const char *op;
    void (*run)(const shared_case *c);
} ops[] = {
    {"parents", shared_parents},
    {"parents_abs", shared_parents},
    {"parents_startsstops", shared_parents},
    {"parents_invalid", shared_parents_invalid},
    {"parents_startsstops_invalid", shared_parents_invalid},
    {"localindex", shared_local_index},
    {"counts", shared_counts},
    {"offsets_from_counts", shared_offsets_from_counts},
    {"offsets_from_parents", shared_offsets_from_parents},
    {"segreduce", shared_reduce},
    {"segreduce_nan", shared_reduce_nan},
    {"sum1d", shared_sum},
    {"sumnd", shared_sum},
};

#define N_OPS (sizeof(ops) / sizeof(ops[0]))

static const char *const forms[] = {"jagged.form=cpu,reduce.form=cpu",
                                    "jagged.form=gpu,reduce.form=gpu"};

/* NULL if there is no such file; a damaged one fails the test. */
static mote_json *read_json(const char *path)
{
    static char text[65536];
    FILE *file = fopen(path, "rb");

    if (!file)
        return NULL;
    size_t got = fread(text, 1, sizeof(text) - 1, file);

    fclose(file);
    ck_assert_uint_lt(got, sizeof(text) - 1);
    text[got] = '\0';
    mote_json *json = mote_json_read(text);

    ck_assert_msg(json != NULL, "%s is no JSON", path);
    return json;
}

/* Returns true if the case was run; otherwise prints the reason. */
static bool run_op(shared_case *c)
{
    char op[64] = "";

    shared_text(c, "", "op", op, sizeof(op));
    for (size_t i = 0; i < N_OPS; i++)
        if (strcmp(op, ops[i].op) == 0) {
            c->queue = c->b->in_order;
            ops[i].run(c);
            c->queue = c->b->any_order;
            ops[i].run(c);
            return true;
        }
    printf("# %s: skipped, the operation '%s' is not known\n", c->name, op);
    return false;
}

static bool run_case(bed *b, const char *name)
{
    char path[512], full[4096];
    shared_case c = {.b = b};

    snprintf(c.name, sizeof(c.name), "%s", name);
    snprintf(path, sizeof(path), "cases/jagged/%s/case.json", c.name);
    shared_path(path, full, sizeof(full));
    c.json = read_json(full);
    if (!c.json)
        printf("# %s: skipped, it has no case.json\n", name);
    bool ran = c.json && run_op(&c);

    mote_json_free(c.json);
    return ran;
}

START_TEST(all)
{
    char folder[4096];
    struct dirent **entries = NULL;
    unsigned ran = 0, skipped = 0;
    bed b;

    if (!shared_path("cases/jagged", folder, sizeof(folder))) {
        printf("# skipped: MOTE_SHARED names no folder\n");
        return;
    }
    int count = scandir(folder, &entries, NULL, alphasort);

    ck_assert_msg(count > 0, "%s cannot be read", folder);
    bed_open(&b, forms[_i]);
    for (int i = 0; i < count; i++) {
        if (entries[i]->d_name[0] != '.') {
            if (run_case(&b, entries[i]->d_name))
                ran++;
            else
                skipped++;
        }
        free(entries[i]);
    }
    free(entries);
    bed_close(&b);
    printf("# %s: %u cases ran, %u skipped (%s)\n", folder, ran, skipped, forms[_i]);
    ck_assert_uint_gt(ran, 0);
}
END_TEST

Suite *shared_suite(void)
{
    Suite *suite = suite_create("shared");
    TCase *t = suite_case(suite, "shared", SUITE_THOROUGH);

    tcase_add_loop_test(t, all, 0, sizeof(forms) / sizeof(forms[0]));
    return suite;
}
