#pragma once
// This must precede the first system header.
#if defined(__linux__) && !defined(_GNU_SOURCE)
#define _GNU_SOURCE
#endif
#ifdef RXRACES_INSTRUMENTED
#include "CRaces.h"

// A separate section distinguishes this package's C code from the program's code.
#pragma clang section text = "rxraces_exempt"
// C code is instrumented, and its instrumentation calls these functions, so they must not be instrumented themselves.
// Each file ends with the matching pop.
#pragma clang attribute push(__attribute__((disable_sanitizer_instrumentation)), apply_to = function)

enum { ACTORS = rxraces_most_actors, STEPS = 20000, CALLS = 256, LOOKS = 16 };
typedef uint32_t actor_set;

// The condition under which a step is possible. An actor that waits for a change or for other actors only spins: it
// continues when no other actor can. Virtual time advances before that happens. An actor that waits with a deadline can
// continue once the deadline has passed, whether or not its condition holds.
typedef enum {
    ANY, ONLY_EQUAL, ONLY_DIFFERENT,
    // Possible once a location that the actor reads repeatedly has changed.
    ON_CHANGE,
    // Possible once another actor has taken a step.
    AFTER_OTHERS,
    // Possible only at its due time. `REPEATS` is for a timer that has fired.
    WHEN_DUE, REPEATS,
    ONCE_WOKEN,
    // Possible once the queue at the address allows the item to begin.
    IN_TURN,
    // Possible once one of the files is ready. With the second guard, another process may make a file ready.
    WHEN_READY, WHEN_READY_BY_OTHERS,
} guard;

// The next step of an actor, and the condition under which the actor can take it.
typedef struct {
    uintptr_t address, pc;
    // The value that the `size` bytes at the address must or must not equal. For a wait on files, the address of their
    // list.
    uint64_t value;
    // The time at which the actor continues even if its condition doesn't hold; 0 for never.
    uint64_t due;
    uint8_t kind, size;
    bool writes;
    // Whether the step is expected to change nothing, judged before it is taken.
    bool is_idle;
    // Whether the step is a store that later loads of the same actor may overtake.
    bool may_be_late;
    uint8_t guard;
    // The name of the object that is locked or waited for, and the label of its queue. A queue's item has a label.
    const char *thing, *label;
} operation;

typedef struct {
    operation done;
    int actor;
    // The index of this step among its actor's steps.
    int index;
    // The index of the previous step at the same address; -1 if there is no such step.
    int previous;
    uint64_t before, after;
    uint32_t stack;
    uint8_t choice;
    // Whether this step's actor could also have taken the next step.
    bool could_go_on;
    // Whether the step was taken early, which counts as a preemption, and whether it was taken because its deadline had
    // passed.
    bool is_early, is_timed_out;
    // The number of steps of each actor that happened before this step.
    uint32_t clock[ACTORS];
} event;

typedef struct actor {
    // The saved stack pointer of a waiting actor, the initial stack pointer, and the base of its thread-local storage.
    void *sp, *top;
    uint64_t fs;
    uintptr_t stack_low, stack_high;
    int thread_id;
    uint32_t is_ready;
    bool is_employed, is_live, is_woken;
    // Whether the actor did not run to its end, although no other actor waits for it.
    bool is_left;
    // Whether the last step was taken because its deadline had passed.
    bool is_timed_out;
    int index;
    void (*body)(void *);
    void *context;
    operation pending;
    int steps;
    // The actor that yielded (this actor, or the actor whose task this one continues), and the number of steps that all
    // other actors had taken by then.
    int yielded_by, yielded_at;
    int yields;
    // The number of times that the actor has read a clock.
    int clock_reads;
    // The last announcement of the Swift concurrency runtime, and the actor's step count at that time.
    void *announced;
    int announced_at;
    // The program's most recent call site of the runtime; 0 if there was no call yet.
    uintptr_t announced_by;
    // The ticket of a waiter on one address; 0 if the actor isn't waiting.
    int waits;
    // The number of nested initialisers of globals that the actor is inside.
    int quiet;
    // The program's call site that is allocating an object; 0 outside an allocation.
    uintptr_t allocates_at;
    // The number of consecutive steps that were not choices.
    int alone;
    // The locations that the actor has read since its last step that wasn't a read, and how often each had the same
    // value.
    struct { uintptr_t address; uint64_t value; int size, times; } looks[LOOKS];
    int look_count, last_look;
    // Vector clocks of the schedule's dependence relation and of the memory model's happens-before relation, and copies
    // of both clocks of the actor that woke this one.
    uint32_t dependence[ACTORS], order[ACTORS], wake_dependence[ACTORS], wake_order[ACTORS];
    // The clock that a fence has released, and the clock that a fence would acquire.
    uint32_t fenced[ACTORS], loaded[ACTORS];
    bool has_fence;
    uintptr_t failed_pc, failed_address;
    // Whether the current step is delayed, and the store that other actors do not see yet.
    bool is_delayed;
    struct { bool is_full; uint64_t value; operation done; uint32_t order[ACTORS]; } late;
    int depth;
    uintptr_t calls[CALLS];
} actor;

