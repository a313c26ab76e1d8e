#pragma once
#include <stdbool.h>
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
