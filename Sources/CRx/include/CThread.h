#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// The current thread's trampoline: an intrusive first-in, first-out list of actions. Swift has no thread-local
/// storage. With `pthread_getspecific`, the same lookup would cost a call for every subscription.
typedef struct rx_trampoline {
    void *_Nullable head;
    void *_Nullable tail;
    bool active;
} rx_trampoline;

extern _Thread_local rx_trampoline rx_thread_trampoline;

static inline rx_trampoline *_Nonnull rx_trampoline_current(void) { return &rx_thread_trampoline; }

/// Returns an identity that no other live thread has. It is never 0, and always even.
static inline uintptr_t rx_thread_identity(void) { return (uintptr_t)&rx_thread_trampoline; }

/// Returns whether the current work runs on the main queue, or on a queue that targets it.
///
/// - Parameter key: a key for which only the main queue has a value.
bool rx_is_on_main_queue(const void *_Nonnull key);

/// Sleeps while `*word == expected`. May wake spuriously, so call it in a loop.
void rx_park(const uintptr_t *_Nonnull word, uintptr_t expected);

/// Wakes every thread that sleeps on `word`. Call it after `*word` has changed.
void rx_unpark(const uintptr_t *_Nonnull word);

/// Keeps the compiler from moving memory accesses across this point. The processor may still move them.
static inline void rx_compiler_fence(void) { __atomic_signal_fence(__ATOMIC_SEQ_CST); }

/// Prefetches the memory at `address`, which need not be mapped.
static inline void rx_prefetch(const void *_Nullable address) { __builtin_prefetch(address); }

/// A fence in every running thread of the process. Its cost, a microsecond or more, is paid by the calling thread. A
/// thread whose store is followed by `rx_compiler_fence()` and a load has either stored before this call returns, or
/// loads the value that was stored before the call.
void rx_fence_everywhere(void);

extern uint32_t rx_bias_threshold;

/// Returns the number of consecutive entries after which a thread becomes the bias owner. 0 means never, for example
/// where `rx_fence_everywhere` does not exist.
static inline uint32_t rx_bias_after(void) { return __atomic_load_n(&rx_bias_threshold, __ATOMIC_RELAXED); }

/// Sets the number that `rx_bias_after` returns. For tests, before they create the objects under test. Returns the
/// previous number. 0 cannot be changed.
uint32_t rx_set_bias_after(uint32_t times);

enum {
    /// The maximum number of distinct types. Further types are counted only under their kind.
    rx_types_limit = 4096,
    /// The number of free registry slots that a thread keeps.
    rx_magazine_size = 64,
};

/// The tracing counters, used by one thread at a time. Only that thread writes them, so that counting needs no locked
/// instruction. Any thread may add up the counts. A thread that ends leaves its block, with its counts, to the next
/// thread that starts.
typedef struct rx_counters {
    struct rx_counters *_Nullable next;
    struct rx_counters *_Nullable next_free;
    /// The end of the thread's stack, where a walk over frames stops, or 0 until it is requested.
    uintptr_t stack_end;
    /// The state of the generator that decides which resources are sampled. Never 0.
    uint64_t random;
    uint32_t magazine_count;
    uint32_t magazine[rx_magazine_size];
    /// One count per type: see `rx_type_of`.
    long counts[rx_types_limit];
} rx_counters;

extern _Thread_local rx_counters *_Nullable rx_thread_counters;

/// Gives the current thread a block, and reuses a free block if there is one.
rx_counters *_Nonnull rx_counters_adopt(void);

/// Returns the current thread's block.
static inline rx_counters *_Nonnull rx_counters_mine(void) {
    rx_counters *counters = rx_thread_counters;
    if (__builtin_expect(counters == NULL, 0)) counters = rx_counters_adopt();
    return counters;
}

/// Adds to a count of the current thread. Locked additions would be most of the cost of tracing (decision 18).
static inline void rx_count(uint32_t type, long change) {
    // A load and a store, each atomic. No other thread writes, and a reader sees the old value or the new one.
    long *count = &rx_counters_mine()->counts[type];
    __atomic_store_n(count, __atomic_load_n(count, __ATOMIC_RELAXED) + change, __ATOMIC_RELAXED);
}

/// Returns the count of a type over all threads, including threads that have ended.
long rx_counted(uint32_t type);

/// Spreads a word's bits over the upper bits of the product, which are the bits to use. Multiplies by the fraction of
/// the golden ratio in 64 bits (D. E. Knuth, The Art of Computer Programming, vol. 3, 6.4).
static inline __attribute__((always_inline)) uint64_t rx_spread(uint64_t word) { return word * 0x9E3779B97F4A7C15u; }