// Only `RUN` is searched: only this phase has scheduling points, checks and quarantine. In `SET_UP` and `FINISH` the
// first actor runs alone.
typedef enum { IDLE, SET_UP, RUN, FINISH } rxraces_phase;

extern struct rxraces_state {
    rxraces_phase phase;
    // Whether the actors are still running up to their first scheduling point.
    bool is_starting;
    bool is_redundant;
    // Whether the search must begin again: a step was learnt to be a choice or a lock, or an execution diverged from
    // its given prefix.
    bool must_restart, has_learnt;
    int count, length, strayed, divergences;
    // The number of stores that were delayed.
    int late_count;
    // The number of the execution. Table entries carry it, so that tables need no clearing.
    uint32_t generation;
    int64_t alive;
    rxraces_plan plan;
    rxraces_statistics counts;
    rxraces_failure failure;
    actor actors[ACTORS];
    actor controller;
    event events[STEPS];
} rxraces;

// The actor that owns this thread-local storage; NULL on threads that belong to no actor.
extern _Thread_local actor *rxraces_self __attribute__((tls_model("local-exec")));

// Returns the current actor in any phase of an execution; NULL on other threads and between executions.
static inline actor *rxraces_executed(void) {
    actor *self = rxraces_self;
    return self != NULL && rxraces.phase != IDLE ? self : NULL;
}

// Returns the current actor if it is being searched, or else NULL.
static inline actor *rxraces_searched(void) {
    actor *self = rxraces_self;
    return self != NULL && rxraces.phase == RUN ? self : NULL;
}

static inline void rxraces_join(uint32_t *mine, const uint32_t *other) {
    for (int i = 0; i < rxraces.count; i++) if (other[i] > mine[i]) mine[i] = other[i];
}

static inline uint32_t rxraces_hash(uintptr_t key) { return (uint32_t)((key * 0x9E3779B97F4A7C15ull) >> 40); }

static inline uint64_t rxraces_value(uintptr_t address, int size) {
    switch (size) {
    case 1: return *(const uint8_t *)address;
    case 2: return *(const uint16_t *)address;
    case 4: return *(const uint32_t *)address;
    case 8: return *(const uint64_t *)address;
    default: return 0;
    }
}

// Returns a value like `rxraces_value`, of any size.
static inline uint64_t rxraces_digest(uintptr_t address, int size) {
    if (size != 16) return rxraces_value(address, size);
    const uint64_t *words = (const uint64_t *)address;
    return words[0] ^ words[1] * 0x9E3779B97F4A7C15ull;
}

// Fibers.
void rxraces_employ(actor *employee);
void rxraces_switch(actor *from, actor *to);
// Leaves the execution from inside an actor and never returns.
void rxraces_abandon(actor *self) __attribute__((noreturn));
long rxraces_system_call(long number, long a, long b, long c, long d);

