#include "CThread.h"
#include "CRegistry.h"
#include <pthread.h>
#include <stdlib.h>

_Thread_local rx_counters *rx_thread_counters;

// All blocks, and the blocks that no thread uses. Blocks are never freed. Their number is the maximum number of threads
// that have lived at the same time.
rx_counters *rx_all_counters;
static rx_counters *unused;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t key;

// Called when a thread ends. If the thread counts again afterwards, from the destructor of another value, it adopts a
// block again.
static void abandon(void *block) {
    rx_counters *counters = block;
    rx_thread_counters = NULL;
    pthread_mutex_lock(&lock);
    counters->next_free = unused;
    unused = counters;
    pthread_mutex_unlock(&lock);
}

static void make_key(void) { pthread_key_create(&key, abandon); }

// Outside the heap, so that neither a scan nor a count of the heap includes it. A page is allocated only when a type in
// it is counted.
static rx_counters *make_block(void) {
    rx_counters *counters = rx_reserve(sizeof *counters);
    if (counters == NULL) abort();
    counters->next = rx_all_counters;
    // Different for each block, and odd, so never 0.
    counters->random = rx_spread((uintptr_t)counters) | 1;
    // Release: a thread that reads the list sees the block's zeroes.
    __atomic_store_n(&rx_all_counters, counters, __ATOMIC_RELEASE);
    return counters;
}

rx_counters *rx_counters_adopt(void) {
    pthread_once(&once, make_key);
    pthread_mutex_lock(&lock);
    rx_counters *counters = unused;
    if (counters != NULL) {
        unused = counters->next_free;
    } else {
        counters = make_block();
    }
    pthread_mutex_unlock(&lock);
    // The old value belonged to another thread's stack.
    counters->stack_end = 0;
    rx_thread_counters = counters;
    pthread_setspecific(key, counters);
    return counters;
}
