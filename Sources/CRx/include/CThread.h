#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// The current thread's trampoline: an intrusive first-in, first-out list of actions.
/// Swift has no thread-local storage of its own; through `pthread_getspecific` the same look-up
/// would cost a call for every subscription.
typedef struct rx_trampoline {
    void *_Nullable head;
    void *_Nullable tail;
    bool active;
} rx_trampoline;

extern _Thread_local rx_trampoline rx_thread_trampoline;

static inline rx_trampoline *_Nonnull rx_trampoline_current(void) { return &rx_thread_trampoline; }

/// An identity that no other live thread has: never 0, always even.
static inline uintptr_t rx_thread_identity(void) { return (uintptr_t)&rx_thread_trampoline; }

/// Whether the current work runs on the main queue, or on one that targets it.
///
/// - Parameter key: what the main queue alone has something for.
bool rx_is_on_main_queue(const void *_Nonnull key);

/// Sleeps while `*word == expected`. May wake without cause: call it in a loop.
void rx_park(const uintptr_t *_Nonnull word, uintptr_t expected);

/// Wakes every thread that sleeps on `word`. Call it after `*word` has changed.
void rx_unpark(const uintptr_t *_Nonnull word);

/// Keeps the compiler from moving memory accesses over this place. The processor may still do so.
static inline void rx_compiler_fence(void) { __atomic_signal_fence(__ATOMIC_SEQ_CST); }

/// Asks for the memory at `address` before it is needed. It need not be mapped.
static inline void rx_prefetch(const void *_Nullable address) { __builtin_prefetch(address); }

/// A fence in every thread of the process that runs, by the one that can afford it: a microsecond or more. A thread
/// whose store is followed by `rx_compiler_fence()` and a load has either stored before this call returns, or loads
/// what was stored before the call.
void rx_fence_everywhere(void);

extern uint32_t rx_home_times;

/// How many times in a row a thread takes what is shared before it is at home there; 0 is never, as where
/// `rx_fence_everywhere` does not exist.
static inline uint32_t rx_home_after(void) { return __atomic_load_n(&rx_home_times, __ATOMIC_RELAXED); }

/// For tests, before they make what they test. Returns what it was; 0 stays.
uint32_t rx_set_home_after(uint32_t times);

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