// Delayed stores, as in a processor's store buffer. One choice delays a store and counts as a preemption. A second
// choice makes the store visible; at the latest it becomes visible before its actor's next step that is not a load. At
// most one store of an execution is delayed.
enum { LATE = rxraces_most_actors, MOST_LATE = rxraces_most_late };
// Keeps a delayed store. `order` is a memory order by its C11 number.
void rxraces_keep_store(actor *self, uint64_t value, int order);
// These make the delayed store of one actor visible, and the delayed stores of all actors.
void rxraces_store_late(actor *owner);
void rxraces_store_all(void);
// These keep the clock that a delayed store will release, and release the kept clock when the store becomes visible.
void rxraces_keep_order(actor *self, uint32_t *kept, int order);
void rxraces_release_order(uintptr_t address, const uint32_t *kept);

// Scheduling.
void rxraces_prepare(actor *new_actor, void (*body)(void *), void *context);
// Restarts an actor that has ended. Its earlier steps still happen before its new ones.
void rxraces_go_on(actor *ended);
void rxraces_point(actor *self, operation next);
// Records the next step and returns its actor; NULL if no actor can take a step, or the execution is over.
actor *rxraces_decide(void);
// Whether the actor's guard holds, regardless of its deadline.
bool rxraces_is_met(const actor *candidate);
bool rxraces_is_in_turn(const operation *item);
// Chooses among the actors that can continue and the actors that can continue early.
int rxraces_choose(actor_set able, actor_set early, int previous);
void rxraces_restart(void);

// Whether this step is not known to be a choice.
bool rxraces_is_alone(actor *self, const operation *next);
// The first function records which actor touches which cell. The second, called at the end of an execution, learns
// which steps are choices in later executions.
void rxraces_note_touch(const actor *self, const operation *done);
void rxraces_learn_choices(void);

// Reduction.
bool rxraces_are_dependent(const operation *first, const operation *second);
void rxraces_reverse(int actor_index, const operation *next);
void rxraces_order_by_dependence(actor *self, event *recorded);
void rxraces_add_choices(int step, actor_set choices);
actor_set rxraces_able_at(int step);
actor_set rxraces_wanted_at(int step);

// Memory order and data races.
void rxraces_access(actor *self, uintptr_t address, size_t size, bool writes, uintptr_t pc);
void rxraces_synchronise(actor *self, uintptr_t address, int order, bool reads, bool writes);
void rxraces_fence(actor *self, int order);
// Marks a block as freed. A free is a write to the whole block. `is_ordered` means that other actors are known to have
// released the object before.
void rxraces_mark_freed(actor *self, uintptr_t address, size_t size, bool is_ordered, uintptr_t pc);
// Marks the address of a system primitive. Passing a primitive by reference is not an access to it.
void rxraces_set_primitive(uintptr_t address);
// The address range of all memory that this execution freed. It answers most queries without a lookup.
extern struct rxraces_freed_state { uintptr_t low, high; uint32_t generation; } rxraces_freed;
// Ends the execution if the address belongs to freed memory.
void rxraces_look_for_freed(actor *self, uintptr_t address, uintptr_t pc);
static inline void rxraces_check_freed(actor *self, uintptr_t address, uintptr_t pc) {
    if (rxraces_freed.generation == rxraces.generation && address >= rxraces_freed.low && address < rxraces_freed.high)
        rxraces_look_for_freed(self, address, pc);
}
// Whether an access at this place was once followed by the end of its object without an observed release in between.
// Such an access is a step, so that another schedule can order the end first.
extern int rxraces_contested_count;
bool rxraces_is_contested(uintptr_t pc);
void rxraces_add_contested(void);
void rxraces_forget_contested(void);
// Orders all accesses of other actors to an object before its deinitialiser, which is about to run.
void rxraces_order_before_end(actor *self, void *object);
void rxraces_note_stack(const actor *self);
void rxraces_touch_weak(uintptr_t *reference, uintptr_t pc);
uint32_t rxraces_record_stack(const actor *self, uintptr_t pc);
// Returns the innermost call of the program that the actor is in; 0 if it is not known.
uintptr_t rxraces_call_in_program(const actor *self);
// Whether the address belongs to the program's code, and not to this package's C code.
bool rxraces_is_searched_code(uintptr_t pc);
void rxraces_forget_stacks(void);

