#include "races.h"

// Which steps are choices. What only one actor touches, or nobody writes, commutes with all that others do: to preempt
// an actor before it is to preempt it before its next step, so that it is a step and no choice. Which operations those
// are is learnt, as locks are: whatever has touched what another actor touches, one of both writing, is a choice from
// then on, and the search begins anew. Only with a bound: the reduced search knows more, and without either all
// schedules are wanted.
#ifdef RXRACES_INSTRUMENTED
#include <string.h>

enum { SITES = 1 << 12, CELLS = 1 << 15, PATIENCE = 64 };

static uintptr_t sites[SITES];
static int site_count;
// The actor that has touched eight bytes in this execution, and whether by an operation not known to be a choice.
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
}

static bool is_bounded(void) { return rxraces.plan.strategy == rxraces_depth_first && rxraces.plan.bound >= 0; }

static uint32_t place_of_site(uintptr_t pc) {
    uint32_t i = rxraces_hash(pc) & (SITES - 1);
    while (sites[i] != 0 && sites[i] != pc) i = (i + 1) & (SITES - 1);
    return i;
}

// Waiting and waking concern others always, and so do references, which the runtime counts without telling.
static bool is_unknown(const operation *next) {
    bool is_atomic = next->kind == rxraces_load || next->kind == rxraces_store || next->kind == rxraces_exchange
        || next->kind == rxraces_compare;
    return is_atomic && next->guard == ANY && site_count < SITES / 2 && sites[place_of_site(next->pc)] == 0;
}

bool rxraces_is_alone(actor *self, const operation *next) {
    bool is_alone = is_bounded() && !rxraces.is_starting && rxraces.length < STEPS && is_unknown(next)
        // An actor that looks and looks may wait for something that nobody has done yet.
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
    // Random schedules teach too: the first executions of a search are some.
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
    // Or by code that is not instrumented.
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
#endif
