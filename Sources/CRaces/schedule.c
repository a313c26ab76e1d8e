#include "races.h"

// Before each atomic operation and each call that may block, an actor announces its next step. Then the search decides
// which actor takes the next step. Only one actor runs at a time, and it is never interrupted between its steps.
#ifdef RXRACES_INSTRUMENTED
#include <string.h>

// Reading the same value repeatedly decides nothing. After SPINS reads of one place, or ROUNDS of reads over several
// places, another read is not a step. After PATIENCE reads the actor waits for another value. In any case an actor
// continues for at most FAIR steps while other actors can take a step. A delayed store becomes visible before one actor
// has continued for LATEST steps.
enum { SPINS = 3, ROUNDS = 8, PATIENCE = 200, IDLE_SPINS = 1000, FAIR = 1000, LATEST = 64 };

static int idle_spins, streak;

void rxraces_prepare(actor *new_actor, void (*body)(void *), void *context) {
    new_actor->index = (int)(new_actor - rxraces.actors);
    new_actor->body = body;
    new_actor->context = context;
    new_actor->is_live = true;
    new_actor->is_woken = false;
    new_actor->steps = new_actor->waits = new_actor->quiet = new_actor->look_count = new_actor->depth = 0;
    new_actor->alone = new_actor->clock_reads = new_actor->yields = 0;
    new_actor->failed_address = 0;
    new_actor->has_fence = new_actor->is_delayed = new_actor->late.is_full = false;
    new_actor->announced = NULL;
    new_actor->announced_by = 0;
    new_actor->pending = (operation){.kind = rxraces_begin};
    memset(new_actor->dependence, 0, sizeof new_actor->dependence);
    memset(new_actor->order, 0, sizeof new_actor->order);
    memset(new_actor->loaded, 0, sizeof new_actor->loaded);
}

void rxraces_go_on(actor *ended) {
    ended->is_live = true;
    ended->is_woken = false;
    ended->waits = ended->quiet = ended->look_count = ended->depth = 0;
    ended->announced = NULL;
}

static bool sees_change(const actor *spinner) {
    for (int i = 0; i < spinner->look_count; i++)
        if (rxraces_digest(spinner->looks[i].address, spinner->looks[i].size) != spinner->looks[i].value) return true;
    return false;
}

bool rxraces_is_met(const actor *candidate) {
    const operation *next = &candidate->pending;
    switch (next->guard) {
    case ANY: return true;
    case ONLY_EQUAL: return rxraces_value(next->address, next->size) == next->value;
    case ONLY_DIFFERENT: return rxraces_value(next->address, next->size) != next->value;
    case ON_CHANGE: return sees_change(candidate);
    case WHEN_DUE: case REPEATS: return false;
    case AFTER_OTHERS:
        return rxraces.length - rxraces.actors[candidate->yielded_by].steps > candidate->yielded_at;
    case IN_TURN: return rxraces_is_in_turn(next);
    case WHEN_READY: case WHEN_READY_BY_OTHERS: return rxraces_is_ready(next);
    default: return candidate->is_woken;
    }
}

static bool is_due(const actor *candidate) {
    return candidate->pending.due != 0 && candidate->pending.due <= rxraces_now();
}

static bool can_step(const actor *candidate) {
    return candidate->is_live && (is_due(candidate) || rxraces_is_met(candidate));
}

// An actor that has run for FAIR steps lets the other runnable actors run, as under a fair scheduler.
static actor_set fair_actors(actor_set able) {
    if (rxraces.length == 0 || streak < FAIR) return able;
    actor_set others = able & (actor_set)~(1 << rxraces.events[rxraces.length - 1].actor);
    return others ? others : able;
}

static actor_set able_actors(void) {
    actor_set able = 0;
    for (int i = 0; i < rxraces.count; i++) if (can_step(&rxraces.actors[i])) able |= (actor_set)(1 << i);
    return fair_actors(able);
}

// Returns the actor with the earliest deadline among the actors that wait for one.
static actor_set next_due_actor(actor_set able) {
    const actor *first = NULL;
    for (int i = 0; i < rxraces.count; i++) {
        const actor *each = &rxraces.actors[i];
        if (!each->is_live || each->pending.due == 0 || (able >> i & 1)) continue;
        if (first == NULL || each->pending.due < first->pending.due) first = each;
    }
    if (first != NULL) rxraces.counts.has_times = true;
    return first != NULL ? (actor_set)(1 << first->index) : 0;
}