// Failures. The first failure of an execution is kept.
void rxraces_fail(rxraces_failure failure);
// Whether the execution continues to its end. A data race or a racing free is certain, and does not affect the steps
// after it.
static inline bool rxraces_goes_on(void) { return rxraces.failure.kind <= rxraces_racing_free; }
// Returns the name to refuse if `pc` is a place where a library traps by itself, or else NULL.
const char *rxraces_known_trap(uintptr_t pc);
// Ends the execution because an actor calls a function that is not modelled.
void rxraces_refuse(actor *self, const char *name, uintptr_t pc) __attribute__((noreturn));

// Blocking.
bool rxraces_is_lock_site(uintptr_t pc);
void rxraces_wait_for(actor *self, uintptr_t address);
// Whether one of the files that a step waits for is ready.
bool rxraces_is_ready(const operation *next);
// Closes the files that the previous execution opened and left open.
void rxraces_close_files(void);
// The name to refuse when an actor waits for a socket and no actor can continue.
extern const char *const rxraces_waits_for_peer;
// Returns the name to refuse when an actor waits in the kernel, in the system call of this number.
const char *rxraces_waiting_call(long number);
int rxraces_wake_at(actor *self, uintptr_t address, int limit);

void rxraces_empty_quarantine(void);

// The memory that actors allocate: consecutive blocks from the place where the execution began. So most addresses are
// the same as in the previous execution, and the search's records of them stay in the processor's caches.
extern struct rxraces_heap_state { uintptr_t low, high, begin, end; int64_t blocks; } rxraces_heap;
// Whether a block of this heap that is in use begins at the address.
bool rxraces_is_block(const void *block);
// Begins the heap again where no blocks are left.
void rxraces_begin_heap(void);

// Virtual time: these functions advance it and read it.
void rxraces_advance(uint64_t due);
uint64_t rxraces_now(void);
uint64_t rxraces_elapsed(void);
// Enqueues the items that are due, in the order of their due times.
void rxraces_enqueue_due_items(void);

// The shared address of all steps that make actors, and of all steps of the Swift concurrency runtime. It makes these
// steps depend on each other.
extern uint64_t rxraces_places;

// Swift tasks. Tasks that set-up begins are actors from the first step. Tasks of the last check run at its end.
void rxraces_take_tasks(void);
// Whether the address is code or a global of the Swift concurrency runtime. The runtime's only steps are its
// announcements.
bool rxraces_is_of_tasks(uintptr_t address);
// Whether the address is code of the Swift type-metadata runtime, which creates each type's metadata once, under its
// own locks.
bool rxraces_is_of_types(uintptr_t address);
// Whether the work given to Dispatch is a job of Swift's global or main executor. If so, the job is taken over.
bool rxraces_takes_job(void *queue, void *job, uint64_t due, const void *frame);
// Orders the steps that other actors took before they resumed this task. If they resumed it before it awaited, the
// runtime does not announce that it has seen the resumption.
void rxraces_take_resumption(actor *self);
// Whether the function runs a job of the Swift runtime.
bool rxraces_is_job_runner(const void *function);
bool rxraces_is_on_main(const actor *self);
void rxraces_forget_jobs(void);
void rxraces_add_early_jobs(void);
void rxraces_keep_suspended_jobs(void);
void rxraces_run_left_jobs(void);
void rxraces_drop_values(void);

// The address range of a library, with its code and its globals.
typedef struct { uintptr_t low, high; } rxraces_image;
rxraces_image rxraces_image_around(const void *inside);
static inline bool rxraces_is_in(const rxraces_image *image, uintptr_t address) {
    return address >= image->low && address < image->high;
}

// The next definition of `name` in symbol lookup order: the function that this library's function of the same name
// interposes.
#define NEXT(name) ({ \
    static __typeof__(&name) next; \
    if (next == NULL) next = (__typeof__(&name))dlsym(RTLD_NEXT, #name); \
    next; })

// The return address of the function that uses this macro. It is read immediately, because the compiler moves unlikely
// code into separate functions, whose return address would be in this library.
#define RXRACES_PC ({ \
    uintptr_t its_pc = (uintptr_t)__builtin_return_address(0); \
    __asm__ volatile("" : "+r"(its_pc)); \
    its_pc; })

#endif
