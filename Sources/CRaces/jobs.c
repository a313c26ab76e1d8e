#include "jobs.h"

// Each job is a separate actor, made when the job is handed over. Jobs that set-up begins are actors from the first
// step on. Jobs of the last check run at its end in their order, or as soon as the check waits for them.
#ifdef RXRACES_INSTRUMENTED
#include <dlfcn.h>
#include <string.h>

enum { EARLY = 64 };

// The blocks' library counts their references, which is not observed. The last release frees memory that other actors
// have read.
void _Block_release(object block) {
    actor *self = rxraces_executed();
    enum { IS_COUNTED = 1 << 24, COUNT = 0xfffe, ONE = 2 };
    if (self != NULL && block != NULL && (((int *)block)[2] & IS_COUNTED)) {
        bool is_last = (((int *)block)[2] & COUNT) == ONE;
        rxraces_synchronise(self, (uintptr_t)block + 8, is_last ? 4 : 3, true, true);
    }
    NEXT(_Block_release)(block);
}

static job jobs[ACTORS], early[EARLY];
static int early_count;
uint64_t rxraces_places;

void rxraces_take_step(
    actor *self, rxraces_kind kind, void *address, uint8_t size, const char *thing, uintptr_t pc
) {
    if (rxraces.phase != RUN) return;
    rxraces_point(self, (operation){
        .kind = (uint8_t)kind, .address = (uintptr_t)address, .size = size, .writes = kind != rxraces_load,
        .thing = thing, .pc = pc});
}

static void call(const job *called) {
    if (called->block != NULL) {
        rxraces_call_block(called->block);
        _Block_release(called->block);
    } else {
        called->function(called->context);
    }
}

// Returns the address at which the job's code begins.
static uintptr_t beginning(const job *asked) {
    if (asked->is_timer) return rxraces_code_of_timer(asked->context);
    return (uintptr_t)(asked->block != NULL ? ((void **)asked->block)[2] : (void *)asked->function) + 1;
}

// Makes the actor of a job wait for its turn at once, because it does nothing before its turn. So the actor is not
// chosen until it has its turn.
static void await_turn(int place) {
    job *waiting = &jobs[place];
    if (waiting->item.queue->is_global) return;
    waiting->item.is_awaited = true;
    rxraces.actors[place].pending = rxraces_turn(&waiting->item, beginning(waiting));
}

static void run_job(void *context) {
    actor *self = rxraces_self;
    job *mine = context;
    self->depth = 0;
    self->announced_by = 0;
    uintptr_t pc = beginning(mine);
    // The job's due time had already passed when the job was made.
    if (mine->queue != NULL && mine->item.queue == NULL)
        mine->item = rxraces_ticket(rxraces_state_of(self, mine->queue, pc), mine->is_barrier);
    if (mine->queue != NULL) rxraces_begin_turn(self, &mine->item, pc);
    call(mine);
    if (mine->queue != NULL) rxraces_end_turn(self, &mine->item, pc);
    if (mine->group != NULL) rxraces_leave_group(self, mine->group, pc);
}

void rxraces_enqueue_due_items(void) {
    for (int i = 0; i < rxraces.count; i++) {
        const actor *each = &rxraces.actors[i];
        bool waits = each->pending.guard == WHEN_DUE || each->pending.guard == REPEATS;
        if (!each->is_live || !waits || each->pending.due > rxraces_now() || jobs[i].item.queue != NULL) continue;
        // Other actors are asleep.
        if (each->body != run_job || each->pending.kind != rxraces_begin) continue;
        object queue = jobs[i].is_timer ? rxraces_queue_of_timer(jobs[i].context) : jobs[i].queue;
        if (queue == NULL) continue;
        jobs[i].item = rxraces_ticket(rxraces_state_of(rxraces_self, queue, jobs[i].pc), jobs[i].is_barrier);
        await_turn(i);
    }
}

queue_item rxraces_take_due_item(const actor *self) {
    queue_item item = {.queue = NULL};
    if (rxraces.phase != RUN) return item;
    item = jobs[self->index].item;
    jobs[self->index].item.queue = NULL;
    return item;
}

// A task whose last job has ended continues as the same actor, because a task's jobs follow one another. The same
// applies to the jobs by which a task continues after it has yielded.
static int free_place(const job *made) {
    for (int i = 0; i < rxraces.count && made->task != NULL; i++)
        if (jobs[i].task == made->task && jobs[i].is_yield == made->is_yield && !rxraces.actors[i].is_live) return i;
    return rxraces.count;
}

int rxraces_free_places(void) { return rxraces.phase == RUN ? ACTORS - rxraces.count : EARLY - early_count; }

