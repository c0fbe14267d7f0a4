/* SPDX-License-Identifier: Apache-2.0 */
/* One coordination number: its pairs and its function. */
#ifndef MOTE_TOOL_COORDINATION_CV_H
#define MOTE_TOOL_COORDINATION_CV_H

#include "component.h"
#include "groups.h"

/* Order parameters in place of coordination numbers. */
typedef struct coordination_order {
    uint32_t l; /* degree; 0: coordination numbers */
    bool local; /* averages over neighbours */
    mote_switch local_function;
} coordination_order;

typedef struct coordination_cv {
    char *label;
    mote_switch function; /* completed */
    coordination_group group_a, group_b;
    bool pair, no_pbc;
    coordination_order order;
    component_list functions; /* the functions of single atoms' numbers, if there are any; used
                                 during reading only */
    coordination_component component; /* its function of single atoms' numbers */
    size_t behind; /* it shares lists and single atoms' numbers with the number this many places
                      before it, and has no lists of its own; 0 = none */
    /* Entries of its lists; all atoms if there are none. Known with the first frame. */
    size_t entries;
    size_t first; /* entries of the numbers before it */
} coordination_cv;

/* The number that has its lists. */
static inline const coordination_cv *cv_lists(const coordination_cv *cv)
{
    return cv - cv->behind;
}

/* Returns the number of atoms whose numbers its function uses: with two lists, those of the
 * first. */
static inline size_t cv_atoms(const coordination_cv *cv)
{
    return cv->entries - cv_lists(cv)->group_b.count;
}

/* Returns the length of the label of its action: "n" of "n.mean". */
size_t cv_label_length(const coordination_cv *cv);

/* Words of a line in PLUMED's syntax, KEY=VALUE or FLAG, without the braces around a value. */
typedef struct coordination_words {
    char **word;
    size_t count;
    char where[200]; /* for messages, as "plumed.dat:7" or "--cv" */
    int code;        /* exit code for an error in them */
} coordination_words;

/* Splits a text at blanks; returns TOOL_GO_ON, or prints a message and returns an exit code. */
int words_split(coordination_words *words, const char *where, int code, const char *text);
void words_free(coordination_words *words);

/* Returns the value of a key, or NULL. */
const char *words_value(const coordination_words *words, const char *key);
bool words_flag(const coordination_words *words, const char *flag);

/* Returns the value of KEY1=, KEY2=, ..., or NULL. */
const char *words_numbered(const coordination_words *words, const char *key, unsigned number);

/* Fails on words that are none of `keys` (ending with '=' where they have a value, with '#=' where
 * the key may have a number from 1), or come twice.
 * The first word, the action's name, is skipped. */
int words_check(const coordination_words *words, const char *const *keys);

/* Removes "LABEL:" from the front, or LABEL= anywhere; *label belongs to the caller, NULL =
 * none. */
int words_label(coordination_words *words, char **label);

/* A GROUP line, which gives a list of atoms a label. Its lists can name earlier lines only, so
 * lines cannot refer to each other in a cycle. */
typedef struct coordination_group_line {
    char *label, *list; /* `list`: atoms and labels, or "@index.ndx:Water" */
    char *remove;       /* atoms and labels; NULL = nothing */
    bool sort, unique;
    struct coordination_group_line *before; /* the GROUP line before it; NULL = none */
    size_t n_lines;                         /* lines read for this list, repetitions included */
} coordination_group_line;

/* Returns the line among `last` and those before it whose label is a word, or NULL. A number is not
 * a label. */
const coordination_group_line *cv_find_line(const coordination_group_line *last, const char *word,
                                            size_t length);

/* The number of GROUP lines that are read for a list, which may be NULL; fails if there are too
 * many.
 */
size_t cv_count_lines(const coordination_group_line *last, const char *list);
int cv_check_lines(const coordination_words *words, size_t n_lines);

/* A coordination number, or functions of them, from the words of an action of PLUMED. Its lists may
 * name *last and the GROUP lines before it; `last` NULL: there are no such lines. *taken: whether
 * the action is supported (table in cv.c); if not, nothing is done. */
int cv_take(coordination_cv *cv, coordination_words *words, coordination_group_line *const *last,
            bool *taken);

void cv_free(coordination_cv *cv);

#endif
