/* SPDX-License-Identifier: Apache-2.0 */
/* One coordination number: what pairs count and how. */
#ifndef MOTE_TOOL_COORDINATION_CV_H
#define MOTE_TOOL_COORDINATION_CV_H

#include "groups.h"

typedef struct coordination_cv {
    char *label;
    mote_switch function; /* completed */
    coordination_group group_a, group_b;
    bool pair, no_pbc;
    size_t entries; /* of its lists; all atoms when there are none. Known with the first frame */
    size_t first;   /* entries of those before it */
} coordination_cv;

/* Words of a line of PLUMED's language, KEY=VALUE or FLAG, without the braces around a value. */
typedef struct coordination_words {
    char **word;
    size_t count;
    char where[200]; /* for messages, as "plumed.dat:7" or "--cv" */
    int code;        /* that ends the run when they are wrong */
} coordination_words;

/* Splits a text at blanks; TOOL_GO_ON or an exit code after a message. */
int words_split(coordination_words *words, const char *where, int code, const char *text);
void words_free(coordination_words *words);

/* The value of a key, or NULL. */
const char *words_value(const coordination_words *words, const char *key);
bool words_flag(const coordination_words *words, const char *flag);

/* Fails on words that are none of `keys` (ending with '=' where they have a value), or come twice.
 * The first word, the action's name, is passed over. */
int words_check(const coordination_words *words, const char *const *keys);

/* Takes "LABEL:" off the front, or LABEL= wherever it is; *label is the caller's, NULL = none. */
int words_label(coordination_words *words, char **label);

/* Finds the list that a name stands for, NULL for none; "@index.ndx:Water" is one, too. */
typedef const char *(*cv_lookup)(void *user, const char *name);

/* A coordination number from the words of an action of PLUMED. *taken: whether the action is one
 * (table in cv.c); if not, nothing is done. */
int cv_take(coordination_cv *cv, coordination_words *words, cv_lookup lookup, void *user,
            bool *taken);

void cv_free(coordination_cv *cv);

#endif
