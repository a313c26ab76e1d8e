#include "jobs.h"

// A model of time. Time is virtual, in nanoseconds, and the same on all clocks. The duration of a step is not known, so
// time may advance before any step, up to the earliest time that an actor waits for. So deadlines keep their order.
// Advancing the time counts as a preemption unless all other actors wait. Dispatch timers are implemented here
// completely. Sleeping is modelled in blocking.c.
#ifdef RXRACES_INSTRUMENTED
#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>

enum { BEGIN = 1000000000, SECOND = 1000000000 };
static uint64_t now;
static uint32_t now_of;

uint64_t rxraces_now(void) {
    if (now_of != rxraces.generation) now = BEGIN;
    now_of = rxraces.generation;
    return now;
}

uint64_t rxraces_elapsed(void) { return rxraces_now() - BEGIN; }

void rxraces_advance(uint64_t due) { if (due > rxraces_now()) now = due; }

// Dispatch times: 0 is now, all ones is never, and negative values belong to the wall clock and are negated.
static const uint64_t never = ~0ull;

uint64_t rxraces_due(uint64_t time) {
    if (time == never) return 0;
    if (time >> 62 == 3) time = 0 - time;
    else time &= ~(3ull << 62);
    return time > rxraces_now() ? time : rxraces_now();
}

MODELLED(uint64_t, dispatch_time, (uint64_t when, int64_t span), (when, span),
    (void)self, (void)pc;
    if (when == never) return never;
    bool is_wall = when >> 62 == 3;
    uint64_t due = when == 0 ? rxraces_now() : rxraces_due(when);
    // A sum that is too large means never.
    if (span > 0 && due + (uint64_t)span >= 1ull << 62) return never;
    due += (uint64_t)span;
    return is_wall ? 0 - due : due;)
MODELLED(uint64_t, dispatch_walltime, (const struct timespec *when, int64_t span), (when, span),
    (void)self, (void)pc;
    uint64_t base = when == NULL ? rxraces_now() : (uint64_t)when->tv_sec * SECOND + (uint64_t)when->tv_nsec;
    return 0 - (base + (uint64_t)span);)

// An actor that reads a clock repeatedly waits for a time. The time is not known, so the actor pauses for 10 ms, for 10
// s, and then for hours. There are few pauses because each of them may count as a preemption.
static void note_clock_read(actor *self, uintptr_t pc) {
    enum { PATIENCE = 32 };
    static const uint64_t pauses[] = {SECOND / 100, 10ull * SECOND, 10000ull * SECOND};
    if (rxraces.phase != RUN || self->quiet || ++self->clock_reads <= PATIENCE) return;
    int pause = self->clock_reads - PATIENCE - 1;
    uint64_t due = rxraces_now() + pauses[pause < 2 ? pause : 2];
    rxraces_point(self, (operation){.kind = rxraces_yield, .guard = WHEN_DUE, .due = due, .pc = pc});
}

int clock_gettime(clockid_t clock, struct timespec *time) {
    actor *self = rxraces_executed();
    if (self == NULL) return (int)rxraces_system_call(SYS_clock_gettime, clock, (long)time, 0, 0);
    note_clock_read(self, RXRACES_PC);
    time->tv_sec = (time_t)(rxraces_now() / SECOND);
    time->tv_nsec = (long)(rxraces_now() % SECOND);
    return 0;
}

int gettimeofday(struct timeval *time, void *zone) {
    actor *self = rxraces_executed();
    if (self == NULL) return (int)rxraces_system_call(SYS_gettimeofday, (long)time, (long)zone, 0, 0);
    note_clock_read(self, RXRACES_PC);
    time->tv_sec = (time_t)(rxraces_now() / SECOND);
    time->tv_usec = (suseconds_t)(rxraces_now() % SECOND / 1000);
    return 0;
}

// MARK: Delayed work

static void hand_over_later(actor *self, uint64_t time, job made) {
    made.due = rxraces_due(time);
    // The time is 0 if the work is never due.
    if (made.due != 0) rxraces_hand_over(self, made);
    else if (made.block != NULL) _Block_release(made.block);
}

MODELLED(void, dispatch_after, (uint64_t time, object queue, object block), (time, queue, block),
    hand_over_later(self, time, rxraces_job_of(block, queue, pc));)

void dispatch_after_f(uint64_t time, object queue, void *context, function body);
void dispatch_after_f(uint64_t time, object queue, void *context, function body) {
    actor *self = rxraces_executed();
    if (self != NULL && rxraces_takes_job(queue, context, rxraces_due(time), __builtin_frame_address(0))) return;
    job made = {.function = body, .context = context, .queue = queue, .pc = RXRACES_PC};
    if (self == NULL) NEXT(dispatch_after_f)(time, queue, context, body);
    else hand_over_later(self, time, made);
}

// MARK: Timers

enum { LONELY_FIRES = 16 };
extern struct { int unused; } _dispatch_source_type_timer;

typedef struct {
    object block;
    function function;
} handler;

