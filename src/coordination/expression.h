/* SPDX-License-Identifier: Apache-2.0 */
/* Expressions in one variable as a list of steps, with their derivative. A step refers to earlier
 * steps as its arguments; equal steps are stored once. */
#ifndef MOTE_COORDINATION_EXPRESSION_H
#define MOTE_COORDINATION_EXPRESSION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MOTE_EXPRESSION_STEPS 256

/* What a step does. Each step from SQRT on has one argument. */
typedef enum mote_step_kind {
    MOTE_STEP_X,
    MOTE_STEP_NUMBER,
    MOTE_STEP_ADD,
    MOTE_STEP_SUB,
    MOTE_STEP_MUL,
    MOTE_STEP_DIV,
    MOTE_STEP_POW,
    MOTE_STEP_ATAN2,
    MOTE_STEP_MIN,
    MOTE_STEP_MAX,
    MOTE_STEP_SELECT, /* a is not 0 ? b : c */
    MOTE_STEP_SQRT,
    MOTE_STEP_EXP,
    MOTE_STEP_LOG,
    MOTE_STEP_SIN,
    MOTE_STEP_COS,
    MOTE_STEP_TAN,
    MOTE_STEP_ASIN,
    MOTE_STEP_ACOS,
    MOTE_STEP_ATAN,
    MOTE_STEP_SINH,
    MOTE_STEP_COSH,
    MOTE_STEP_TANH,
    MOTE_STEP_ASINH,
    MOTE_STEP_ACOSH,
    MOTE_STEP_ATANH,
    MOTE_STEP_ERF,
    MOTE_STEP_ERFC,
    MOTE_STEP_ABS,
    MOTE_STEP_FLOOR,
    MOTE_STEP_CEIL,
    MOTE_STEP_UNIT, /* a < 0 ? 0 : 1 */
    MOTE_STEP_KINDS
} mote_step_kind;

typedef struct mote_step {
    mote_step_kind kind;
    uint16_t a, b, c;
    double number;
} mote_step;

/* Step 0 is the variable. */
typedef struct mote_expression {
    mote_step steps[MOTE_EXPRESSION_STEPS];
    uint16_t count, value, slope;
    bool uses_x, uses_x2;
    bool squares; /* the variable is x2, and x is not used */
    bool full;    /* the expression needs more steps than there is room for */
} mote_expression;

/* The reason for which a text is not an expression, and the character of the error, from 0. */
typedef struct mote_expression_error {
    size_t at;
    char what[100];
} mote_expression_error;

/* Parses a text, ignoring blanks. With variables x is step 0 and x2 its square; a text
 * with x2 alone has x2 as step 0. The slope is not made. */
bool mote_expression_parse(const char *text, size_t length, bool variables, mote_expression *e,
                           mote_expression_error *error);

/* Converts an expression in x to one in x2, before its slope is computed; returns false unless x
 * occurs in even powers alone. Both are the same for x > 0. */
bool mote_expression_in_square(const mote_expression *e, mote_expression *square);

/* Adds the steps of the derivative with respect to step 0, then expands whole powers to products;
 * returns false if there is no room for them. */
bool mote_expression_derive(mote_expression *e);

/* The value and, unless slope is NULL, the slope, which is 0 if it is NaN and the value is not. */
double mote_expression_value(const mote_expression *e, double x, double *slope);

/* The value when every step is rounded to single precision. */
double mote_expression_narrow(const mote_expression *e, double x);

/* Adds a step and simplifies it: a step whose arguments are constants becomes a constant. */
uint16_t mote_expression_number(mote_expression *e, double number);
uint16_t mote_expression_add(mote_expression *e, mote_step_kind kind, uint16_t a, uint16_t b,
                             uint16_t c);
uint16_t mote_expression_power(mote_expression *e, uint16_t base, uint16_t exponent);
uint16_t mote_expression_divide(mote_expression *e, uint16_t a, uint16_t b);

/* Returns whether a step is a power with a whole exponent, and stores the exponent. */
bool mote_expression_is_whole_power(const mote_expression *e, const mote_step *step, int *exponent);
/* Expands whole powers to products; returns false if there is no room for them. derive() calls
 * it. */
bool mote_expression_expand(mote_expression *e);

/* Finds the steps, of MOTE_EXPRESSION_STEPS, that value and slope need. */
void mote_expression_find_needed(const mote_expression *e, bool *needed);

/* Writes the kernels' define CUSTOM: the needed steps, as calls of the macros of
 * cl/coordination/switch/custom.clh. Numbers are written as their bits. */
#define MOTE_EXPRESSION_TEXT (36 * MOTE_EXPRESSION_STEPS)
void mote_expression_print(const mote_expression *e, bool as_double, char *text, size_t size);

#endif
