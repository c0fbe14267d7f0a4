/* SPDX-License-Identifier: Apache-2.0 */
/* The description of an operation for tests: one file of testkit/operations/ describes how to draw
 * a call and its expected results, and every kind of test loops over these descriptions.
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

#define TRIAL_ARGS_BYTES 2048 /* of the largest arguments, and more */
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
    uint32_t higher[TRIAL_CHOICES]; /* the other possible values of each decision */
    size_t used;
} trial_choices;

/* After a draw: changes the decisions to the next combination. Returns false after the last one. A
 * loop that begins with all decisions 0 therefore visits every program. */
bool trial_choices_next(trial_choices *choices);

/* An array of a call. A type of MOTE_TYPE_NONE: the call has no such array. */
typedef struct trial_array {
    mote_type type;
    size_t count; /* fill() may lower it */
    size_t room;  /* elements that fill() may use if that is more than `count` */
    size_t open;  /* elements at the end whose contents after the call are unspecified */
    void *data;   /* an input, or an expected output, which is poisoned before fill() */
    void *before; /* the contents before the call, if the field is read and written */
} trial_array;

/* The devices on which results have the same bits. */
typedef enum trial_promise { TRIAL_EVERYWHERE, TRIAL_WITH_FP64, TRIAL_ON_ONE_DEVICE } trial_promise;

struct trial_operation;

typedef struct trial_call {
    /* Members that the caller of trial_draw() sets. */
    const struct trial_operation *operation;
    mote_context *ctx;
    trial_choices *choices;
    uint64_t seed;     /* seed of all other decisions */
    size_t size;       /* size of its main dimension; TRIAL_ANY: random, often near a border */
    size_t most;       /* the largest random size */
    size_t parts;      /* for a given size, the number of lists that contain this number of elements
                          together; 0: random */
    const void *given; /* inputs that replace random ones, as the operation's header describes */
    unsigned char *got; /* receives the outputs, one after the other, if the operation judges them;
                           NULL: not wanted */
    bool on_host;       /* for the function of plain arrays */
    bool gates;   /* calls may wait for a user event, which PoCL's device `basic` can deadlock on */
    bool telling; /* draws contents that reveal errors: no NaN, not all 0 or equal, no faults */

    /* What choose() sets. The views of `args` stay empty. */
    mote_rng rng;
    union {
        max_align_t align;
        unsigned char bytes[TRIAL_ARGS_BYTES];
    } args;
    trial_array array[MOTE_FIELDS_MOST]; /* one for each field, in their order */
    union {
        max_align_t align;
        unsigned char bytes[TRIAL_OWN_BYTES];
    } own;         /* data of the operation for fill() */
    uint32_t kind; /* of the contents */
    trial_promise promise;
    bool any_nan;    /* a NaN may have any sign and payload */
    bool loose;      /* operation->is_near() decides whether elements with different bits agree */
    bool impossible; /* the device cannot run the chosen call */

    /* Set by fill(): the error that the call must report. */
    mote_status told;
    uint32_t told_index;
    bool told_any;    /* if there is an error, another may be reported, or none */
    bool unspecified; /* outputs are unspecified */

    /* Decisions of trial_draw() about the call itself. */
    const mote_fields *fields;
    size_t shift; /* elements between an aligned address and each view */
    bool gated, workspace, again;
    bool in_place; /* an output is the same range as the first view, if that is allowed */
    bool spoilt;   /* fill() puts a fault into the inputs, if it can */
    bool silent;   /* there is no error word */
} trial_call;

/* The first decisions about the kernels of a call; the others are the lowest possible. */
typedef struct trial_program {
    const char *name;
    trial_choices choices;
    bool variant; /* in `selftest`: another line checks most of the same code */
} trial_program;

