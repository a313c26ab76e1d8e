#pragma once
// Before the first header of the system.
#if defined(__linux__) && !defined(_GNU_SOURCE)
#define _GNU_SOURCE
#endif
#ifdef RXRACES_INSTRUMENTED
#include "CRaces.h"

// This package's own C code is told from the program's by its section.
#pragma clang section text = "rxraces_exempt"
// C code is instrumented, and this is what its instrumentation calls. Each file ends with the pop.
#pragma clang attribute push(__attribute__((disable_sanitizer_instrumentation)), apply_to = function)

enum { ACTORS = rxraces_most_actors, STEPS = 20000, CALLS = 256, LOOKS = 16 };
typedef uint32_t actor_set;

// When a step is possible. An actor that waits for a change or for others only spins: it goes on when no other actor
// can. Time passes before that. An actor that waits with a time can go on from that time on, whatever it waits for.
typedef enum {
    ANY, ONLY_EQUAL, ONLY_DIFFERENT,
    // Once something that the actor has looked at again and again is different.
    ON_CHANGE,
    // Once others have taken a step.
    AFTER_OTHERS,
    // At its time alone; `REPEATS` for a timer that has fired.
    WHEN_DUE, REPEATS,
    ONCE_WOKEN,
    // Once the queue at the address lets the item begin.
    IN_TURN,
    // Once one of the files is ready; the second may become so by another process.
    WHEN_READY, WHEN_READY_BY_OTHERS,
} guard;

// The next step of an actor, and when it can take it.
typedef struct {
    uintptr_t address, pc;
    // The value to be found, or not to be found, in `size` bytes at the address; where the files are that it waits for.
    uint64_t value;
    // The time at which it goes on whatever it waits for; 0 for never.
    uint64_t due;
    uint8_t kind, size;
    bool writes;
    // Whether it would change nothing, as far as is known before it.
    bool is_idle;
    // Whether it is a store that loads of its actor may overtake.
    bool may_be_late;
    uint8_t guard;
    // What is locked or waited for; the item of a queue has it.
    const char *thing, *label;
} operation;

typedef struct {
    operation done;
    int actor;
    // The how manieth of its actor.
    int index;
    // The last one before it at the same address; -1 without.
    int previous;
    uint64_t before, after;
    uint32_t stack;
    uint8_t choice;
    // Whether its actor could have taken the next step too.
    bool could_go_on;
    // Whether it was taken early, which counts as a preemption, and whether since its time had come.
    bool is_early, is_timed_out;
    // The steps of each actor that happened before it.
    uint32_t clock[ACTORS];
} event;

typedef struct actor {
    // Its stack where it waits, and the thread-local storage it runs with.
    void *sp, *top;
    uint64_t fs;
    uintptr_t stack_low, stack_high;
    int thread_id;
    uint32_t is_ready;
    bool is_employed, is_live, is_woken;
    // Whether it has not come to its end, though nobody waits for it.
    bool is_left;
    // Whether its last step was taken since its time had come.
    bool is_timed_out;
    int index;
    void (*body)(void *);
    void *context;
    operation pending;
    int steps;
    // The actor that has yielded, this one or the task that goes on by it, and the steps of all others by then.
    int yielded_by, yielded_at;
    int yields;
    // How often it has read a clock.
    int clock_reads;
    // The last announcement of the runtime of Swift's concurrency, and after how many steps.
    void *announced;
    int announced_at;
    // The place in the program that called the runtime last; 0 if none did yet.
    uintptr_t announced_by;
    // A number that orders those who wait for one address; 0 for who does not.
    int waits;
    // Inside the initialiser of a global.
    int quiet;
    // The call in the program that allocates an object; 0 outside it.
    uintptr_t allocates_at;
    // How many steps in a row were no choice.
    int alone;
    // What it has read since it last did anything else, and how often it found the same.
    struct { uintptr_t address; uint64_t value; int size, times; } looks[LOOKS];
    int look_count, last_look;
    // Orders of the schedule (dependence), of the memory model (happens-before), and both of who woke it.
    uint32_t dependence[ACTORS], order[ACTORS], wake_dependence[ACTORS], wake_order[ACTORS];
    // The order that a fence has released, and the one that a fence would acquire.
    uint32_t fenced[ACTORS], loaded[ACTORS];
    bool has_fence;
    uintptr_t failed_pc, failed_address;
    // Whether the step that it takes is delayed; the store that others do not see yet.
    bool is_delayed;
    struct { bool is_full; uint64_t value; operation done; uint32_t order[ACTORS]; } late;
    int depth;
    uintptr_t calls[CALLS];
} actor;

// Searched: only here are points, checks and quarantine. In `SET_UP` and `FINISH` the first actor runs alone.
typedef enum { IDLE, SET_UP, RUN, FINISH } rxraces_phase;

