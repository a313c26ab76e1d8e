#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Runs the actors of a race one at a time, in an order that is searched. It stands where ThreadSanitizer's library
// would: in an image that is compiled with its instrumentation and RXRACES_INSTRUMENTED, every atomic operation, lock
// and memory access of Swift code calls this. Elsewhere nothing of it is compiled, and it answers that it cannot.
//
// All functions are called on one thread, the controller's, unless said otherwise.

enum { rxraces_most_actors = 24, rxraces_frames = 24 };
/// Only the stores of the first actors may come late, and this is how many those are.
enum { rxraces_most_late = 7 };

/// Why races cannot be searched in this process; NULL if they can.
const char *_Nullable rxraces_obstacle(void);

/// How the next execution's order is found.
typedef enum {
    /// Depth first, each schedule once, with at most `bound` preemptions; any number if that is negative.
    rxraces_depth_first,
    /// Depth first, of equivalent schedules one: source sets and sleep sets, without a bound.
    rxraces_reduced,
    /// One given schedule.
    rxraces_replay,
    /// At each step any actor, all equally likely.
    rxraces_random,
    /// Random priorities that change at `bound` random steps: a fault that needs an order of d steps is met with a
    /// probability of at least 1 / (n·k^(d-1)), for n actors, k steps and d - 1 changes.
    rxraces_priorities,
} rxraces_strategy;

typedef struct {
    rxraces_strategy strategy;
    int bound;
    /// For the random ones.
    uint64_t seed;
    /// Whether retain and release are steps too.
    bool counts_references;
    /// Whether calls are recorded, for a report.
    bool records_stacks;
    /// Whether plain accesses are checked for data races.
    bool detects_races;
    /// Whether one store of an execution may come after the loads that follow it, as in a processor's store buffer.
    bool delays_stores;
    /// Whether `rxraces_class` can be asked, which a reduced search always can.
    bool classifies;
} rxraces_plan;

/// The kind of a step.
typedef enum {
    rxraces_load, rxraces_store, rxraces_exchange, rxraces_compare, rxraces_lock, rxraces_unlock, rxraces_wait,
    rxraces_wake, rxraces_resume, rxraces_retain, rxraces_release, rxraces_yield, rxraces_begin, rxraces_enqueue,
    /// A call of the runtime of Swift's concurrency.
    rxraces_call,
    rxraces_weak_load,
    /// A plain access to an object that another actor may have freed before.
    rxraces_plain,
    /// Time passes until the actor is due: from `before` to `after`, in nanoseconds since the first step.
    rxraces_pass,
    /// A store that other actors do not see yet, and its coming.
    rxraces_delay, rxraces_late_store,
} rxraces_kind;

typedef struct {
    uint8_t actor, size;
    /// What `rxraces_follow` takes for the step: the actor, or `rxraces_most_actors` more for a store that is delayed,
    /// or comes late.
    uint8_t choice;
    bool writes;
    /// Whether the actor has waited for something until its time came.
    bool is_timed_out;
    rxraces_kind kind;
    uintptr_t address, pc;
    /// The value before and after; 0 for more than eight bytes.
    uint64_t before, after;
    /// For `rxraces_stack`; 0 unless stacks are recorded.
    uint32_t stack;
    /// What is locked or waited for, such as `mutex`; NULL for memory.
    const char *_Nullable thing;
    /// The label of a queue, if it has one.
    const char *_Nullable label;
} rxraces_step;

/// A block that an execution has left behind.
typedef struct {
    size_t size;
    /// For `rxraces_stack`, of the call that has allocated it.
    uint32_t stack;
    /// The actor that has; negative for one that was made before the first step.
    int actor;
    /// The metadata of an object of Swift; NULL for other memory.
    const void *_Nullable metadata;
} rxraces_block;

/// How an execution went wrong by itself.
typedef enum {
    rxraces_no_failure, rxraces_data_race,
    /// A free without an order between it and an access before it.
    rxraces_racing_free,
    rxraces_use_after_free, rxraces_use_after_return, rxraces_double_free, rxraces_deadlock, rxraces_livelock,
    rxraces_crash,
    /// A call that is not modelled.
    rxraces_refused,
    /// The time was over while an actor ran, and took no step.
    rxraces_unfinished,
} rxraces_failure_kind;

typedef struct {
    rxraces_failure_kind kind;
    uintptr_t address;
    /// The actor that noticed it, and that of the other access or of the first free; negative without one.
    int actor, other;
    bool writes, other_writes;
    uintptr_t pc, other_pc;
    uint32_t stack, other_stack;
    /// The signal of a crash.
    int signal;
    /// The name of the call that is refused.
    const char *_Nullable name;
} rxraces_failure;