typedef struct trial_operation {
    const char *name; /* name in the arguments of test programs */
    const char *call; /* a row of testkit/fields.c */
    mote_operation number;
    size_t workspace_at; /* offset in the arguments; 0: there is none */
    /* Offset of `error`, which precedes `error_offset`; 0: there is no error word. */
    size_t error_at;
    void (*init)(void *args);
    void (*choose)(trial_call *c);
    /* Fills the arrays, whose memory is allocated. Returns false, with a sentence, if the expected
     * results are doubtful or memory ran out. */
    bool (*fill)(trial_call *c, char *message, size_t size);
    mote_status (*enqueue)(mote_context *ctx, cl_command_queue queue, const void *args,
                           cl_uint num_wait, const cl_event *wait, cl_event *event);
    mote_status (*workspace_size)(mote_context *ctx, const void *args, size_t *bytes);
    mote_status (*run_host)(const trial_call *c, mote_host *host, void *const *arrays);
    /* Returns whether element `at` of the output of a loose call is as close as promised. */
    bool (*is_near)(const void *call, size_t at, const void *got, const void *expected);
    /* Compares outputs that cannot be compared element by element, and the reported error, instead
     * of the comparison with the expected outputs, which are the contents of outputs before the
     * call. False with a sentence. NULL: elements are compared. */
    bool (*judge)(const trial_call *c, mote_status told, uint32_t index, const void *const *arrays,
                  char *message, size_t size);
    /* Puts an object of c->ctx, such as a plan, into the arguments, and releases it. NULL: there is
     * none. */
    mote_status (*open)(const trial_call *c, void *args);
    void (*close)(const trial_call *c, void *args);
    void (*drop)(trial_call *c); /* frees the data of fill() in `own`; NULL: nothing */
    const size_t *borders;       /* sizes at which another variant is used, ended by 0 */
    size_t whole; /* number of decisions of which all combinations are tried when every program is
                     tried; the values of the others alternate 0: all */
    const char *const *tunes; /* texts for MOTE_TUNE that select each variant, ended by NULL; the
                                 first two are the forms */
    const trial_program *programs; /* the most used first, ended by a NULL name */
    const trial_program *selftest; /* its lines in `mote selftest`, ended by a NULL name; NULL: one
                                      line, with the first of `programs` */
    bool many_calls; /* it makes many OpenCL calls, so that tests in which each of them fails use
                        little data */
    uint32_t weight; /* its share of the random calls of its area; 0 means 1 */
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

/* Defines the functions of an operation from those of the library. */
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

/* Chooses one of the bits of a set. If a given bit is not in the set, the call is impossible. */
unsigned trial_choose(trial_call *c, uint32_t set);

/* Draws a size: of any magnitude up to 2^20, or near a border. */
size_t trial_draw_size(mote_rng *rng, const size_t *borders);

/* Returns whether kernels use double precision, which MOTE_TUNE may switch off by reduce.fp64. */
bool trial_has_fp64(mote_context *ctx);

/* Returns the size of a call if it is given, else a random one up to `most`. */
size_t trial_size(trial_call *c);

/* Draws a call without its data, using the members that its caller has set. Returns false if the
 * device cannot run it.
 */
bool trial_draw(trial_call *c);

/* Allocates and fills the data. Returns false with a sentence. trial_drop() frees the data. */
bool trial_fill(trial_call *c, char *message, size_t size);
void trial_drop(trial_call *c);

/* Runs a call and compares; several threads may run the same call. The queue is for device buffers,
 * `host` for plain arrays (NULL: a temporary one). False with a sentence. */
bool trial_run(const trial_call *c, cl_command_queue queue, mote_host *host, char *message,
               size_t size);

/* Draws, fills, runs and drops a call. A call that the device cannot run counts as passed. */
bool trial_try(trial_call *c, cl_command_queue queue, mote_host *host, char *message, size_t size);

/* The arguments with views that have no memory, for mote_prepare(). The caller calls close(), if
 * the operation has one. */
mote_status trial_args(const trial_call *c, void *args);

#endif
