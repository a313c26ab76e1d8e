#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Runs the actors of a race one at a time, in an order that the search controls. This library replaces
// ThreadSanitizer's library: in an image that is compiled with ThreadSanitizer's instrumentation and
// RXRACES_INSTRUMENTED, every atomic operation, lock and memory access of Swift code calls this library. In other
// builds only stubs are compiled, which report that races cannot be searched.
//
// Call all functions on one thread, the controller's, unless stated otherwise.

enum { rxraces_most_actors = 24, rxraces_frames = 24 };
/// The number of actors whose stores may be delayed: only the first actors' stores are.
enum { rxraces_most_late = 7 };

/// The reason why races cannot be searched in this process; NULL if they can.
const char *_Nullable rxraces_obstacle(void);

/// The strategy that chooses the order of the next execution.
typedef enum {
    /// Depth first, each schedule once, with at most `bound` preemptions, or any number of preemptions if `bound` is
    /// negative.
    rxraces_depth_first,
    /// Depth first, one schedule of each equivalence class: source sets and sleep sets, without a bound.
    rxraces_reduced,
    /// A single given schedule.
    rxraces_replay,
    /// A random actor at each step, all equally likely.
    rxraces_random,
    /// Random priorities that change at `bound` random steps. A fault that needs an order of d steps is found with a
    /// probability of at least 1 / (n·k^(d-1)), for n actors, k steps and d - 1 changes.
    rxraces_priorities,
} rxraces_strategy;

typedef struct {
    rxraces_strategy strategy;
    int bound;
    /// The seed of the random strategies.
    uint64_t seed;
    /// Whether retains and releases are steps too.
    bool counts_references;
    /// Whether calls are recorded, for a report.
    bool records_stacks;
    /// Whether plain accesses are checked for data races.
    bool detects_races;
    /// Whether one store of an execution may become visible after the loads that follow it, as in a processor's store
    /// buffer.
    bool delays_stores;
    /// Whether `rxraces_class` is available. It always is in a reduced search.
    bool classifies;
} rxraces_plan;

/// The kind of a step.
typedef enum {
    rxraces_load, rxraces_store, rxraces_exchange, rxraces_compare, rxraces_lock, rxraces_unlock, rxraces_wait,
    rxraces_wake, rxraces_resume, rxraces_retain, rxraces_release, rxraces_yield, rxraces_begin, rxraces_enqueue,
    /// A call of the Swift concurrency runtime.
    rxraces_call,
    rxraces_weak_load,
    /// A plain access to an object that another actor may already have freed.
    rxraces_plain,
    /// Virtual time advances until the actor is due: from `before` to `after`, in nanoseconds since the first step.
    rxraces_pass,
    /// A store that other actors do not see yet, and the later step that makes it visible.
    rxraces_delay, rxraces_late_store,
} rxraces_kind;

typedef struct {
    uint8_t actor, size;
    /// The value that `rxraces_follow` takes for this step: the actor's index, plus `rxraces_most_actors` for a store
    /// that is delayed or becomes visible late.
    uint8_t choice;
    bool writes;
    /// Whether the actor's wait ended because its deadline passed.
    bool is_timed_out;
    rxraces_kind kind;
    uintptr_t address, pc;
    /// The value before and after; 0 for more than eight bytes.
    uint64_t before, after;
    /// The argument for `rxraces_stack`; 0 unless stacks are recorded.
    uint32_t stack;
    /// The kind of object that is locked or waited for, such as `mutex`; NULL for memory.
    const char *_Nullable thing;
    /// The label of a queue, if it has one.
    const char *_Nullable label;
} rxraces_step;

/// A block that an execution has left behind.
typedef struct {
    size_t size;
    /// The argument for `rxraces_stack`: the call stack of the allocation.
    uint32_t stack;
    /// The actor that allocated the block; negative if it was allocated before the first step.
    int actor;
    /// The metadata of a Swift object; NULL for other memory.
    const void *_Nullable metadata;
} rxraces_block;

/// The way in which an execution itself failed.
typedef enum {
    rxraces_no_failure, rxraces_data_race,
    /// A free that is not ordered after an earlier access.
    rxraces_racing_free,
    rxraces_use_after_free, rxraces_use_after_return, rxraces_double_free, rxraces_deadlock, rxraces_livelock,
    rxraces_crash,
    /// A call that is not modelled.
    rxraces_refused,
    /// The time limit passed while an actor was running without taking a step.
    rxraces_unfinished,
} rxraces_failure_kind;

typedef struct {
    rxraces_failure_kind kind;
    uintptr_t address;
    /// The actor that detected the failure, and the actor of the other access or of the first free; negative if there
    /// is none.
    int actor, other;
    bool writes, other_writes;
    uintptr_t pc, other_pc;
    uint32_t stack, other_stack;
    /// The signal of a crash.
    int signal;
    /// The name of the refused call.
    const char *_Nullable name;
} rxraces_failure;

