#include "CStacks.h"
#include "CThread.h"
#include "CRegistry.h"
#include <pthread.h>
#include <string.h>

// The entries follow one another, in words of eight bytes: the next entry in the same bucket and the number of
// addresses, the hash, the addresses. Outside the heap. A page is allocated when it is first written.
typedef struct {
    uint32_t next;
    uint32_t count;
    uint64_t hash;
    uintptr_t addresses[];
} entry;

enum { buckets_count = 1 << 16 };
static const size_t store_size = (size_t)1 << (sizeof(void *) == 8 ? 28 : 24);

static char *store;
static rx_stack buckets[buckets_count];
static size_t used = 8;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void make_store(void) {
    store = rx_reserve(store_size);
}

static entry *entry_of(rx_stack stack) { return (entry *)(store + (size_t)stack * 8); }

static rx_stack find(rx_stack first, rx_stack last, uint64_t hash, const uintptr_t *addresses, uint32_t count) {
    for (rx_stack stack = first; stack != last; stack = entry_of(stack)->next) {
        entry *candidate = entry_of(stack);
        if (candidate->hash == hash && candidate->count == count
            && memcmp(candidate->addresses, addresses, count * sizeof(uintptr_t)) == 0) return stack;
    }
    return 0;
}

static rx_stack add(uint64_t hash, const uintptr_t *addresses, uint32_t count, rx_stack seen) {
    rx_stack *bucket = &buckets[hash >> 48];
    pthread_mutex_lock(&lock);
    rx_stack first = *bucket;
    rx_stack stack = find(first, seen, hash, addresses, count);
    size_t size = (sizeof(entry) + count * sizeof(uintptr_t) + 7) & ~(size_t)7;
    if (stack == 0 && used + size <= store_size) {
        stack = (rx_stack)(used / 8);
        entry *new = entry_of(stack);
        *new = (entry){ .next = first, .count = count, .hash = hash };
        memcpy(new->addresses, addresses, count * sizeof(uintptr_t));
        used += size;
        // Release: a thread that sees the entry sees its contents.
        __atomic_store_n(bucket, stack, __ATOMIC_RELEASE);
    }
    pthread_mutex_unlock(&lock);
    return stack;
}

rx_stack rx_stack_store(const uintptr_t *addresses, uint32_t count) {
    if (count == 0) return 0;
    pthread_once(&once, make_store);
    if (store == NULL) return 0;
    uint64_t hash = count;
    for (uint32_t index = 0; index < count; index++) hash = rx_spread(hash ^ addresses[index]);
    // Acquire: pairs with the release in `add`.
    rx_stack first = __atomic_load_n(&buckets[hash >> 48], __ATOMIC_ACQUIRE);
    rx_stack stack = find(first, 0, hash, addresses, count);
    return stack != 0 ? stack : add(hash, addresses, count, first);
}

uint32_t rx_stack_addresses(rx_stack stack, uintptr_t *addresses, uint32_t limit) {
    if (stack == 0) return 0;
    entry *recorded = entry_of(stack);
    uint32_t count = recorded->count < limit ? recorded->count : limit;
    memcpy(addresses, recorded->addresses, count * sizeof(uintptr_t));
    return count;
}
