#include "races.h"

// Source-DPOR (Abdulla, Aronis, Jonsson, Sagonas: Optimal Dynamic Partial Order Reduction, POPL 2014): for each two
// steps that race, the reversal is tried, and nothing that is equivalent to what was tried. Never with a bound: the two
// together lose classes of schedules.
#ifdef RXRACES_INSTRUMENTED
#include <string.h>

enum { SLOTS = 1 << 14 };
static struct { uintptr_t cell; uint32_t generation; int last; } lasts[SLOTS];

static uintptr_t cell_of(const operation *op) { return op->address >> 3; }

// Where the last step at the cell of an address is kept.
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

// Whether a step happens after another one, by what depends on it.
static bool is_after(int step, const event *other) {
    return rxraces.events[step].clock[other->actor] > (uint32_t)other->index;
}

// The actors that can take the first of the steps that follow `step` and do not happen after it; `next` is to come.
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
        // An unlock: `next` was not possible before it.
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
        // All earlier ones happen before it.
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
#endif
