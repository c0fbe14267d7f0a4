/* SPDX-License-Identifier: Apache-2.0 */
/* Two threads count without a lock: ThreadSanitizer must report this; otherwise a run without
 * reports proves nothing. */
#include <pthread.h>
#include <stdio.h>

static size_t shared;

static void *count(void *argument)
{
    (void)argument;
    for (int i = 0; i < 100000; i++)
        shared++;
    return NULL;
}

int main(void)
{
    pthread_t other;
    if (pthread_create(&other, NULL, count, NULL) != 0)
        return 0;
    count(NULL);
    pthread_join(other, NULL);
    printf("%zu\n", shared);
    return 0;
}
