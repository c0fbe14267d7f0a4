/* SPDX-License-Identifier: Apache-2.0 */
/* The description of an operation for tests: one file of testkit/operations/ says how to draw a
 * call and what it must give, and every kind of test loops over these descriptions.
 *
 * Terms: a call is drawn in two steps. choose() takes its decisions and allocates nothing, so that
 * a call of any size can be prepared without data; fill() then makes the inputs and the expected
 * outputs. Decisions about the kernels that a call needs are separate from all others, since
 * building kernels takes most of a test's time: trial_choose() makes them. */
#ifndef MOTE_TESTKIT_OPERATION_H
#define MOTE_TESTKIT_OPERATION_H

#include "testkit/fields.h"
#include "testkit/rng.h"
#include "testkit/trial.h"

#define TRIAL_ARGS_BYTES 1280 /* of the largest arguments, and more */
#define TRIAL_OWN_BYTES  1024
#define TRIAL_CHOICES    12
#define TRIAL_ANY        SIZE_MAX

/* The decisions about the kernels of a call. The first `fixed` of them are given. The others are
 * random, or, if `rng` is NULL, the lowest possible. If `whole` is not 0, only the first `whole`
 * decisions are combined in every way; the values of the others alternate from program to program.
 */
typedef struct trial_choices {
    size_t fixed, whole, turn;
    uint8_t value[TRIAL_CHOICES];
    mote_rng *rng;
    uint32_t higher[TRIAL_CHOICES]; /* what else each decision could have been */
    size_t used;
} trial_choices;

/* After a draw: changes the decisions to the next ones in order. False after the last. A loop that
 * begins with all zero so meets every program. */
bool trial_choices_next(trial_choices *choices);

/* An array of a call. A type of MOTE_TYPE_NONE: the call goes without it. */
typedef struct trial_array {
    mote_type type;
    size_t count; /* fill() may lower it */
    size_t room;  /* elements that fill() may use if that is more than `count` */
    size_t open;  /* elements at the end that may hold anything after the call */
    void *data;   /* an input, or an expected output, which is poisoned before fill() */
    void *before; /* the contents before the call, if the field is read and written */
} trial_array;

/* Where results are the same bits. */
typedef enum trial_promise { TRIAL_EVERYWHERE, TRIAL_WITH_FP64, TRIAL_ON_ONE_DEVICE } trial_promise;

struct trial_operation;

typedef struct trial_call {
    /* What the caller of trial_draw() sets. */
    const struct trial_operation *operation;
    mote_context *ctx;
    trial_choices *choices;
    uint64_t seed; /* of all other decisions */
    size_t size;   /* of its main dimension, TRIAL_ANY: random, often beside a border */
    size_t most;   /* the largest random size */
    size_t parts;  /* of a given size, the lists that have so many elements together; 0: random */
    const void *given;  /* inputs in place of random ones, as the operation's header says */
    unsigned char *got; /* receives the outputs, one behind the other, if the operation judges
                           them; NULL: not wanted */
    bool on_host;       /* for the function of plain arrays */
    bool gates; /* calls may wait for a user event, which PoCL's device `basic` can deadlock on */
    bool
        telling; /* draws contents in which an error shows: no NaN, not all 0 or equal, no faults */

    /* What choose() sets. The views of `args` stay empty. */
    mote_rng rng;
    union {
        max_align_t align;
        unsigned char bytes[TRIAL_ARGS_BYTES];
    } args;
    trial_array array[MOTE_FIELDS_MOST]; /* in the order of the operation's fields */
    union {
        max_align_t align;
        unsigned char bytes[TRIAL_OWN_BYTES];
    } own;         /* notes of the operation for fill() */
    uint32_t kind; /* of the contents */
    trial_promise promise;
    bool any_nan;    /* a NaN may have any sign and payload */
    bool loose;      /* operation->is_near() decides about elements with other bits */
    bool impossible; /* the device cannot run what was chosen */

    /* What fill() sets: the error that the call must report. */
    mote_status told;
    uint32_t told_index;
    bool told_any;    /* if there is an error, another may be reported, or none */
    bool unspecified; /* outputs may hold anything */

    /* What trial_draw() decides about the call itself. */
    const mote_fields *fields;
    size_t shift; /* elements between a well aligned place and each view */
    bool gated, workspace, again;
    bool in_place; /* an output is the very range of the first view, if one may be */
    bool spoilt;   /* fill() puts a fault into the inputs, if it can */
    bool silent;   /* without an error word */
} trial_call;

/* The first decisions about the kernels of a call; the others are the lowest possible. */
typedef struct trial_program {
    const char *name;
    trial_choices choices;
    bool variant; /* in `selftest`: another line checks most of the same code */
} trial_program;

