/* SPDX-License-Identifier: Apache-2.0 */
/* The program cache on disk, used by many processes while its files are damaged.
 *
 *     cache_attack PROCESSES SECONDS    processes use it, this one damages it; then all must be
 * well cache_attack cold two processes start without entries, a third one then finds all
 *     cache_attack child SEED SECONDS   what they run: lives of a context with some checked calls
 *
 * The parent never uses OpenCL, because a forked child of a program that did hangs in some
 * drivers. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "../core/damage.h"
#include "../core/temporary.h"
#include "testkit/rng.h"
#include "mixture.h"

#define MOST_PROCESSES 64
#define MESSAGE_SIZE   1024

/* Additional time for a life that has begun; a child that needs more time hangs. */
#define GRACE_SECONDS 200

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* ---- a child --------------------------------------------------------------------------------- */

static atomic_size_t built, loaded;

static void on_message(mote_log_level level, const char *message, void *user)
{
    (void)level;
    (void)user;
    atomic_fetch_add(&built, strstr(message, ": built in ") != NULL);
    atomic_fetch_add(&loaded, strstr(message, ": loaded from the cache") != NULL);
}

/* Makes one context and some calls. */
static bool life(const mixture *mix, mote_rng *rng, char *message)
{
    mote_context *ctx = NULL;
    mix_user user;
    bool good = mote_context_open(NULL, &ctx) == MOTE_SUCCESS;
    if (!good) {
        snprintf(message, MESSAGE_SIZE, "%s", mote_last_error());
        return false;
    }
    good = mix_user_open(&user, ctx, message, MESSAGE_SIZE);
    for (int i = 0; i < 3 && good; i++) {
        const mix_call *call = &mix->calls[mote_rng_below(rng, (uint32_t)mix->count)];
        unsigned char *result = malloc(call->bytes);
        if (result)
            mix_run(call, &user, result);
        good = result && mix_is_right(call, result);
        if (!good)
            snprintf(message, MESSAGE_SIZE, "%s: wrong result (%s)", call->name, mote_last_error());
        free(result);
    }
    if (good)
        mix_user_close(&user);
    mote_context_release(ctx);
    return good;
}

/* Calls with few kernels, so that many contexts can live. */
static mixture *few_kernels(void)
{
    mixture *mix = calloc(1, sizeof(*mix));
    mote_context *ctx = NULL;
    if (!mix)
        return NULL;
    mix->failed = mote_context_open(NULL, &ctx) != MOTE_SUCCESS;
    if (!mix->failed)
        mix_add_operations(mix, ctx, 0);
    mote_context_release(ctx);
    if (!mix->failed)
        return mix;
    mix_free(mix);
    return NULL;
}

static int child(uint64_t seed, double limit)
{
    char message[MESSAGE_SIZE] = "no memory";
    const double end = seconds() + limit;
    mote_rng rng;
    size_t lives = 0;
    mote_log_set(MOTE_LOG_DEBUG, on_message, NULL);
    mote_rng_seed(&rng, seed);
    mixture *mix = few_kernels();
    bool good = mix != NULL;
    while (good && (lives == 0 || seconds() < end)) {
        good = life(mix, &rng, message);
        lives++;
    }
    mix_free(mix);
    if (!good)
        fprintf(stderr, "%s\n", message);
    printf("# %zu lives, %zu programs built, %zu loaded\n", lives, atomic_load(&built),
           atomic_load(&loaded));
    return good ? 0 : 1;
}

/* ---- the parent ------------------------------------------------------------------------------ */

static char folder[TEMPORARY_ROOM];
static int failures, points;

static void point(bool good, const char *what)
{
    printf("%sok %d - %s\n", good ? "" : "not ", ++points, what);
    failures += !good;
}

static pid_t start(const char *self, uint64_t seed, double limit)
{
    char number[32], time_limit[32];
    snprintf(number, sizeof(number), "%llu", (unsigned long long)seed);
    snprintf(time_limit, sizeof(time_limit), "%g", limit);
    fflush(NULL);
    pid_t pid = fork();
    if (pid == 0) {
        execl(self, self, "child", number, time_limit, (char *)NULL);
        _exit(127);
    }
    return pid;
}

/* Damages files until all children have ended, and kills those that hang. */
static bool watch(pid_t *children, size_t count, double end, void (*damage_one)(uint64_t *state))
{
    bool good = true;
    uint64_t state = (uint64_t)time(NULL);
    const struct timespec pause = {0, 8000000};
    for (size_t left = count; left > 0;) {
        if (damage_one && seconds() < end)
            damage_one(&state);
        nanosleep(&pause, NULL);
        for (size_t k = 0; k < count; k++) {
            int status;
            if (children[k] > 0 && waitpid(children[k], &status, WNOHANG) == children[k]) {
                if (WIFSIGNALED(status))
                    fprintf(stderr, "a process died of signal %d\n", WTERMSIG(status));
                good = good && WIFEXITED(status) && WEXITSTATUS(status) == 0;
                children[k] = 0;
                left--;
            } else if (children[k] > 0 && seconds() > end + GRACE_SECONDS) {
                kill(children[k], SIGKILL); /* it hangs */
            }
        }
    }
    return good;
}

