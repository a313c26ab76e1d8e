#define _GNU_SOURCE
#include "counters.h"
#include <pthread.h>
#include <sys/mman.h>

OBJECTS_OF_THREAD objects_block *objects_thread_block;

// All blocks there are, and those that no thread holds. Blocks are never freed: there are as many as threads have lived
// at once.
static objects_block *all;
static objects_block *unused;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t key;

// When a thread ends. If it counts once more afterwards, from the destructor of something else, it adopts a block
// again.
static void abandon(void *held) {
    objects_block *block = held;
    objects_thread_block = NULL;
    pthread_mutex_lock(&lock);
    block->next_free = unused;
    unused = block;
    pthread_mutex_unlock(&lock);
}

static void make_key(void) { pthread_key_create(&key, abandon); }

objects_block *objects_block_adopt(void) {
    pthread_once(&once, make_key);
    pthread_mutex_lock(&lock);
    objects_block *block = unused;
    if (block != NULL) {
        unused = block->next_free;
    } else {
        // From the system and not from malloc: it is not part of the heap that is measured. Pages come as types are
        // seen.
        void *pages = mmap(NULL, sizeof *block, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (pages == MAP_FAILED) {
            pthread_mutex_unlock(&lock);
            return NULL;
        }
        block = pages;
        block->next = all;
        // Released: who reads the list sees the block's zeroes.
        __atomic_store_n(&all, block, __ATOMIC_RELEASE);
    }
    pthread_mutex_unlock(&lock);
    // Before the system is told of it, which may allocate.
    objects_thread_block = block;
    pthread_setspecific(key, block);
    return block;
}

objects_block *objects_blocks(void) {
    // Acquired: as it was released.
    return __atomic_load_n(&all, __ATOMIC_ACQUIRE);
}

static void add(objects_counts *sum, const objects_block *block) {
    sum->allocations += __atomic_load_n(&block->counts.allocations, __ATOMIC_RELAXED);
    sum->deallocations += __atomic_load_n(&block->counts.deallocations, __ATOMIC_RELAXED);
    sum->retains += __atomic_load_n(&block->counts.retains, __ATOMIC_RELAXED);
    sum->releases += __atomic_load_n(&block->counts.releases, __ATOMIC_RELAXED);
}

objects_counts objects_of_this_thread(void) {
    objects_counts counts = {0};
    objects_block *block = objects_current();
    if (block != NULL) add(&counts, block);
    return counts;
}

objects_counts objects_of_all_threads(void) {
    objects_counts counts = {0};
    for (objects_block *block = objects_blocks(); block != NULL; block = block->next) add(&counts, block);
    return counts;
}

size_t objects_live(objects_type *types, size_t capacity) {
    size_t written = 0;
    size_t end = objects_type_count();
    for (size_t number = 1; number < end && written < capacity; number++) {
        const void *metadata = objects_type_metadata(number);
        if (metadata == NULL) continue;
        int64_t live = 0;
        for (objects_block *block = objects_blocks(); block != NULL; block = block->next) {
            live += __atomic_load_n(&block->live[number], __ATOMIC_RELAXED);
        }
        types[written++] = (objects_type){ metadata, live };
    }
    return written;
}