typedef struct {
    uint64_t executions, steps;
    /// Executions that a reduced search began and found equivalent to earlier ones.
    uint64_t redundant;
    /// How often the search began again, as a lock was learnt or something was made once for all.
    uint64_t restarts;
    /// Whether executions with the same beginning took different ways, so that nothing was exhausted.
    bool is_nondeterministic;
    /// Whether an actor has waited for a time.
    bool has_times;
    /// Whether there was a store that could have come later.
    bool has_stores;
    int most_steps;
} rxraces_statistics;

/// Begins a search.
void rxraces_start(const rxraces_plan *_Nonnull plan);

/// Sets the time after which an execution that does not come to an end is left: half a second after `seconds` from now,
/// or a second where a library runs. One in which an actor takes no step for a second is left at any time. Called after
/// the first `rxraces_start`, and again to set another time.
void rxraces_limit(double seconds);

/// Whether the time is over.
bool rxraces_is_over(void);

/// Before the search of another program: which of the first one's steps were choices says nothing of it.
void rxraces_forget_choices(void);

/// The choices that the next executions of `rxraces_replay` follow: an actor a step. Behind them, an actor goes on for
/// as long as it can.
void rxraces_follow(const uint8_t *_Nonnull choices, int count);

/// Begins an execution, and calls `body` on the first actor's thread; `false` if that crashed.
bool rxraces_set_up(void (*_Nonnull body)(void *_Nonnull), void *_Nonnull context);

/// Lets the actors run to their ends; `false` if they did not get there, for which `rxraces_failed` has the reason.
bool rxraces_run(int count, void (*_Nonnull body)(void *_Nonnull context, int actor), void *_Nonnull context);

/// Calls `body` on the first actor's thread, then frees what actors have freed; `false` if that crashed.
bool rxraces_finish(void (*_Nonnull body)(void *_Nonnull), void *_Nonnull context);

/// Has the next execution take the same way as the last one, before `rxraces_next` is called.
void rxraces_repeat(void);

/// Prepares the next execution; `false` when all have been tried.
bool rxraces_next(void);

/// How the execution failed by itself.
rxraces_failure rxraces_failed(void);

rxraces_statistics rxraces_counts(void);

/// The steps of the last execution.
int rxraces_length(void);
rxraces_step rxraces_step_at(int index);

/// Names the class of equivalent schedules that the last execution belongs to.
uint64_t rxraces_class(void);

/// How many preemptions the last execution had: switches away from an actor that could have gone on.
int rxraces_preemptions(void);

/// How many steps of a replay could not be followed.
int rxraces_strayed(void);

/// Whether accesses of the last execution are steps from the next one on, which then has another schedule.
bool rxraces_has_new_steps(void);

/// The actor's calls where the last execution left it, and the step it could not take; 0 frames once it has ended.
uint32_t rxraces_actor_stack(int actor, uintptr_t *_Nonnull addresses, uint32_t limit);
rxraces_step rxraces_pending(int actor);

/// The return addresses of recorded calls, innermost first; how many there are.
uint32_t rxraces_stack(uint32_t stack, uintptr_t *_Nonnull addresses, uint32_t limit);

/// Allocations on the controller's and the actors' threads since the last set-up, less those that were freed.
int64_t rxraces_allocations_alive(void);

/// The blocks that the last execution has left behind, if stacks were recorded; how many there are.
uint32_t rxraces_blocks_alive(rxraces_block *_Nonnull blocks, uint32_t limit);

/// Whether code at this address belongs to this library, or to another C target of its package.
bool rxraces_is_own_code(uintptr_t pc);

/// Tells this build from others.
uint64_t rxraces_build(void);

/// The accesses that the compiler has made calls of: see `rxraces_instrumentation`.
typedef enum {
    rxraces_not_instrumented,
    /// Those that ThreadSanitizer sees.
    rxraces_ordinary,
    /// All functions, with those that the compiler leaves out: outlined copies of values, deinitialisers.
    rxraces_deep,
    /// As ThreadSanitizer is given it, with its own library.
    rxraces_sanitized,
} rxraces_instrumentation_kind;

/// How this program is compiled.
rxraces_instrumentation_kind rxraces_instrumentation(void);

/// The first data race that ThreadSanitizer's own library has reported, in a program that has it: `addresses` of the
/// calls of both accesses, innermost first. `rxraces_no_failure` without one. On any thread.
rxraces_failure rxraces_reported(void);
uint32_t rxraces_reported_stack(bool is_other, uintptr_t *_Nonnull addresses, uint32_t limit);