typedef struct {
    uint64_t executions, steps;
    /// The number of executions that a reduced search began and found to be equivalent to earlier executions.
    uint64_t redundant;
    /// The number of times that the search began again because it learnt a lock or because a value was created once for
    /// the whole process.
    uint64_t restarts;
    /// Whether executions with the same prefix diverged, so that the search was not exhaustive.
    bool is_nondeterministic;
    /// Whether an actor waited for a point in time.
    bool has_times;
    /// Whether there was a store that could have been delayed.
    bool has_stores;
    int most_steps;
} rxraces_statistics;

/// Begins a search.
void rxraces_start(const rxraces_plan *_Nonnull plan);

/// Sets the time limit. An execution that is still running half a second after `seconds` from now is abandoned, or one
/// second after it if the actor is inside a library. An execution in which an actor takes no step for a second is
/// abandoned at any time. Call this function after the first `rxraces_start`, and again to set another limit.
void rxraces_limit(double seconds);

/// Whether the time limit has passed.
bool rxraces_is_over(void);

/// Forgets which steps are choices. Call this function before the search of another program, to which the first
/// program's choices do not apply.
void rxraces_forget_choices(void);

/// Sets the choices that the next executions of `rxraces_replay` follow, one actor for each step. After these choices,
/// an actor continues for as long as it can.
void rxraces_follow(const uint8_t *_Nonnull choices, int count);

/// Begins an execution and calls `body` on the first actor's thread; returns `false` if the call crashed.
bool rxraces_set_up(void (*_Nonnull body)(void *_Nonnull), void *_Nonnull context);

/// Runs the actors to their ends; returns `false` if one did not reach its end. `rxraces_failed` returns the reason.
bool rxraces_run(int count, void (*_Nonnull body)(void *_Nonnull context, int actor), void *_Nonnull context);

/// Calls `body` on the first actor's thread, then frees the quarantined memory that actors have freed; returns `false`
/// if the call crashed.
bool rxraces_finish(void (*_Nonnull body)(void *_Nonnull), void *_Nonnull context);

/// Makes the next execution take the same schedule as the last one. Call it before `rxraces_next`.
void rxraces_repeat(void);

/// Prepares the next execution; returns `false` when all have been tried.
bool rxraces_next(void);

/// Returns the failure of the execution itself.
rxraces_failure rxraces_failed(void);

rxraces_statistics rxraces_counts(void);

/// The number of steps of the last execution.
int rxraces_length(void);
rxraces_step rxraces_step_at(int index);

/// Returns an identifier of the equivalence class of schedules that the last execution belongs to.
uint64_t rxraces_class(void);

/// Returns the number of preemptions of the last execution: switches away from an actor that could have continued.
int rxraces_preemptions(void);

/// Returns the number of steps of a replay that could not be followed.
int rxraces_strayed(void);

/// Whether accesses of the last execution become steps in the next execution, which then has another schedule.
bool rxraces_has_new_steps(void);

/// The first function returns the actor's call stack at the place where the last execution left it, with 0 frames once
/// the actor has ended. The second returns the step that the actor could not take.
uint32_t rxraces_actor_stack(int actor, uintptr_t *_Nonnull addresses, uint32_t limit);
rxraces_step rxraces_pending(int actor);

/// Writes the return addresses of recorded calls, innermost first, and returns their number.
uint32_t rxraces_stack(uint32_t stack, uintptr_t *_Nonnull addresses, uint32_t limit);

/// Returns the number of allocations on the controller's and the actors' threads since the last set-up, minus the
/// allocations that were freed.
int64_t rxraces_allocations_alive(void);

/// Writes the blocks that the last execution left behind, if stacks were recorded, and returns their number.
uint32_t rxraces_blocks_alive(rxraces_block *_Nonnull blocks, uint32_t limit);

/// Whether code at this address belongs to this library, or to another C target of its package.
bool rxraces_is_own_code(uintptr_t pc);

/// Returns a hash that identifies this build.
uint64_t rxraces_build(void);

/// The kinds of accesses that the compiler instruments with calls. See `rxraces_instrumentation`.
typedef enum {
    rxraces_not_instrumented,
    /// The accesses that ThreadSanitizer sees.
    rxraces_ordinary,
    /// The accesses of all functions, including the functions that the compiler usually omits: outlined copies of
    /// values, deinitialisers.
    rxraces_deep,
    /// The accesses that ThreadSanitizer sees, with ThreadSanitizer's own library.
    rxraces_sanitized,
} rxraces_instrumentation_kind;

/// Returns how this program was compiled.
rxraces_instrumentation_kind rxraces_instrumentation(void);

/// The first function returns the first data race that ThreadSanitizer's own library has reported, in a program that is
/// linked with it, or `rxraces_no_failure`. The second writes the call `addresses` of either access, innermost first.
/// Both functions can be called on any thread.
rxraces_failure rxraces_reported(void);
uint32_t rxraces_reported_stack(bool is_other, uintptr_t *_Nonnull addresses, uint32_t limit);
