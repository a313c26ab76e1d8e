#include "CRegistry.h"
#include "CThread.h"
#include <pthread.h>

// A place is written only by the thread that holds the resource's tag, and may be read by any thread. The address is
// written last and cleared first.
typedef struct {
    uintptr_t address;
    rx_type type;
    rx_stack stack; // of a free place on the common list: the next one
    uint32_t mark;
    uint32_t due;
} place;

enum { batch = rx_magazine_size / 2 };
// 16 million live resources, 384 MB of address space. A page is allocated when it is first written.
static const uint32_t places_limit = sizeof(void *) == 8 ? 1u << 24 : 1u << 20;

static place *places;
static uint32_t end = 1;
static uint32_t first_free;
static uint32_t current_mark;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

// Moves up to half a magazine of free places to the current thread.
static void refill(rx_counters *mine) {
    pthread_mutex_lock(&lock);
    if (places == NULL) places = rx_reserve(sizeof(place) * places_limit);
    while (places != NULL && mine->magazine_count < batch) {
        uint32_t free = first_free;
        if (free != 0) {
            first_free = places[free].stack;
        } else if (end < places_limit) {
            free = end;
            __atomic_store_n(&end, end + 1, __ATOMIC_RELEASE);
        } else {
            break;
        }
        mine->magazine[mine->magazine_count++] = free;
    }
    pthread_mutex_unlock(&lock);
}

static void flush(rx_counters *mine) {
    pthread_mutex_lock(&lock);
    while (mine->magazine_count > batch) {
        uint32_t free = mine->magazine[--mine->magazine_count];
        __atomic_store_n(&places[free].stack, first_free, __ATOMIC_RELAXED);
        first_free = free;
    }
    pthread_mutex_unlock(&lock);
}

rx_tag rx_register(rx_type type, uintptr_t address, rx_stack stack, uint32_t due) {
    rx_counters *mine = rx_counters_mine();
    if (mine->magazine_count == 0) refill(mine);
    if (mine->magazine_count == 0) return type;
    uint32_t free = mine->magazine[--mine->magazine_count];
    place *taken = &places[free];
    // A reader that sees any of these writes also sees, when it reads the address again, that the former address is
    // gone.
    __atomic_thread_fence(__ATOMIC_RELEASE);
    __atomic_store_n(&taken->type, type, __ATOMIC_RELAXED);
    __atomic_store_n(&taken->stack, stack, __ATOMIC_RELAXED);
    __atomic_store_n(&taken->due, due, __ATOMIC_RELAXED);
    __atomic_store_n(&taken->mark, __atomic_load_n(&current_mark, __ATOMIC_RELAXED), __ATOMIC_RELAXED);
    // Release: a reader that sees the address sees the other fields.
    __atomic_store_n(&taken->address, address, __ATOMIC_RELEASE);
    return rx_registered | free;
}

void rx_unregister(rx_tag tag) {
    uint32_t free = tag & ~rx_registered;
    __atomic_store_n(&places[free].address, 0, __ATOMIC_RELEASE);
    rx_counters *mine = rx_counters_mine();
    if (mine->magazine_count == rx_magazine_size) flush(mine);
    mine->magazine[mine->magazine_count++] = free;
}

rx_type rx_registered_type(rx_tag tag) { return places[tag & ~rx_registered].type; }

void rx_registered_retype(rx_tag tag, rx_type type) {
    __atomic_store_n(&places[tag & ~rx_registered].type, type, __ATOMIC_RELAXED);
}

void rx_registry_mark(uint32_t mark) { __atomic_store_n(&current_mark, mark, __ATOMIC_RELAXED); }

uint32_t rx_registry_end(void) { return __atomic_load_n(&end, __ATOMIC_ACQUIRE); }

bool rx_registry_read(uint32_t index, rx_resource *resource) {
    // Index 0 is not a valid place. The registry may have no memory at all.
    if (index == 0) return false;
    place *taken = &places[index];
    uintptr_t address = __atomic_load_n(&taken->address, __ATOMIC_ACQUIRE);
    if (address == 0) return false;
    *resource = (rx_resource){
        address, __atomic_load_n(&taken->type, __ATOMIC_RELAXED), __atomic_load_n(&taken->stack, __ATOMIC_RELAXED),
        __atomic_load_n(&taken->mark, __ATOMIC_RELAXED), __atomic_load_n(&taken->due, __ATOMIC_RELAXED)};
    // Read again: another resource may have taken the place in the meantime.
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
    return __atomic_load_n(&taken->address, __ATOMIC_RELAXED) == address;
}

// Defined here and not with the counters: code that reads counts is not part of a program that does not trace, and a
// file is linked as a whole.
extern rx_counters *rx_all_counters;

long rx_counted(uint32_t type) {
    long sum = 0;
    for (rx_counters *counters = __atomic_load_n(&rx_all_counters, __ATOMIC_ACQUIRE); counters != NULL;
        counters = counters->next) {
        sum += __atomic_load_n(&counters->counts[type], __ATOMIC_RELAXED);
    }
    return sum;
}