// Returns the actors that have yielded and may nevertheless continue at once.
static actor_set yielding_actors(actor_set able) {
    actor_set found = 0;
    for (int i = 0; i < rxraces.count; i++) {
        const actor *each = &rxraces.actors[i];
        if (each->is_live && each->pending.guard == AFTER_OTHERS) found |= (actor_set)(1 << i);
    }
    return found & ~able;
}

// A local variable may no longer exist when a delayed store becomes visible.
static bool is_on_stack(uintptr_t address) {
    for (int i = 0; i < rxraces.count; i++)
        if (address >= rxraces.actors[i].stack_low && address < rxraces.actors[i].stack_high) return true;
    return false;
}

// Returns the actors whose next step is a store that can be delayed, as choices.
static actor_set delaying_actors(void) {
    actor_set found = 0;
    if (!rxraces.plan.delays_stores || rxraces.late_count > 0) return 0;
    for (int i = 0; i < rxraces.count && i < MOST_LATE; i++) {
        const actor *each = &rxraces.actors[i];
        bool may_be_late = each->pending.may_be_late && !is_on_stack(each->pending.address);
        if (may_be_late && can_step(each)) found |= (actor_set)1 << (LATE + i);
    }
    return found;
}

// Returns the actors whose delayed store is not visible yet, as choices.
static actor_set late_actors(void) {
    actor_set found = 0;
    for (int i = 0; rxraces.late_count > 0 && i < rxraces.count && i < MOST_LATE; i++)
        if (rxraces.actors[i].late.is_full) found |= (actor_set)1 << (LATE + i);
    return found;
}

// Actors that only spin are not blocked. They continue when no other actor can.
static actor_set spinning_actors(void) {
    actor_set able = 0;
    for (int i = 0; i < rxraces.count; i++) {
        int guard = rxraces.actors[i].pending.guard;
        if (rxraces.actors[i].is_live && (guard == ON_CHANGE || guard == AFTER_OTHERS))
            able |= (actor_set)(1 << i);
    }
    if (able && ++idle_spins > IDLE_SPINS) {
        rxraces_fail((rxraces_failure){.kind = rxraces_livelock, .other = -1});
        return 0;
    }
    return able;
}

// Records the step that `self` takes now.
static void record(actor *self) {
    operation *next = &self->pending;
    bool overtakes = next->kind == rxraces_load || next->kind == rxraces_plain;
    if (self->late.is_full && (!overtakes || next->writes)) rxraces_store_late(self);
    event *recorded = &rxraces.events[rxraces.length];
    bool goes_on = rxraces.length > 0 && rxraces.events[rxraces.length - 1].actor == self->index;
    streak = goes_on ? streak + 1 : 1;
    self->is_timed_out = is_due(self) && !rxraces_is_met(self);
    if (self->is_timed_out) {
        next->guard = ANY;
        self->waits = 0;
    }
    next->due = 0;
    recorded->is_timed_out = self->is_timed_out && next->kind != rxraces_begin && next->kind != rxraces_yield;
    recorded->is_early = false;
    recorded->done = *next;
    recorded->actor = self->index;
    recorded->choice = (uint8_t)self->index;
    rxraces.counts.has_stores |= next->may_be_late;
    recorded->index = self->steps++;
    recorded->previous = -1;
    recorded->before = next->address != 0 ? rxraces_value(next->address, next->size) : 0;
    if (rxraces.plan.classifies) rxraces_order_by_dependence(self, recorded);
    if (rxraces.plan.records_stacks) recorded->stack = rxraces_record_stack(self, next->pc);
    if (next->guard == ONCE_WOKEN) rxraces_join(self->order, self->wake_order);
    rxraces_note_touch(self, next);
    rxraces.length++;
    rxraces.counts.steps++;
}

// Records that a delayed store becomes visible.
static void record_late_store(actor *owner) {
    event *recorded = &rxraces.events[rxraces.length];
    *recorded = (event){
        .done = owner->late.done, .actor = owner->index, .choice = (uint8_t)(LATE + owner->index),
        .index = owner->steps++, .previous = -1,
        .before = rxraces_value(owner->late.done.address, owner->late.done.size)};
    recorded->done.kind = rxraces_late_store;
    if (rxraces.plan.records_stacks) recorded->stack = rxraces_record_stack(owner, owner->late.done.pc);
    rxraces_store_late(owner);
    rxraces.length++;
    rxraces.counts.steps++;
}

