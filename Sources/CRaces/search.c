#include "races.h"

// Chooses the actor that takes the next step, by the plan's strategy. A depth-first search keeps the tree of choices as
// the path to the current leaf, and changes the end of this path for the next execution.
#ifdef RXRACES_INSTRUMENTED
#include <string.h>

// A node of the tree: the actors that could continue, the actors that could continue early, the actors that an earlier
// execution has tried, the actors that must be tried (reduced), and the actors that need not be tried (sleep set,
// reduced).
typedef struct {
    actor_set able, early, tried, wanted, asleep;
    uint8_t chosen, previous;
    // Whether a store was delayed before this node.
    bool is_after_delay;
    int preempted;
    uintptr_t pc;
} node;

static node nodes[STEPS + 1];
// The number of nodes on the path, and the number of leading nodes whose choices are given.
static int depth, given;
static bool has_diverged;
static uint8_t followed[STEPS];
static int followed_count;
static uint64_t random_state, kept_state;
static int priorities[ACTORS], change_points[16], lowest;

static void draw(void);

static uint64_t random_number(void) {
    uint64_t z = random_state += 0x9E3779B97F4A7C15ull;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ z >> 27) * 0x94D049BB133111EBull;
    return z ^ z >> 31;
}

static int nth(actor_set set, int n) {
    while (n-- > 0) set &= (actor_set)(set - 1);
    return __builtin_ctz(set);
}

static bool contains(actor_set set, int index) { return index < LATE + MOST_LATE && set >> index & 1; }

// The actor of the last step continues, if it can.
static int continued(actor_set able, int previous) {
    return contains(able, previous) ? previous : __builtin_ctz(able);
}

static int cost(const node *at, int index) {
    return contains(at->early, index) || (at->previous != index && contains(at->able, at->previous));
}

static int choose_followed(actor_set able, actor_set early, int previous) {
    int step = rxraces.length;
    if (step >= followed_count) return continued(able, previous);
    if (contains(able | early, followed[step])) return followed[step];
    rxraces.strayed++;
    return continued(able, previous);
}

// An actor continues early only at a change point. Otherwise a repeating timer would continue for ever.
static int choose_by_priority(actor_set able, actor_set early) {
    for (int i = 0; i < rxraces.plan.bound && i < 16; i++) {
        if (change_points[i] != rxraces.length || rxraces.length == 0) continue;
        priorities[rxraces.events[rxraces.length - 1].actor] = --lowest;
        if (early && random_number() % 2) return __builtin_ctz(early);
    }
    int best = __builtin_ctz(able);
    for (int i = 0; i < rxraces.count; i++) if (contains(able, i) && priorities[i] > priorities[best]) best = i;
    return best;
}

// Returns the place in the code of the next step. It is 0 at the beginning of a job: the runtime may not have written
// yet the memory that the job's start address is read from.
static uintptr_t place_of(int choice) {
    const operation *next = &rxraces.actors[choice < LATE ? choice : choice - LATE].pending;
    return next->kind == rxraces_begin ? 0 : next->pc;
}

// Returns the choice that the path gives. This execution may find another state at the node: a lock was learnt since,
// or a value was created once for the whole process.
static int choose_given(actor_set able, actor_set early, node *at) {
    int chosen = at->chosen;
    bool is_same = at->able == able && at->early == early
        && (rxraces.length == given - 1 || at->pc == place_of(chosen));
    if (!is_same) {
        has_diverged = rxraces.must_restart = true;
        if (!contains(able | early, chosen)) chosen = __builtin_ctz(able);
    }
    at->pc = place_of(chosen);
    return chosen;
}

// Returns the actors that an earlier execution has tried at the parent, or that slept there, and whose next steps do
// not depend on the parent's step.
static actor_set sleepers(const node *parent, const operation *done) {
    actor_set found = 0;
    actor_set candidates = (actor_set)((parent->asleep | parent->tried) & ~(1u << parent->chosen));
    for (int i = 0; i < rxraces.count; i++) {
        const actor *candidate = &rxraces.actors[i];
        if (contains(candidates, i) && candidate->is_live && !rxraces_are_dependent(&candidate->pending, done))
            found |= (actor_set)(1u << i);
    }
    return found;
}

// All actors that could continue are asleep. So the rest of this execution was seen before, except the steps that the
// blocked actors wait for.
static void end_in_sleep(actor_set able) {
    for (int i = 0; i < rxraces.count; i++)
        if (rxraces.actors[i].is_live && !contains(able, i)) rxraces_reverse(i, &rxraces.actors[i].pending);
    rxraces.is_redundant = true;
    rxraces.counts.redundant++;
}