typedef struct {
    // The first word of a Dispatch object identifies its kind.
    const void *kind;
    int references;
    object queue;
    void *context;
    uint64_t due, interval;
    handler event, cancellation, registration;
    // All steps on the timer use the address of `suspensions`, so that a report has one name for the timer.
    int64_t suspensions, is_cancelled;
    // Whether the cancellation handler must still be called once the timer is active.
    bool awaits_cancellation;
    bool is_active;
    // The number of the current setting. A job of an earlier setting has nothing to do.
    uint64_t setting;
} timer;

typedef struct { timer *timer; uint64_t setting; } firing;

static const char timer_kind;
bool rxraces_is_source(object source) { return ((timer *)source)->kind == &timer_kind; }

static void release(timer *released) {
    if (--released->references > 0) return;
    handler *handlers[] = {&released->event, &released->cancellation, &released->registration};
    for (int i = 0; i < 3; i++) if (handlers[i]->block != NULL) _Block_release(handlers[i]->block);
    free(released);
}

static void call(const timer *called, const handler *handler) {
    // The call is ordered after the setting of the handler, and after a cancellation of the timer.
    rxraces_synchronise(rxraces_self, (uintptr_t)called, 2, true, true);
    if (handler->block != NULL) rxraces_call_block(handler->block);
    else if (handler->function != NULL) handler->function(called->context);
}

// Whether all remaining actors are timers that have fired and repeat.
static bool is_lonely(const actor *self) {
    for (int i = 0; i < rxraces.count; i++) {
        const actor *other = &rxraces.actors[i];
        if (other != self && other->is_live && other->pending.guard != REPEATS) return false;
    }
    return true;
}

static bool has_work(const firing *mine) {
    return mine->timer->setting == mine->setting && !mine->timer->is_cancelled && mine->timer->references > 1;
}

object rxraces_queue_of_timer(const void *context) {
    const firing *mine = context;
    return has_work(mine) && mine->timer->suspensions == 0 ? mine->timer->queue : NULL;
}

static void fire(void *context);

uintptr_t rxraces_code_of_timer(const void *context) {
    const firing *mine = context;
    const handler *event = &mine->timer->event;
    return (uintptr_t)(event->block != NULL ? ((void **)event->block)[2] : (void *)fire) + 1;
}

static void fire(void *context) {
    firing *mine = context;
    timer *fired = mine->timer;
    actor *self = rxraces_self;
    uintptr_t pc = rxraces_code_of_timer(mine);
    int lonely = 0;
    queue_item item = rxraces_take_due_item(self);
    while (item.queue != NULL || has_work(mine)) {
        if (item.queue == NULL && fired->suspensions > 0)
            rxraces_wait_until(self, (operation){
                .kind = rxraces_wait, .address = (uintptr_t)&fired->suspensions, .size = 8, .writes = true,
                .guard = ONLY_EQUAL, .thing = "timer", .pc = pc});
        if (item.queue == NULL) item = rxraces_ticket(rxraces_state_of(self, fired->queue, pc), false);
        rxraces_begin_turn(self, &item, pc);
        rxraces_take_step(self, rxraces_load, &fired->suspensions, 8, "timer", pc);
        rxraces_synchronise(self, (uintptr_t)fired, 2, true, true);
        if (has_work(mine)) call(fired, &fired->event);
        rxraces_end_turn(self, &item, pc);
        if (fired->interval == 0 || rxraces.phase != RUN || ++lonely > 10000) break;
        if (!is_lonely(self)) lonely = 0;
        if (lonely >= LONELY_FIRES) break;
        fired->due += fired->interval;
        rxraces_wait_until(self, (operation){.kind = rxraces_begin, .guard = REPEATS, .due = fired->due, .pc = pc});
        item = rxraces_take_due_item(self);
    }
    release(fired);
    free(mine);
}

static void schedule(actor *self, timer *scheduled, uintptr_t pc) {
    if (scheduled->suspensions > 0 || scheduled->due == 0 || scheduled->is_cancelled) return;
    firing *made = malloc(sizeof *made);
    *made = (firing){.timer = scheduled, .setting = ++scheduled->setting};
    scheduled->references++;
    rxraces_synchronise(self, (uintptr_t)scheduled, 4, true, true);
    // An unsupported queue is refused here.
    rxraces_state_of(self, scheduled->queue, pc);
    rxraces_hand_over(
        self, (job){.function = fire, .context = made, .is_timer = true, .due = scheduled->due, .pc = pc});
}

MODELLED(object, dispatch_source_create, (const void *type, uintptr_t handle, uintptr_t mask, object queue),
    (type, handle, mask, queue),
    if (type != &_dispatch_source_type_timer)
        rxraces_refuse(self, "a source of events of another kind than a timer; call its handler in an actor", pc);
    timer *made = malloc(sizeof *made);
    // A timer begins inactive.
    *made = (timer){.kind = &timer_kind, .references = 1, .suspensions = 1, .setting = 0};
    object dispatch_get_global_queue(intptr_t priority, uintptr_t flags);
    made->queue = queue != NULL ? queue : dispatch_get_global_queue(0, 0);
    return made;)