void rxraces_keep_store(actor *self, uint64_t value, int order) {
    self->is_delayed = false;
    self->late.is_full = true;
    self->late.value = value;
    self->late.done = self->pending;
    rxraces_keep_order(self, self->late.order, order);
}

void rxraces_store_late(actor *owner) {
    const operation *done = &owner->late.done;
    owner->late.is_full = false;
    memcpy((void *)done->address, &owner->late.value, done->size);
    rxraces_release_order(done->address, owner->late.order);
}

void rxraces_store_all(void) {
    for (int i = 0; rxraces.late_count > 0 && i < rxraces.count; i++)
        if (rxraces.actors[i].late.is_full) rxraces_store_late(&rxraces.actors[i]);
}

// Records that virtual time advances until the actor is due.
static void record_time(actor *due) {
    event *recorded = &rxraces.events[rxraces.length];
    *recorded = (event){
        .done = {.kind = rxraces_pass, .pc = due->pending.pc}, .actor = due->index, .choice = (uint8_t)due->index,
        .index = due->steps++,
        .previous = -1, .before = rxraces_elapsed()};
    rxraces_advance(due->pending.due);
    rxraces_enqueue_due_items();
    recorded->after = rxraces_elapsed();
    if (rxraces.plan.classifies) rxraces_order_by_dependence(due, recorded);
    if (rxraces.plan.records_stacks) recorded->stack = rxraces_record_stack(due, due->pending.pc);
    rxraces.length++;
    rxraces.counts.steps++;
}

// Keeps the value after the last step, for a report.
static void note_result(void) {
    if (rxraces.length == 0 || !rxraces.plan.records_stacks) return;
    event *last = &rxraces.events[rxraces.length - 1];
    if (last->done.kind == rxraces_pass) return;
    last->after = last->done.writes ? rxraces_value(last->done.address, last->done.size) : last->before;
}

// Decides on one step. This step may only advance the time to the actor's deadline.
static actor *decide_once(void) {
    note_result();
    if (streak >= LATEST) rxraces_store_all();
    actor_set able = able_actors(), early = next_due_actor(able);
    actor_set late = late_actors();
    if (able) idle_spins = 0;
    // Continuing early counts as a preemption. Without a bound, the search would never end.
    if (!able) able = early, early = 0;
    else early = rxraces.plan.strategy == rxraces_reduced ? 0 : early | yielding_actors(able);
    if (!able && !late) able = spinning_actors();
    if (able) early |= delaying_actors();
    able |= late;
    if (!able) return NULL;
    if (rxraces.length == STEPS) {
        rxraces_fail((rxraces_failure){.kind = rxraces_livelock, .other = -1});
        return NULL;
    }
    int previous = rxraces.length > 0 ? rxraces.events[rxraces.length - 1].actor : ACTORS;
    int choice = rxraces_choose(able, early, previous);
    actor *chosen = &rxraces.actors[choice < LATE ? choice : choice - LATE];
    if (rxraces.length > 0) rxraces.events[rxraces.length - 1].could_go_on = able >> previous & 1;
    event *recorded = &rxraces.events[rxraces.length];
    if (choice >= LATE && chosen->late.is_full) {
        record_late_store(chosen);
        return chosen;
    }
    if (choice >= LATE) {
        record(chosen);
        recorded->done.kind = rxraces_delay;
        recorded->done.writes = false;
        recorded->choice = (uint8_t)choice;
        recorded->is_early = true;
        chosen->is_delayed = true;
        rxraces.late_count++;
        return chosen;
    }
    if (chosen->pending.due > rxraces_now() && !rxraces_is_met(chosen)) {
        record_time(chosen);
    } else {
        if (rxraces.plan.strategy == rxraces_reduced && !rxraces.is_redundant)
            rxraces_reverse(chosen->index, &chosen->pending);
        record(chosen);
    }
    recorded->is_early = early >> chosen->index & 1;
    return chosen;
}

actor *rxraces_decide(void) {
    while (rxraces_goes_on()) {
        actor *chosen = decide_once();
        rxraces_kind last = chosen != NULL ? rxraces.events[rxraces.length - 1].done.kind : rxraces_pass;
        if (chosen == NULL || (last != rxraces_pass && last != rxraces_late_store)) return chosen;
    }
    return NULL;
}