static int choose_new(actor_set able, actor_set early, int previous) {
    int step = rxraces.length;
    node *at = &nodes[step];
    *at = (node){.able = able, .early = early, .previous = (uint8_t)previous};
    if (step > 0) at->preempted = nodes[step - 1].preempted + cost(&nodes[step - 1], nodes[step - 1].chosen);
    at->is_after_delay = step > 0 && (nodes[step - 1].is_after_delay || nodes[step - 1].chosen >= LATE);
    actor_set wanted = able;
    if (rxraces.plan.strategy == rxraces_reduced) {
        if (step > 0) at->asleep = sleepers(&nodes[step - 1], &rxraces.events[step - 1].done);
        wanted = able & (actor_set)~at->asleep;
        if (!wanted && !rxraces.is_redundant) end_in_sleep(able);
        if (rxraces.is_redundant) wanted = able;
    }
    int chosen = continued(wanted, previous);
    at->chosen = (uint8_t)chosen;
    at->wanted = (actor_set)(1u << chosen);
    at->pc = place_of(chosen);
    if (!rxraces.is_redundant) depth = step + 1;
    return chosen;
}

int rxraces_choose(actor_set able, actor_set early, int previous) {
    int step = rxraces.length;
    switch (rxraces.plan.strategy) {
    case rxraces_replay: return choose_followed(able, early, previous);
    case rxraces_random:
        able |= early;
        return nth(able, (int)(random_number() % (uint64_t)__builtin_popcount(able)));
    case rxraces_priorities: return choose_by_priority(able, early);
    default: return step < given ? choose_given(able, early, &nodes[step]) : choose_new(able, early, previous);
    }
}

void rxraces_add_choices(int step, actor_set choices) { nodes[step].wanted |= choices & nodes[step].able; }
actor_set rxraces_able_at(int step) { return nodes[step].able; }
actor_set rxraces_wanted_at(int step) { return nodes[step].wanted; }

void rxraces_follow(const uint8_t *choices, int count) {
    followed_count = count < STEPS ? count : STEPS;
    memcpy(followed, choices, (size_t)followed_count);
}

void rxraces_restart(void) {
    depth = given = 0;
    has_diverged = false;
    random_state = kept_state = rxraces.plan.seed;
    if (rxraces.plan.strategy == rxraces_priorities) draw();
}

void rxraces_repeat(void) {
    random_state = kept_state;
    if (rxraces.plan.strategy == rxraces_priorities) draw();
}

// Draws the priorities of the next execution, and the steps at which they change.
static void draw(void) {
    int most = rxraces.counts.most_steps > 1 ? rxraces.counts.most_steps : 2;
    for (int i = 0; i < ACTORS; i++) priorities[i] = i;
    for (int i = ACTORS - 1; i > 0; i--) {
        int j = (int)(random_number() % (uint64_t)(i + 1)), kept = priorities[i];
        priorities[i] = priorities[j];
        priorities[j] = kept;
    }
    lowest = 0;
    for (int i = 0; i < 16; i++) change_points[i] = 1 + (int)(random_number() % (uint64_t)(most - 1));
}

// Goes back to the last node with an actor left to try.
static bool go_back(void) {
    bool is_reduced = rxraces.plan.strategy == rxraces_reduced;
    for (int step = depth - 1; step >= 0; step--) {
        node *at = &nodes[step];
        at->tried |= (actor_set)(1u << at->chosen);
        actor_set left = is_reduced ? at->wanted & at->able : at->able | at->early;
        left &= (actor_set)~(at->tried | at->asleep);
        for (; left; left &= left - 1) {
            int i = __builtin_ctz(left);
            // Schedules without a delayed store were covered by the search without delays. So the bound must leave room
            // for a delay.
            int most = rxraces.plan.bound - (rxraces.plan.delays_stores && !at->is_after_delay && i < LATE);
            if (!is_reduced && rxraces.plan.bound >= 0 && at->preempted + cost(at, i) > most) continue;
            at->chosen = (uint8_t)i;
            at->wanted |= (actor_set)(1u << i);
            given = depth = step + 1;
            return true;
        }
    }
    return false;
}

bool rxraces_next(void) {
    switch (rxraces.plan.strategy) {
    case rxraces_replay: return false;
    case rxraces_random: kept_state = random_state; return true;
    case rxraces_priorities:
        kept_state = random_state;
        draw();
        return true;
    default: break;
    }
    if (rxraces.must_restart || rxraces.has_learnt) {
        // Learning always ends, but the number of divergences may be unlimited.
        rxraces.divergences += !rxraces.has_learnt;
        rxraces.must_restart = rxraces.has_learnt = false;
        if (rxraces.divergences <= 100) {
            rxraces.counts.restarts++;
            rxraces_restart();
            return true;
        }
        rxraces.counts.is_nondeterministic = true;
    }
    return go_back();
}

int rxraces_preemptions(void) {
    int found = 0;
    for (int i = 0; i < rxraces.length; i++) {
        const event *next = &rxraces.events[i];
        bool is_switch = i > 0 && next[-1].actor != next->actor && next[-1].could_go_on;
        if (next->is_early || is_switch) found++;
    }
    return found;
}
#pragma clang attribute pop
#endif