typedef struct trial_operation {
    const char *name; /* in the arguments of test programs */
    const char *call; /* a row of testkit/fields.c */
    mote_operation number;
    size_t workspace_at; /* offset in the arguments; 0: it takes none */
    size_t error_at;     /* offset of `error`, before `error_offset`; 0: it has no error word */
    void (*init)(void *args);
    void (*choose)(trial_call *c);
    /* Memory for all arrays is there. False, with a sentence, if the expected results are doubtful
     * or memory ran out. */
    bool (*fill)(trial_call *c, char *message, size_t size);
    mote_status (*enqueue)(mote_context *ctx, cl_command_queue queue, const void *args,
                           cl_uint num_wait, const cl_event *wait, cl_event *event);
    mote_status (*workspace_size)(mote_context *ctx, const void *args, size_t *bytes);
    mote_status (*run_host)(const trial_call *c, mote_host *host, void *const *arrays);
    /* Whether element `at` of the output of a loose call is as close as is promised. */
    bool (*is_near)(const void *call, size_t at, const void *got, const void *expected);
    /* Compares outputs of which more than single elements decides, and the error that the call
     * reported, in place of the comparison with the expected outputs, which are what outputs hold
     * before the call. False with a sentence. NULL: elements are compared. */
    bool (*judge)(const trial_call *c, mote_status told, uint32_t index, const void *const *arrays,
                  char *message, size_t size);
    /* Puts an object of c->ctx, such as a plan, into the arguments, and releases it. NULL: there is
     * none. */
    mote_status (*open)(const trial_call *c, void *args);
    void (*close)(const trial_call *c, void *args);
    void (*drop)(trial_call *c); /* frees what fill() left in `own`; NULL: nothing */
    const size_t *borders;       /* sizes at which another path is taken, ended by 0 */
    size_t whole;                /* decisions that are combined in each way where every program is
                                    tried; the others take turns. 0: all */
    const char *const *tunes;    /* texts for MOTE_TUNE that select each variant, ended by NULL; the
                                    first two are the forms */
    const trial_program *programs; /* the most used first, ended by a NULL name */
    const trial_program *selftest; /* the lines of an operation on lists in `mote selftest`, ended
                                      by a NULL name; tool/selftest/ has the lines of other areas */
    uint32_t weight;               /* its share of the random calls of its area; 0 means 1 */
} trial_operation;

/* All of them, ended by NULL. */
extern const trial_operation *const trial_operations[];
#define TRIAL(name, area, cases)        extern const trial_operation trial_##name;
#define COSTLY_TRIAL(name, area, cases) TRIAL(name, area, cases)
#include "testkit/operations.inc"
#undef TRIAL
#undef COSTLY_TRIAL

/* Returns the operation that follows `at` among those of an area. If `at` is NULL, returns the
 * first one. After the last one, returns NULL. */
const trial_operation *trial_next(const char *area, const trial_operation *at);

/* Define the functions of an operation from those of the library. */
#define TRIAL_FUNCTIONS(name, function, type)                                                      \
    static void init_##name(void *args)                                                            \
    {                                                                                              \
        type##_init(args);                                                                         \
    }                                                                                              \
    static mote_status enqueue_##name(mote_context *ctx, cl_command_queue queue, const void *args, \
                                      cl_uint num_wait, const cl_event *wait, cl_event *event)     \
    {                                                                                              \
        return function(ctx, queue, args, num_wait, wait, event);                                  \
    }

#define TRIAL_WORKSPACE_SIZE(name, function)                                                       \
    static mote_status workspace_size_##name(mote_context *ctx, const void *args, size_t *bytes)   \
    {                                                                                              \
        return function(ctx, args, bytes);                                                         \
    }

/* The members of a description that follow from its name and from the library's function. */
#define TRIAL_OPERATION(title, function, type, operation)                                          \
    .name = #title, .call = #function, .number = operation, .error_at = offsetof(type, error),     \
    .init = init_##title, .choose = choose_##title, .fill = fill_##title,                          \
    .enqueue = enqueue_##title
#define TRIAL_WORKSPACE(title, type)                                                               \
    .workspace_at = offsetof(type, workspace), .workspace_size = workspace_size_##title

/* Defines a row of `programs` or of `selftest`: its name and the first decisions of its calls. */
#define TRIAL_ROW(title, is_variant, ...)                                                          \
    {                                                                                              \
        .name = title, .variant = is_variant, .choices = {                                         \
            .fixed = sizeof((uint8_t[]){__VA_ARGS__}),                                             \
            .value = {__VA_ARGS__}                                                                 \
        }                                                                                          \
    }
#define TRIAL_PROGRAM(name, ...) TRIAL_ROW(name, false, __VA_ARGS__)
#define TRIAL_VARIANT(name, ...) TRIAL_ROW(name, true, __VA_ARGS__)
#define TRIAL_END                                                                                  \
    {                                                                                              \
        .name = NULL                                                                               \
    }

/* One of the bits of a set. If it is given and not in the set, the call is impossible. */
unsigned trial_choose(trial_call *c, uint32_t set);

/* A random size: of any magnitude up to 2^20, or near a border. */
size_t trial_draw_size(mote_rng *rng, const size_t *borders);

/* The size of a call, if it is given, else a random one up to `most`. */
size_t trial_size(trial_call *c);

/* Draws a call without its data, from what its caller has set. False if the device cannot run it.
 */
bool trial_draw(trial_call *c);

/* Allocates and makes the data. False with a sentence. trial_drop() frees it. */
bool trial_fill(trial_call *c, char *message, size_t size);
void trial_drop(trial_call *c);

/* Runs a call and compares; several threads may run the same one. The queue is that of device
 * buffers, `host` that of plain arrays (NULL: a temporary one). False with a sentence. */
bool trial_run(const trial_call *c, cl_command_queue queue, mote_host *host, char *message,
               size_t size);

/* Draws, fills, runs and drops a call. What the device cannot run counts as good. */
bool trial_try(trial_call *c, cl_command_queue queue, mote_host *host, char *message, size_t size);

/* The arguments with views that have no memory, for mote_prepare(). The caller calls close(), if
 * the operation has one. */
mote_status trial_args(const trial_call *c, void *args);

#endif
