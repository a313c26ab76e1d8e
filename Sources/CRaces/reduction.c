#include "races.h"

// Source-DPOR (Abdulla, Aronis, Jonsson, Sagonas: Optimal Dynamic Partial Order Reduction, POPL 2014): for each two
// steps that race, the search tries the reversal, and no schedule that is equivalent to an earlier one. The reduction
// is never combined with a bound: together they lose classes of schedules.
#ifdef RXRACES_INSTRUMENTED
#include <string.h>

enum { SLOTS = 1 << 15 };
static struct { uintptr_t cell; uint32_t generation; int last; } lasts[SLOTS];

static uintptr_t cell_of(const operation *op) { return op->address >> 3; }

// Returns the place that holds the last step at a cell.
static int *last_at(uintptr_t cell) {
    uint32_t slot = rxraces_hash(cell) & (SLOTS - 1);
    while (lasts[slot].generation == rxraces.generation && lasts[slot].cell != cell) slot = (slot + 1) & (SLOTS - 1);
    if (lasts[slot].generation != rxraces.generation) {
        lasts[slot].cell = cell;
        lasts[slot].generation = rxraces.generation;
        lasts[slot].last = -1;
    }
    return &lasts[slot].last;
}

bool rxraces_are_dependent(const operation *first, const operation *second) {
    return first->address != 0 && cell_of(first) == cell_of(second) && (first->writes || second->writes);
}

static bool is_before(int step, const uint32_t *clock) {
    return (uint32_t)rxraces.events[step].index < clock[rxraces.events[step].actor];
}

// Whether a step happens after another one in the dependence relation.
static bool is_after(int step, const event *other) {
    return rxraces.events[step].clock[other->actor] > (uint32_t)other->index;
}

// Returns the actors that can take the first of the steps that follow `step` and do not happen after it. `next` is the
// step that follows.
static actor_set initials(int step, int next_actor, const operation *next) {
    const event *raced = &rxraces.events[step];
    int first[ACTORS];
    actor_set found = 0;
    for (int i = 0; i < rxraces.count; i++) first[i] = -1;
    for (int i = step + 1; i < rxraces.length; i++)
        if (first[rxraces.events[i].actor] < 0 && !is_after(i, raced)) first[rxraces.events[i].actor] = i;
    for (int i = 0; i < rxraces.count; i++) {
        if (first[i] < 0) continue;
        bool is_initial = true;
        for (int j = 0; j < rxraces.count && is_initial; j++)
            if (j != i && first[j] >= 0 && is_before(first[j], rxraces.events[first[i]].clock)) is_initial = false;
        if (is_initial) found |= (actor_set)(1 << i);
    }
    if (first[next_actor] >= 0) return found;
    for (int i = 0; i < rxraces.count; i++)
        if (first[i] >= 0 && is_before(first[i], rxraces.actors[next_actor].dependence)) return found;
    for (int i = *last_at(cell_of(next)); i > step; i = rxraces.events[i].previous)
        if (rxraces_are_dependent(&rxraces.events[i].done, next) && !is_after(i, raced)) return found;
    return found | (actor_set)(1 << next_actor);
}

void rxraces_reverse(int actor_index, const operation *next) {
    if (next->address == 0 || next->guard == ONCE_WOKEN) return;
    uint32_t seen[ACTORS];
    memcpy(seen, rxraces.actors[actor_index].dependence, sizeof seen);
    for (int i = *last_at(cell_of(next)); i >= 0; i = rxraces.events[i].previous) {
        const event *earlier = &rxraces.events[i];
        if (!rxraces_are_dependent(&earlier->done, next)) continue;
        if (earlier->actor == actor_index || is_before(i, seen)) {
            if (earlier->done.writes) break;
            continue;
        }
        // The earlier step is an unlock, and `next` was not possible before it.
        if (next->guard == ONLY_EQUAL && earlier->before != next->value) continue;
        if ((next->guard == ONLY_DIFFERENT || next->guard == ON_CHANGE) && earlier->before == next->value) continue;
        actor_set first = initials(i, actor_index, next) & rxraces_able_at(i);
        if (!first) {
            rxraces_add_choices(i, rxraces_able_at(i));
        } else if (!(first & rxraces_wanted_at(i))) {
            actor_set own = (actor_set)(1 << actor_index);
            rxraces_add_choices(i, first & own ? own : (actor_set)(first & -first));
        }
        if (!next->writes) break;
        rxraces_join(seen, earlier->clock);
        // All earlier steps happen before this write.
        if (earlier->done.writes && next->guard == ANY) break;
    }
}

void rxraces_order_by_dependence(actor *self, event *recorded) {
    const operation *done = &recorded->done;
    if (done->guard == ONCE_WOKEN) rxraces_join(self->dependence, self->wake_dependence);
    if (done->address != 0) {
        int *last = last_at(cell_of(done));
        recorded->previous = *last;
        for (int i = *last; i >= 0; i = rxraces.events[i].previous) {
            if (!rxraces_are_dependent(&rxraces.events[i].done, done)) continue;
            rxraces_join(self->dependence, rxraces.events[i].clock);
            if (rxraces.events[i].done.writes) break;
        }
        *last = rxraces.length;
    }
    self->dependence[self->index] = (uint32_t)self->steps;
    memcpy(recorded->clock, self->dependence, sizeof recorded->clock);
}

