#include "CThread.h"
#include "CHash.h"
#include <pthread.h>
#include <stddef.h>

_Thread_local rx_trampoline rx_thread_trampoline;

// A small parking lot: waiting needs a mutex and a condition, but only while somebody waits, so locks
// share 64 of them by address and stay two words each. Plain POSIX, so one implementation serves
// Linux and macOS; a futex would save time only where a thread has just been put to sleep.
typedef struct { pthread_mutex_t mutex; pthread_cond_t condition; } rx_bucket;

#define B { PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER }
#define B8 B, B, B, B, B, B, B, B
static rx_bucket buckets[64] = { B8, B8, B8, B8, B8, B8, B8, B8 };

static rx_bucket *bucket_of(const uintptr_t *word) {
    // The top six bits.
    return &buckets[rx_spread((uintptr_t)word) >> 58];
}

void rx_park(const uintptr_t *word, uintptr_t expected) {
    rx_bucket *bucket = bucket_of(word);
    pthread_mutex_lock(&bucket->mutex);
    if (__atomic_load_n(word, __ATOMIC_ACQUIRE) == expected) {
        pthread_cond_wait(&bucket->condition, &bucket->mutex);
    }
    pthread_mutex_unlock(&bucket->mutex);
}

void rx_unpark(const uintptr_t *word) {
    rx_bucket *bucket = bucket_of(word);
    // Taking the mutex orders this wake-up after the check of a thread that is about to wait.
    pthread_mutex_lock(&bucket->mutex);
    pthread_cond_broadcast(&bucket->condition);
    pthread_mutex_unlock(&bucket->mutex);
}
