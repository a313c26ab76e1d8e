#include "CThread.h"
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>
#ifdef __linux__
#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

_Thread_local rx_trampoline rx_thread_trampoline;

// From libdispatch. Its Swift module offers the first function only with a class around the value that it finds.
extern void *dispatch_get_specific(const void *key);
#ifdef __linux__
extern void *dispatch_get_current_queue(void);
extern struct { int unused; } _dispatch_main_q;
#endif

bool rx_is_on_main_queue(const void *key) {
#ifdef __linux__
    // The current queue is usually the main queue itself, and this check is much faster. The call is deprecated,
    // because a queue that targets the main queue also runs on it. The code below handles that case.
    if (dispatch_get_current_queue() == &_dispatch_main_q) return true;
#endif
    return dispatch_get_specific(key) != NULL;
}

// A small parking lot. Waiting needs a mutex and a condition, but only while a thread waits. So locks share 64 of them
// by address, and each lock is only two words. It uses plain POSIX, so that one implementation serves Linux and macOS.
// A futex would save time only where a thread has just been put to sleep.
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

uint32_t rx_bias_threshold;

uint32_t rx_set_bias_after(uint32_t times) {
    uint32_t before = rx_bias_after();
    if (before != 0) __atomic_store_n(&rx_bias_threshold, times, __ATOMIC_RELAXED);
    return before;
}

#ifdef __linux__
static long membarrier(int command) { return syscall(SYS_membarrier, command, 0, 0); }

__attribute__((constructor)) static void prepare_fences(void) {
    // Old kernels and some sandboxes refuse this call. The limit is the number of entries after which a thread has paid
    // as much for read-modify-writes as a fence may cost. So a bias that is revoked immediately has at most doubled
    // the cost.
    if (membarrier(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED) == 0) rx_bias_threshold = 256;
}

void rx_fence_everywhere(void) {
    if (membarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED) == 0) return;
    // A child of fork() may have to register again.
    membarrier(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED);
    // Without the fence, two threads could enter where only one is allowed.
    if (membarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED) != 0) abort();
}
#else
void rx_fence_everywhere(void) { abort(); }
#endif