MODELLED(void, dispatch_source_set_timer, (object source, uint64_t start, uint64_t interval, uint64_t leeway),
    (source, start, interval, leeway),
    timer *changed = source;
    rxraces_take_step(self, rxraces_store, &changed->suspensions, 8, "timer", pc);
    changed->due = rxraces_due(start);
    changed->interval = interval == never || (int64_t)interval <= 0 ? 0 : interval;
    changed->setting++;
    schedule(self, changed, pc);)

static void set(handler *changed, object block, function body) {
    if (changed->block != NULL) _Block_release(changed->block);
    changed->block = block != NULL ? _Block_copy(block) : NULL;
    changed->function = body;
}

#define HANDLER(name, field) \
    MODELLED(void, name, (object source, object block), (source, block), \
        (void)pc; \
        set(&((timer *)source)->field, block, NULL); \
        rxraces_synchronise(self, (uintptr_t)source, 3, true, true);) \
    MODELLED(void, name##_f, (object source, function body), (source, body), \
        (void)pc; \
        set(&((timer *)source)->field, NULL, body); \
        rxraces_synchronise(self, (uintptr_t)source, 3, true, true);)
HANDLER(dispatch_source_set_event_handler, event)
HANDLER(dispatch_source_set_cancel_handler, cancellation)
HANDLER(dispatch_source_set_registration_handler, registration)

static void call_cancellation(void *context) {
    timer *cancelled = context;
    call(cancelled, &cancelled->cancellation);
    // No handler is called any more.
    set(&cancelled->event, NULL, NULL);
    set(&cancelled->cancellation, NULL, NULL);
    set(&cancelled->registration, NULL, NULL);
    release(cancelled);
}

static void call_registration(void *context) {
    timer *registered = context;
    call(registered, &registered->registration);
    release(registered);
}

static void hand_over(actor *self, timer *source, function body, uintptr_t pc) {
    source->references++;
    rxraces_hand_over(self, (job){.function = body, .context = source, .queue = source->queue, .pc = pc});
}

static bool is_set(const handler *handler) { return handler->block != NULL || handler->function != NULL; }

MODELLED(void, dispatch_source_cancel, (object source), (source),
    timer *cancelled = source;
    rxraces_take_step(self, rxraces_store, &cancelled->suspensions, 8, "timer", pc);
    if (cancelled->is_cancelled) return;
    cancelled->is_cancelled = 1;
    cancelled->awaits_cancellation = cancelled->suspensions > 0;
    if (!cancelled->awaits_cancellation) hand_over(self, cancelled, call_cancellation, pc);)
MODELLED(intptr_t, dispatch_source_testcancel, (object source), (source),
    rxraces_take_step(self, rxraces_load, &((timer *)source)->suspensions, 8, "timer", pc);
    return ((timer *)source)->is_cancelled;)
MODELLED(uintptr_t, dispatch_source_get_data, (object source), (source), (void)source, (void)self, (void)pc; return 1;)

void rxraces_suspend_source(actor *self, object source, int change, bool is_activation, uintptr_t pc) {
    timer *changed = source;
    // The first resumption activates it.
    if (is_activation && changed->is_active) return;
    rxraces_take_step(self, rxraces_wake, &changed->suspensions, 8, "timer", pc);
    if (change < 0 && changed->suspensions == 0) abort();
    changed->suspensions += change;
    if (change > 0 || changed->suspensions > 0) return;
    if (!changed->is_active && is_set(&changed->registration)) hand_over(self, changed, call_registration, pc);
    changed->is_active = true;
    if (changed->awaits_cancellation) hand_over(self, changed, call_cancellation, pc);
    changed->awaits_cancellation = false;
    schedule(self, changed, pc);
}

void rxraces_set_source_queue(object source, object queue) { ((timer *)source)->queue = queue; }

// MARK: References to Dispatch objects. Timers are objects of this library.

MODELLED(void, dispatch_retain, (object retained), (retained),
    (void)self, (void)pc;
    if (rxraces_is_source(retained)) ((timer *)retained)->references++;
    else NEXT(dispatch_retain)(retained);)
MODELLED(void, dispatch_release, (object released), (released),
    (void)self, (void)pc;
    if (rxraces_is_source(released)) release(released);
    else NEXT(dispatch_release)(released);)
MODELLED(void, dispatch_set_context, (object changed, void *context), (changed, context),
    (void)self, (void)pc;
    if (rxraces_is_source(changed)) ((timer *)changed)->context = context;
    else NEXT(dispatch_set_context)(changed, context);)
MODELLED(void *, dispatch_get_context, (object asked), (asked),
    (void)self, (void)pc;
    return rxraces_is_source(asked) ? ((timer *)asked)->context : NEXT(dispatch_get_context)(asked);)
#pragma clang attribute pop
#endif