static void make_actor(actor *self, job made) {
    int place = free_place(&made);
    if (place == ACTORS)
        rxraces_refuse(self, "more blocks, jobs and threads than 24 actors have room for; make fewer of them", made.pc);
    actor *new_actor = &rxraces.actors[place];
    if (!new_actor->is_employed || new_actor->is_live)
        rxraces_refuse(self, "a block before its actor is ready", made.pc);
    bool is_later = made.due > rxraces_now();
    queue_state *queue = made.queue != NULL ? rxraces_state_of(self, made.queue, made.pc) : NULL;
    if (queue != NULL && !is_later) made.item = rxraces_ticket(queue, made.is_barrier);
    jobs[place] = made;
    if (place == rxraces.count) {
        rxraces_prepare(new_actor, run_job, &jobs[place]);
        rxraces.count++;
    } else {
        rxraces_go_on(new_actor);
    }
    self->order[self->index]++;
    rxraces_join(new_actor->dependence, self->dependence);
    rxraces_join(new_actor->order, self->order);
    new_actor->pending = (operation){
        .kind = rxraces_begin, .due = is_later ? made.due : 0, .guard = is_later ? WHEN_DUE : ANY, .pc = made.pc};
    // A task that polls lets all other actors run first after a few yields.
    enum { YIELDS = 4 };
    if (made.is_yield && ++new_actor->yields > YIELDS) {
        new_actor->pending.guard = AFTER_OTHERS;
        new_actor->yielded_by = self->index;
        new_actor->yielded_at = rxraces.length - self->steps;
    }
    // A report shows where the job was handed over.
    if (rxraces.plan.records_stacks) {
        new_actor->depth = self->depth;
        memcpy(new_actor->calls, self->calls, sizeof new_actor->calls);
        uintptr_t call = rxraces_is_searched_code(made.pc) ? 0 : rxraces_call_in_program(self);
        if (call != 0) new_actor->calls[new_actor->depth++ & (CALLS - 1)] = call;
    }
    // A job of the runtime itself that belongs to no task: a Swift actor's turn, which processes the jobs that wait for
    // it.
    if (made.function != NULL && rxraces_is_job_runner((void *)made.function)
        && (made.task == NULL || made.is_yield)) {
        new_actor->pending.address = (uintptr_t)&rxraces_places;
        new_actor->pending.size = 8;
        new_actor->pending.writes = true;
    } else if (made.item.queue != NULL) {
        await_turn(place);
    }
}

void rxraces_begin_job(actor *self, job made) {
    if (rxraces.phase == RUN) {
        make_actor(self, made);
        return;
    }
    if (early_count == EARLY) rxraces_refuse(self, "more than 64 blocks and jobs outside the search", made.pc);
    early[early_count++] = made;
}

void rxraces_hand_over(actor *self, job made) {
    rxraces_take_step(self, rxraces_enqueue, &rxraces_places, 8, NULL, made.pc);
    rxraces_begin_job(self, made);
}

// MARK: Outside the search

void rxraces_forget_jobs(void) { early_count = 0; }

void rxraces_add_early_jobs(void) {
    for (int i = 0; i < early_count; i++) make_actor(&rxraces.actors[0], early[i]);
    early_count = 0;
}

// A job that waits for a suspended queue is not a blocked actor. It is kept for the last check.
void rxraces_keep_suspended_jobs(void) {
    for (int i = 0; i < rxraces.count && early_count < EARLY; i++) {
        actor *each = &rxraces.actors[i];
        if (!each->is_live || each->pending.guard != IN_TURN || each->body != run_job) continue;
        bool is_suspended = false;
        for (const queue_state *queue = jobs[i].item.queue; queue != NULL; queue = queue->target)
            is_suspended |= queue->suspensions > 0;
        if (!is_suspended || (uintptr_t)&jobs[i].item != each->pending.value) continue;
        each->is_live = false;
        each->is_left = !jobs[i].item.is_awaited;
        early[early_count] = jobs[i];
        early[early_count++].item.is_awaited = false;
    }
}

static bool is_runnable(const job *waiting) {
    if (waiting->queue == NULL) return true;
    queue_state *queue = rxraces_state_of(rxraces_self, waiting->queue, waiting->pc);
    for (; queue != NULL; queue = queue->target) if (queue->suspensions > 0) return false;
    return true;
}

// Returns the runnable job with the earliest due time, in the order of arrival.
static int next_early_job(const queue_state *on) {
    int first = -1;
    for (int i = 0; i < early_count; i++) {
        if (!is_runnable(&early[i])) continue;
        if (on != NULL && (early[i].queue == NULL || early[i].queue != on->queue)) continue;
        if (first < 0 || early[i].due < early[first].due) first = i;
    }
    return first;
}

bool rxraces_run_early_job(actor *self, const queue_state *on) {
    int place = next_early_job(on);
    if (place < 0) return false;
    job run = early[place];
    memmove(early + place, early + place + 1, (size_t)(--early_count - place) * sizeof *early);
    if (run.due != 0) rxraces_advance(run.due);
    // A job that is left from the search already has a ticket.
    if (run.queue != NULL && run.item.queue == NULL)
        run.item = rxraces_ticket(rxraces_state_of(self, run.queue, run.pc), run.is_barrier);
    // All items before it have run.
    if (run.item.queue != NULL) run.item.need = 0;
    if (run.item.queue != NULL) rxraces_begin_turn(self, &run.item, run.pc);
    call(&run);
    if (run.item.queue != NULL) rxraces_end_turn(self, &run.item, run.pc);
    if (run.group != NULL) rxraces_leave_group(self, run.group, run.pc);
    return true;
}

void rxraces_run_left_jobs(void) { while (rxraces_run_early_job(rxraces_self, NULL)) {} }

bool rxraces_wait_until(actor *self, operation next) {
    if (rxraces.phase == RUN) {
        rxraces_point(self, next);
        return !self->is_timed_out;
    }
    while (true) {
        self->pending = next;
        if (rxraces_is_met(self)) return true;
        if (rxraces_run_early_job(self, NULL)) continue;
        if (next.due != 0) {
            rxraces_advance(next.due);
            return false;
        }
        rxraces_fail((rxraces_failure){
            .kind = rxraces_deadlock, .actor = self->index, .other = -1, .pc = next.pc});
        rxraces_abandon(self);
    }
}
#pragma clang attribute pop
#endif