/* Picks a random name in the folder; false if there is none. */
static bool pick(uint64_t *state, char *path, size_t room)
{
    char name[300] = "";
    size_t seen = 0;
    DIR *stream = opendir(folder);
    for (struct dirent *d = stream ? readdir(stream) : NULL; d; d = readdir(stream))
        if (strlen(d->d_name) > 2 && damage_random(state) % ++seen == 0)
            snprintf(name, sizeof(name), "%s", d->d_name);
    if (stream)
        closedir(stream);
    snprintf(path, room, "%s/%s", folder, name);
    return seen > 0;
}

/* Damages a file in place while processes read it; copies that it makes may have a wrong name.
 */
static void rewrite(uint64_t *state, const char *path)
{
    static unsigned char data[(1 << 20) + 1024];
    char other[TEMPORARY_ROOM + 300];
    if (!pick(state, other, sizeof(other)))
        return;
    int from = open(other, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    ssize_t length = from < 0 ? -1 : read(from, data, 1 << 20);
    if (from >= 0)
        close(from);
    int to = length < 0 ? -1 : open(path, O_WRONLY | O_NOFOLLOW | O_NONBLOCK);
    if (to < 0)
        return;
    size_t now = damage(state, data, (size_t)length);
    if (ftruncate(to, (off_t)now) != 0 || write(to, data, now) < 0)
        fprintf(stderr, "damaging %s: %s\n", path, strerror(errno));
    close(to);
}

static void damage_one(uint64_t *state)
{
    char path[TEMPORARY_ROOM + 300];
    if (!pick(state, path, sizeof(path)))
        return;
    int failed = 0;
    switch (damage_random(state) % 12) {
    case 0:
        failed = unlink(path);
        break;
    case 1:
        failed = truncate(path, (off_t)(damage_random(state) % 5000));
        break;
    case 2:
        failed = unlink(path) || symlink("/dev/zero", path);
        break;
    case 3:
        failed = unlink(path) || mkfifo(path, 0600);
        break;
    case 4:
        failed = unlink(path) || mkdir(path, 0700);
        break;
    case 5:
        failed = rmdir(path);
        break;
    case 6:
        failed = fchmodat(AT_FDCWD, path, (mode_t)(damage_random(state) % 01000),
                          AT_SYMLINK_NOFOLLOW); /* do not follow links: they lead to /dev/zero */
        break;
    default:
        rewrite(state, path);
    }
    (void)failed; /* another process may have removed it */
}

static void attack(const char *self, size_t processes, double limit)
{
    pid_t children[MOST_PROCESSES];
    const double end = seconds() + limit;
    for (size_t k = 0; k < processes; k++)
        children[k] = start(self, k + 1, limit);
    point(watch(children, processes, end, damage_one), "results are right while files are damaged");
    children[0] = start(self, 99, 0);
    point(watch(children, 1, seconds(), NULL), "and with what is left afterwards");
}

static void cold(const char *self)
{
    pid_t children[2] = {start(self, 1, 0), start(self, 1, 0)};
    point(watch(children, 2, seconds(), NULL), "two processes begin with nothing");
    setenv("MOTE_TEST_NO_BUILD", "1", 1);
    children[0] = start(self, 1, 0);
    point(watch(children, 1, seconds(), NULL), "a third one builds nothing");
    unsetenv("MOTE_TEST_NO_BUILD");
}

int main(int argc, char **argv)
{
    if (argc == 4 && strcmp(argv[1], "child") == 0) {
        int code = child(strtoull(argv[2], NULL, 10), strtod(argv[3], NULL));
        return code || (getenv("MOTE_TEST_NO_BUILD") && atomic_load(&built) > 0);
    }
    size_t processes = argc == 3 ? strtoull(argv[1], NULL, 10) : 0;
    bool is_cold = argc == 2 && strcmp(argv[1], "cold") == 0;
    if (!is_cold && (processes == 0 || processes > MOST_PROCESSES)) {
        fprintf(stderr, "usage: %s cold | PROCESSES SECONDS\n", argv[0]);
        return 99;
    }
    const char *base = getenv("TMPDIR");
    snprintf(folder, sizeof(folder), "%s/mote-test-XXXXXX", base && *base ? base : "/tmp");
    if (!mkdtemp(folder)) {
        fprintf(stderr, "%s: %s\n", folder, strerror(errno));
        return 1;
    }
    setenv("MOTE_CACHE_DIR", folder, 1);
    setenv("MOTE_CACHE", "on", 1);
    if (is_cold)
        cold(argv[0]);
    else
        attack(argv[0], processes, strtod(argv[2], NULL));
    temporary_remove(folder);
    printf("1..%d\n", points);
    return failures != 0;
}
