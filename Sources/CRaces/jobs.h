#pragma once
#include "races.h"

// Work that becomes a separate actor: Dispatch blocks, jobs of Swift tasks, threads.
#ifdef RXRACES_INSTRUMENTED

typedef void *object;
typedef void (*function)(void *context);

// A queue in one execution.
typedef struct queue_state {
    object queue;
    uint32_t generation;
    bool is_serial, is_global;
    struct queue_state *target;
    // The next ticket, the number of items that have ended, and the number that must have ended before an item that is
    // not a barrier can begin.
    uint64_t next, ended, after_barrier;
    // The number of items that run on this queue or on queues that target it, and whether one of them excludes other
    // items.
    int running;
    bool is_exclusive;
    int suspensions;
} queue_state;

// A turn on a queue.
typedef struct {
    queue_state *queue;
    // The number of items that must have ended before this one begins.
    uint64_t need;
    bool is_exclusive;
    // Whether the item's actor already waits for the turn as its first step.
    bool is_awaited;
} queue_item;

// A count that actors wait for: the entries of a group, or a semaphore's value.
typedef struct {
    object object;
    uint32_t generation;
    int64_t count;
} counter_state;

typedef struct job {
    // A block; if it is NULL, the job is a function.
    object block;
    function function;
    void *context;
    // The queue on which the job takes its turn once it is due; NULL for no queue.
    object queue;
    bool is_barrier;
    // Whether the context belongs to a timer, which knows its own queue.
    bool is_timer;
    uint64_t due;
    counter_state *group;
    // The task that the job is part of, or the task that has yielded and continues by this job.
    void *task;
    bool is_yield;
    uintptr_t pc;
    queue_item item;
} job;

// Begins a job. During the search the job is an actor from the next step on. In set-up it is an actor from the first
// step on. In the last check it runs after the check.
void rxraces_begin_job(actor *self, job made);
// Announces that work is handed over, then begins the work.
void rxraces_hand_over(actor *self, job made);
// Takes the turn that this actor's timer was given when it became due. The turn has no queue if the timer was given
// none.
queue_item rxraces_take_due_item(const actor *self);
// Returns the queue on which a timer takes its turn; NULL if the timer is suspended or has nothing left to do.
object rxraces_queue_of_timer(const void *firing);
// Returns the address at which the code of the timer's handler begins.
uintptr_t rxraces_code_of_timer(const void *firing);
// Returns the number of jobs that can still begin.
int rxraces_free_places(void);

// Waits until `next` is possible; returns `false` if its deadline passed first. Outside the search, waiting jobs run
// during the wait.
bool rxraces_wait_until(actor *self, operation next);
// Takes a step. Outside the search, does nothing.
void rxraces_take_step(
    actor *self, rxraces_kind kind, void *address, uint8_t size, const char *thing, uintptr_t pc);
// Runs the first runnable job that was begun outside the search; returns `false` if there is no such job.
bool rxraces_run_early_job(actor *self, const queue_state *on);

// Returns the state of a queue in this execution.
queue_state *rxraces_state_of(actor *self, object queue, uintptr_t pc);
queue_item rxraces_ticket(queue_state *queue, bool is_barrier);
// Returns the step that begins an item.
operation rxraces_turn(const queue_item *item, uintptr_t pc);
void rxraces_begin_turn(actor *self, queue_item *item, uintptr_t pc);
void rxraces_end_turn(actor *self, queue_item *item, uintptr_t pc);
// Returns the innermost queue that this actor runs on.
queue_state *rxraces_current_queue(const actor *self);
bool rxraces_is_on(const queue_state *queue, object wanted);

counter_state *rxraces_counter_of(actor *self, object object, int64_t first, uintptr_t pc);
void rxraces_leave_group(actor *self, counter_state *group, uintptr_t pc);

// Whether the block was made by this library's `dispatch_block_create`.
bool rxraces_is_work_item(object block);
bool rxraces_is_barrier(object block);

object _Block_copy(object block);
void _Block_release(object block);
static inline void rxraces_call_block(object block) { ((void (*)(object))((void **)block)[2])(block); }
static inline job rxraces_job_of(object block, object queue, uintptr_t pc) {
    return (job){.block = _Block_copy(block), .queue = queue, .is_barrier = rxraces_is_barrier(block), .pc = pc};
}

// The first function returns the time at which a Dispatch wait ends; 0 for never. The second returns whether that time
// has already passed.
uint64_t rxraces_due(uint64_t time);
static inline bool rxraces_is_past(uint64_t due) { return due != 0 && due <= rxraces_now(); }

// Defines a Dispatch function that is modelled when an actor, the set-up or the last check calls it.
#define MODELLED(result, name, parameters, arguments, ...) \
    result name parameters; \
    result name parameters { \
        actor *self = rxraces_executed(); \
        if (self == NULL) return NEXT(name) arguments; \
        uintptr_t pc = RXRACES_PC; \
        __VA_ARGS__ \
    }
#endif
