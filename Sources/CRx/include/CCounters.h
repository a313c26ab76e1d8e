#pragma once
#include <stddef.h>
#include <stdint.h>

enum {
    /// How many types are told apart; what comes later counts for its kind alone.
    rx_types_limit = 4096,
    /// How many free registry slots a thread keeps.
    rx_magazine_size = 64,
};

/// The counters that one thread at a time keeps for tracing. Only that thread writes it, so that counting needs no
/// locked instruction; anybody may add the counts up. A thread that ends leaves its block, counts and all, to the next
/// one that begins.
typedef struct rx_counters {
    struct rx_counters *_Nullable next;
    struct rx_counters *_Nullable next_free;
    /// The end of the thread's stack, where a walk over frames stops; 0 until it is asked for.
    uintptr_t stack_end;
    /// The state of the generator that decides what is sampled; never 0.
    uint64_t random;
    uint32_t magazine_count;
    uint32_t magazine[rx_magazine_size];
    /// One count per type: see `rx_type_of`.
    long counts[rx_types_limit];
} rx_counters;

extern _Thread_local rx_counters *_Nullable rx_thread_counters;

/// Gives the current thread a block: a used one, if one is free.
rx_counters *_Nonnull rx_counters_adopt(void);

/// The current thread's block.
static inline rx_counters *_Nonnull rx_counters_mine(void) {
    rx_counters *counters = rx_thread_counters;
    if (__builtin_expect(counters == NULL, 0)) counters = rx_counters_adopt();
    return counters;
}

/// Adds to a count of the current thread: locked adds would be most of what tracing costs (decision 18).
static inline void rx_count(uint32_t type, long change) {
    // A load and a store, each atomic: nobody else writes, and a reader sees the old value or the new one.
    long *count = &rx_counters_mine()->counts[type];
    __atomic_store_n(count, __atomic_load_n(count, __ATOMIC_RELAXED) + change, __ATOMIC_RELAXED);
}

/// The count of a type over all threads, those that have ended included.
long rx_counted(uint32_t type);

/// A word's bits spread over the product's upper ones, which are what to take: multiplied by the golden ratio's
/// fraction in 64 bits (D. E. Knuth, The Art of Computer Programming, vol. 3, 6.4).
static inline __attribute__((always_inline)) uint64_t rx_spread(uint64_t word) { return word * 0x9E3779B97F4A7C15u; }