uint64_t rxraces_class(void) {
    uint64_t sum = 0;
    for (int i = 0; i < rxraces.length; i++) {
        const event *step = &rxraces.events[i];
        uint64_t hash = (uint64_t)step->actor * 1000003 + (uint64_t)step->index;
        for (int j = 0; j < ACTORS; j++) {
            hash = (hash ^ step->clock[j]) * 0x9E3779B97F4A7C15ull;
            hash ^= hash >> 29;
        }
        sum += hash;
    }
    return sum;
}

// MARK: Choices

// Decides which steps are choices. A step on memory that only one actor touches, or that no actor writes, commutes with
// all steps of other actors. To preempt an actor before such a step has the same effect as to preempt it before its
// next step, so it is a step, but not a choice. The search learns which operations are choices, as it learns locks: an
// operation becomes a choice once it has touched memory that another actor touches, if one of the two writes. Then the
// search begins again. This applies only with a bound: the reduced search knows more, and a search with neither must
// find all schedules.

enum { SITES = 1 << 12, CELLS = 1 << 15, PATIENCE = 64 };

static uintptr_t sites[SITES];
static int site_count;
// The actor that has touched eight bytes in this execution, and whether it did this by an operation that is not known
// to be a choice.
static struct {
    uintptr_t cell;
    uint64_t value;
    uint32_t generation;
    actor_set actors;
    bool is_written, has_unknown;
} touches[CELLS];
static bool has_news;

void rxraces_forget_choices(void) {
    memset(sites, 0, sizeof sites);
    site_count = 0;
    rxraces_forget_contested();
}

static bool is_bounded(void) { return rxraces.plan.strategy == rxraces_depth_first && rxraces.plan.bound >= 0; }

static uint32_t place_of_site(uintptr_t pc) {
    uint32_t i = rxraces_hash(pc) & (SITES - 1);
    while (sites[i] != 0 && sites[i] != pc) i = (i + 1) & (SITES - 1);
    return i;
}

// Waits and wakes always affect other actors. So do references, which the runtime counts without an announcement.
static bool is_unknown(const operation *next) {
    bool is_atomic = next->kind == rxraces_load || next->kind == rxraces_store || next->kind == rxraces_exchange
        || next->kind == rxraces_compare;
    return is_atomic && next->guard == ANY && site_count < SITES / 2 && sites[place_of_site(next->pc)] == 0;
}

bool rxraces_is_alone(actor *self, const operation *next) {
    bool is_alone = is_bounded() && !self->late.is_full && !rxraces.is_starting && rxraces.length < STEPS
        && is_unknown(next)
        // An actor that reads repeatedly may wait for a step that no actor has taken yet.
        && ++self->alone < PATIENCE;
    if (!is_alone) self->alone = 0;
    return is_alone;
}

static uint32_t place_of_touch(uintptr_t cell) {
    uint32_t i = rxraces_hash(cell) & (CELLS - 1);
    while (touches[i].generation == rxraces.generation && touches[i].cell != cell) i = (i + 1) & (CELLS - 1);
    return i;
}

static bool is_shared(uint32_t touch) {
    actor_set actors = touches[touch].actors;
    return touches[touch].is_written && (actors & (actors - 1)) != 0;
}

void rxraces_note_touch(const actor *self, const operation *done) {
    // The search learns from random schedules too: its first executions are random.
    if (done->address == 0 || !(is_bounded() || rxraces.plan.strategy == rxraces_random)) return;
    uintptr_t cell = done->address >> 3;
    uint32_t touch = place_of_touch(cell);
    uint64_t value = rxraces_value(cell << 3, 8);
    if (touches[touch].generation != rxraces.generation) {
        touches[touch].generation = rxraces.generation;
        touches[touch].cell = cell;
        touches[touch].value = value;
        touches[touch].actors = 0;
        touches[touch].is_written = touches[touch].has_unknown = false;
    }
    touches[touch].actors |= (actor_set)(1 << self->index);
    // Code that is not instrumented may have written too.
    touches[touch].is_written |= done->writes || touches[touch].value != value;
    touches[touch].has_unknown |= is_unknown(done);
    has_news |= touches[touch].has_unknown && is_shared(touch);
}

void rxraces_learn_choices(void) {
    if (!has_news) return;
    has_news = false;
    for (int i = 0; i < rxraces.length; i++) {
        const operation *done = &rxraces.events[i].done;
        if (done->address == 0 || !is_unknown(done) || !is_shared(place_of_touch(done->address >> 3))) continue;
        sites[place_of_site(done->pc)] = done->pc;
        site_count++;
        rxraces.has_learnt = true;
    }
}
#pragma clang attribute pop
#endif