extern struct rxraces_state {
    rxraces_phase phase;
    // Actors run up to their first point.
    bool is_starting;
    bool is_redundant;
    // The search has to begin anew: something was learnt, or an execution took another way than before.
    bool must_restart, has_learnt;
    int count, length, strayed, divergences;
    // How many stores were delayed.
    int late_count;
    // Names an execution, so that tables need no clearing.
    uint32_t generation;
    int64_t alive;
    rxraces_plan plan;
    rxraces_statistics counts;
    rxraces_failure failure;
    actor actors[ACTORS];
    actor controller;
    event events[STEPS];
} rxraces;

// The actor whose storage this is; NULL on threads of others.
extern _Thread_local actor *rxraces_self __attribute__((tls_model("local-exec")));

// This actor, in any part of an execution; NULL on other threads and between executions.
static inline actor *rxraces_executed(void) {
    actor *self = rxraces_self;
    return self != NULL && rxraces.phase != IDLE ? self : NULL;
}

// This actor, if it is being searched; else NULL.
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

// As `rxraces_value`, of any size.
static inline uint64_t rxraces_digest(uintptr_t address, int size) {
    if (size != 16) return rxraces_value(address, size);
    const uint64_t *words = (const uint64_t *)address;
    return words[0] ^ words[1] * 0x9E3779B97F4A7C15ull;
}

// Fibers.
void rxraces_employ(actor *employee);
void rxraces_switch(actor *from, actor *to);
// Leaves this execution for good, from inside an actor.
void rxraces_abandon(actor *self) __attribute__((noreturn));
long rxraces_system_call(long number, long a, long b, long c, long d);

// Stores that come late, as with a processor's store buffer: a store is delayed by a choice, which counts as a
// preemption, and comes by another one, or before the next step of its actor that is no load. At most one of an
// execution is delayed.
enum { LATE = rxraces_most_actors, MOST_LATE = rxraces_most_late };
// Keeps a store that is delayed; the order is one of C11's numbers.
void rxraces_keep_store(actor *self, uint64_t value, int order);
// The store comes; and all of them do.
void rxraces_store_late(actor *owner);
void rxraces_store_all(void);
// The orders that a delayed store will release, and that it has by then.
void rxraces_keep_order(actor *self, uint32_t *kept, int order);
void rxraces_release_order(uintptr_t address, const uint32_t *kept);

// Scheduling.
void rxraces_prepare(actor *new_actor, void (*body)(void *), void *context);
// Has an actor that has ended begin anew: what it did before stays before.
void rxraces_go_on(actor *ended);
void rxraces_point(actor *self, operation next);
// Returns the actor that takes the next step, which is recorded; NULL if none can, or the execution is over.
actor *rxraces_decide(void);
// Whether what the actor waits for is there, whatever the time.
bool rxraces_is_met(const actor *candidate);
bool rxraces_is_in_turn(const operation *item);
// Chooses among those that can go on and those that can do so early.
int rxraces_choose(actor_set able, actor_set early, int previous);
void rxraces_restart(void);

// Whether this step is no choice, as far as is known.
bool rxraces_is_alone(actor *self, const operation *next);
// Keeps who touches what; at the end of an execution, which steps are choices from now on.
void rxraces_note_touch(const actor *self, const operation *done);
void rxraces_learn_choices(void);

// Reduction.
bool rxraces_are_dependent(const operation *first, const operation *second);
void rxraces_reverse(int actor_index, const operation *next);
void rxraces_order_by_dependence(actor *self, event *recorded);
void rxraces_add_choices(int step, actor_set choices);
actor_set rxraces_able_at(int step);
actor_set rxraces_wanted_at(int step);

// Order and races of memory.
void rxraces_access(actor *self, uintptr_t address, size_t size, bool writes, uintptr_t pc);
void rxraces_synchronise(actor *self, uintptr_t address, int order, bool reads, bool writes);
void rxraces_fence(actor *self, int order);
// A free is a write to the whole block; `is_ordered` where others are known to have released it before.
void rxraces_mark_freed(actor *self, uintptr_t address, size_t size, bool is_ordered, uintptr_t pc);
// A primitive of the system lies there: passing it by reference is no access to it.
void rxraces_set_primitive(uintptr_t address);
// Where what was freed in this execution lies, so that most questions need no look.
extern struct rxraces_freed_state { uintptr_t low, high; uint32_t generation; } rxraces_freed;
// Ends the execution if something touches what was freed.
void rxraces_look_for_freed(actor *self, uintptr_t address, uintptr_t pc);
static inline void rxraces_check_freed(actor *self, uintptr_t address, uintptr_t pc) {
    if (rxraces_freed.generation == rxraces.generation && address >= rxraces_freed.low && address < rxraces_freed.high)
        rxraces_look_for_freed(self, address, pc);
}
// Whether an access at this place was once followed by the end of its object, without a release between them that is
// seen: then it is a step, so that another schedule has the end first.
extern int rxraces_contested_count;
bool rxraces_is_contested(uintptr_t pc);
void rxraces_add_contested(void);
void rxraces_forget_contested(void);
// Orders all that others did with an object before its deinitialiser, which begins.
void rxraces_order_before_end(actor *self, void *object);
void rxraces_note_stack(const actor *self);
void rxraces_touch_weak(uintptr_t *reference, uintptr_t pc);
uint32_t rxraces_record_stack(const actor *self, uintptr_t pc);
// The innermost call of the program that the actor is in; 0 if it is not known.
uintptr_t rxraces_call_in_program(const actor *self);
// Whether code of the program lies there that is not this package's own in C.
bool rxraces_is_searched_code(uintptr_t pc);
void rxraces_forget_stacks(void);

