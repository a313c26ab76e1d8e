#pragma once
#include "races.h"

// Work that becomes an actor of its own: blocks of Dispatch, jobs of Swift's tasks, threads.
#ifdef RXRACES_INSTRUMENTED

typedef void *object;
typedef void (*function)(void *context);

// A queue in one execution.
typedef struct queue_state {
    object queue;
    uint32_t generation;
    bool is_serial, is_global;
    struct queue_state *target;
    // The next ticket, how many items have ended, and how many must have before an item begins that is no barrier.
    uint64_t next, ended, after_barrier;
    // Items that run on it or on queues that it is the target of, and whether one of them excludes others.
    int running;
    bool is_exclusive;
    int suspensions;
} queue_state;

// A turn on a queue.
typedef struct {
    queue_state *queue;
    // How many items must have ended before it.
    uint64_t need;
    bool is_exclusive;
    // Whether its actor waits for the turn already, as the first thing that it does.
    bool is_awaited;
} queue_item;

// A count that others wait for: entries of a group, a semaphore's value.
typedef struct {
    object object;
    uint32_t generation;
    int64_t count;
} counter_state;

typedef struct job {
    // A block, or else a function.
    object block;
    function function;
    void *context;
    // Where it takes its turn, once it is due; NULL for none.
    object queue;
    bool is_barrier;
    // Whether its context is a timer's, which knows the queue by itself.
    bool is_timer;
    uint64_t due;
    counter_state *group;
    // The task that it is a part of, or that has yielded and goes on by it.
    void *task;
    bool is_yield;
    uintptr_t pc;
    queue_item item;
} job;

// Begins a job: an actor from the next step on; one from the first step on, or one that runs after the last check.
void rxraces_begin_job(actor *self, job made);
// Announces that work is handed over, then begins it.
void rxraces_hand_over(actor *self, job made);
// The turn that the timer of this actor was given as its time came; without a queue if it was given none.
queue_item rxraces_take_due_item(const actor *self);
// Where a timer takes its turn; NULL if it is suspended, or has nothing to do any more.
object rxraces_queue_of_timer(const void *firing);
// Where the code of its handler begins.
uintptr_t rxraces_code_of_timer(const void *firing);
// How many more jobs can begin.
int rxraces_free_places(void);

// Waits until `next` is possible, or its time has come: `false`. Outside the search, what waits runs in the meantime.
bool rxraces_wait_until(actor *self, operation next);
// A step, where there are any.
void rxraces_take_step(
    actor *self, rxraces_kind kind, void *address, uint8_t size, const char *thing, uintptr_t pc);
// Runs the first job that was begun outside the search and can run; `false` without one.
bool rxraces_run_early_job(actor *self, const queue_state *on);

// The state of a queue, or NULL of none.
queue_state *rxraces_state_of(actor *self, object queue, uintptr_t pc);
queue_item rxraces_ticket(queue_state *queue, bool is_barrier);
// The step by which an item begins.
operation rxraces_turn(const queue_item *item, uintptr_t pc);
void rxraces_begin_turn(actor *self, queue_item *item, uintptr_t pc);
void rxraces_end_turn(actor *self, queue_item *item, uintptr_t pc);
// What this actor runs on: the innermost of its queues.
queue_state *rxraces_current_queue(const actor *self);
bool rxraces_is_on(const queue_state *queue, object wanted);

counter_state *rxraces_counter_of(actor *self, object object, int64_t first, uintptr_t pc);
void rxraces_leave_group(actor *self, counter_state *group, uintptr_t pc);

// A block of `dispatch_block_create`, made by us.
bool rxraces_is_work_item(object block);
bool rxraces_is_barrier(object block);

object _Block_copy(object block);
void _Block_release(object block);
static inline void rxraces_call_block(object block) { ((void (*)(object))((void **)block)[2])(block); }
static inline job rxraces_job_of(object block, object queue, uintptr_t pc) {
    return (job){.block = _Block_copy(block), .queue = queue, .is_barrier = rxraces_is_barrier(block), .pc = pc};
}

// The time that a wait of Dispatch ends at, 0 for never; and whether that is at once.
uint64_t rxraces_due(uint64_t time);
static inline bool rxraces_is_past(uint64_t due) { return due != 0 && due <= rxraces_now(); }

// A function of Dispatch, modelled wherever an actor, the set-up or the last check calls it.
#define MODELLED(result, name, parameters, arguments, ...) \
    result name parameters; \
    result name parameters { \
        actor *self = rxraces_executed(); \
        if (self == NULL) return NEXT(name) arguments; \
        uintptr_t pc = RXRACES_PC; \
        __VA_ARGS__ \
    }
#endif