// Returns how often a read has found the same value, with no step in between that could have changed anything.
static int times_seen(actor *self, const operation *next) {
    uint64_t value = rxraces_digest(next->address, next->size);
    int place = 0;
    while (place < self->look_count && self->looks[place].address != next->address) place++;
    bool is_known = place < self->look_count;
    bool is_changed = is_known && self->looks[place].value != value;
    if (is_changed || place == LOOKS) place = self->look_count = 0;
    // The same place was read twice in a row, so the earlier reads belong to no loop.
    bool is_last = is_known && !is_changed && self->last_look == place;
    if (is_last && place > 0) {
        self->looks[0] = self->looks[place];
        place = 0;
    }
    if (is_last) self->look_count = 1;
    self->last_look = place;
    if (is_known && !is_changed) return ++self->looks[place].times;
    self->looks[place].address = next->address;
    self->looks[place].value = value;
    self->looks[place].size = next->size;
    self->looks[place].times = 0;
    self->look_count = place + 1;
    return 0;
}

void rxraces_point(actor *self, operation next) {
    self->is_timed_out = false;
    // The initialiser of a global runs once for each process, so its steps are not choices.
    if (self->quiet && next.guard == ANY) return;
    if (next.guard == ANY && next.is_idle) {
        int times = times_seen(self, &next);
        // Another consecutive read is not a step. So a lock that spins for a while before it sleeps reaches its sleep.
        // An actor that still reads after that waits for a change.
        if (times >= (self->look_count == 1 ? SPINS : ROUNDS) && times < PATIENCE) return;
        if (times >= PATIENCE) next.guard = ON_CHANGE;
        if (times >= PATIENCE) next.value = rxraces_value(next.address, next.size);
    } else {
        self->look_count = 0;
    }
    // A delayed store becomes visible before an actor waits for other actors or for a deadline.
    bool waits = next.guard == ON_CHANGE || next.guard == AFTER_OTHERS || next.due != 0;
    if (waits) rxraces_store_all();
    if (next.guard == AFTER_OTHERS) {
        self->yielded_by = self->index;
        self->yielded_at = rxraces.length - self->steps;
    }
    self->pending = next;
    if (rxraces_is_alone(self, &next)) {
        rxraces_choose((actor_set)(1 << self->index), 0, self->index);
        record(self);
        return;
    }
    actor *other = rxraces.is_starting ? &rxraces.controller : rxraces_decide();
    if (other == self) return;
    rxraces_switch(self, other != NULL ? other : &rxraces.controller);
}

void rxraces_refuse(actor *self, const char *name, uintptr_t pc) {
    rxraces_fail((rxraces_failure){
        .kind = rxraces_refused, .actor = self->index, .other = -1, .pc = pc, .name = name,
        .stack = rxraces_record_stack(self, pc)});
    rxraces_abandon(self);
}

void rxraces_fail(rxraces_failure failure) {
    if (rxraces.failure.kind != rxraces_no_failure) return;
    note_result();
    rxraces.failure = failure;
}

rxraces_step rxraces_step_at(int index) {
    const event *e = &rxraces.events[index];
    return (rxraces_step){
        .actor = (uint8_t)e->actor, .choice = e->choice, .size = e->done.size, .writes = e->done.writes,
        .kind = e->done.kind,
        .address = e->done.address, .pc = e->done.pc, .before = e->before, .after = e->after, .stack = e->stack,
        .is_timed_out = e->is_timed_out, .thing = e->done.thing, .label = e->done.label};
}

rxraces_step rxraces_pending(int index) {
    const actor *waiting = &rxraces.actors[index];
    const operation *next = &waiting->pending;
    return (rxraces_step){
        .actor = (uint8_t)index, .size = next->size, .writes = next->writes, .kind = next->kind,
        .address = next->address, .pc = next->pc, .thing = next->thing, .label = next->label,
        .before = next->address != 0 ? rxraces_value(next->address, next->size) : 0};
}

uint32_t rxraces_actor_stack(int index, uintptr_t *addresses, uint32_t limit) {
    const actor *self = &rxraces.actors[index];
    if (!self->is_live) return 0;
    uint32_t written = 0;
    if (written < limit) addresses[written++] = self->pending.pc;
    for (int i = self->depth - 1; i >= 0 && i > self->depth - CALLS && written < limit; i--)
        addresses[written++] = self->calls[i & (CALLS - 1)];
    return written;
}
#pragma clang attribute pop
#endif