// Failures: the first one of an execution is kept.
void rxraces_fail(rxraces_failure failure);
// Whether the execution goes on to its end: what was found is certain, and says nothing of what comes after it.
static inline bool rxraces_goes_on(void) { return rxraces.failure.kind <= rxraces_racing_free; }
// What to refuse where a library traps by itself; NULL where it does not.
const char *rxraces_known_trap(uintptr_t pc);
// Ends the execution: an actor calls what is not modelled.
void rxraces_refuse(actor *self, const char *name, uintptr_t pc) __attribute__((noreturn));

// Blocking.
bool rxraces_is_lock_site(uintptr_t pc);
void rxraces_wait_for(actor *self, uintptr_t address);
// Whether one of the files that a step waits for is ready.
bool rxraces_is_ready(const operation *next);
// Closes the files that the execution before has made and left open.
void rxraces_close_files(void);
// What to refuse where an actor waits for a socket and no actor can go on.
extern const char *const rxraces_waits_for_peer;
// What to refuse where an actor waits in the kernel, in the system call of this number.
const char *rxraces_waiting_call(long number);
int rxraces_wake_at(actor *self, uintptr_t address, int limit);

void rxraces_empty_quarantine(void);

// The memory that actors allocate: one block behind the other, from where the execution began: most addresses are those
// of the execution before, and what the search keeps of them stays in the caches.
extern struct rxraces_heap_state { uintptr_t low, high, begin, end; int64_t blocks; } rxraces_heap;
// Whether a block of it begins there that is in use.
bool rxraces_is_block(const void *block);
// Begins it anew where nothing of it is left.
void rxraces_begin_heap(void);

// Virtual time: lets it pass, and tells it.
void rxraces_advance(uint64_t due);
uint64_t rxraces_now(void);
uint64_t rxraces_elapsed(void);
// Enqueues the items whose time has come, in the order of their times.
void rxraces_enqueue_due_items(void);

// An order of all that make actors, and of all that the runtime of Swift's concurrency does.
extern uint64_t rxraces_places;

// Swift's tasks. Those that set-up begins are actors from the first step on; those of the last check run at its end.
void rxraces_take_tasks(void);
// Whether it is code or a global of the runtime of Swift's concurrency, whose steps are only those that it announces.
bool rxraces_is_of_tasks(uintptr_t address);
// Whether it is code of the runtime of Swift's types, which makes their metadata once, under locks of its own.
bool rxraces_is_of_types(uintptr_t address);
// Whether what Dispatch is given is a job of Swift's global or main executor, which is then taken.
bool rxraces_takes_job(void *queue, void *job, uint64_t due, const void *frame);
// Orders what others did before they resumed this task: where they did before it awaited that, the runtime does not
// tell that it has seen it.
void rxraces_take_resumption(actor *self);
// Whether a function runs a job of the runtime.
bool rxraces_is_job_runner(const void *function);
bool rxraces_is_on_main(const actor *self);
void rxraces_forget_jobs(void);
void rxraces_add_early_jobs(void);
void rxraces_keep_suspended_jobs(void);
void rxraces_run_left_jobs(void);
void rxraces_drop_values(void);

// Where a library lies, with its code and its globals.
typedef struct { uintptr_t low, high; } rxraces_image;
rxraces_image rxraces_image_around(const void *inside);
static inline bool rxraces_is_in(const rxraces_image *image, uintptr_t address) {
    return address >= image->low && address < image->high;
}

// The function that one of the same name stands before.
#define NEXT(name) ({ \
    static __typeof__(&name) next; \
    if (next == NULL) next = (__typeof__(&name))dlsym(RTLD_NEXT, #name); \
    next; })

// The return address of the function that uses it, read right there: the compiler moves unlikely code into separate
// functions, where the return address would lie in this library.
#define RXRACES_PC ({ \
    uintptr_t its_pc = (uintptr_t)__builtin_return_address(0); \
    __asm__ volatile("" : "+r"(its_pc)); \
    its_pc; })

#endif
