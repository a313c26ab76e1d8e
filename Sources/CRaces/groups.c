#include "jobs.h"

// A model of Dispatch groups, semaphores and work items as counts that each execution keeps itself.
#ifdef RXRACES_INSTRUMENTED
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

enum { COUNTERS = 256, NOTIFICATIONS = 64, MADE = 256 };
static counter_state counters[COUNTERS];

// Jobs to enqueue once a count is 0 or a work item has run.
static struct { uint32_t generation; const void *awaited; job job; } notifications[NOTIFICATIONS];

counter_state *rxraces_counter_of(actor *self, object object, int64_t first, uintptr_t pc) {
    int place = 0;
    while (place < COUNTERS && counters[place].generation == rxraces.generation && counters[place].object != object)
        place++;
    if (place == COUNTERS) rxraces_refuse(self, "more than 256 groups and semaphores; make fewer of them", pc);
    if (counters[place].generation != rxraces.generation)
        counters[place] = (counter_state){.object = object, .generation = rxraces.generation, .count = first};
    return &counters[place];
}

// Waits for a count. An actor with an expired time checks the count once and doesn't wait.
static bool waits_at(
    actor *self, int64_t *count, guard guard, uint64_t time, const char *thing, uintptr_t pc
) {
    uint64_t due = rxraces_due(time);
    bool is_look = rxraces_is_past(due);
    operation next = {
        .kind = rxraces_wait, .address = (uintptr_t)count, .size = 8, .writes = true, .guard = is_look ? ANY : guard,
        .due = is_look ? 0 : due, .thing = thing, .pc = pc};
    if (!rxraces_wait_until(self, next)) return false;
    return !is_look || (*count == 0) == (guard == ONLY_EQUAL);
}

// MARK: Notifications

static void notify_later(actor *self, const void *awaited, job made) {
    for (int i = 0; i < NOTIFICATIONS; i++) {
        if (notifications[i].generation == rxraces.generation) continue;
        notifications[i].generation = rxraces.generation;
        notifications[i].awaited = awaited;
        notifications[i].job = made;
        return;
    }
    rxraces_refuse(self, "more than 64 notifications; make fewer of them", made.pc);
}

static void notify(actor *self, const void *awaited) {
    for (int i = 0; i < NOTIFICATIONS; i++) {
        if (notifications[i].generation != rxraces.generation || notifications[i].awaited != awaited) continue;
        notifications[i].generation = 0;
        rxraces_begin_job(self, notifications[i].job);
    }
}

// MARK: Groups

void rxraces_leave_group(actor *self, counter_state *group, uintptr_t pc) {
    rxraces_take_step(self, rxraces_wake, &group->count, 8, "group", pc);
    rxraces_synchronise(self, (uintptr_t)&group->count, 4, true, true);
    // The library also ends a program that leaves a group more often than it has entered it.
    if (group->count == 0) abort();
    if (--group->count == 0) notify(self, group);
}

MODELLED(void, dispatch_group_enter, (object group), (group),
    counter_state *state = rxraces_counter_of(self, group, 0, pc);
    rxraces_take_step(self, rxraces_exchange, &state->count, 8, "group", pc);
    state->count++;)
MODELLED(void, dispatch_group_leave, (object group), (group),
    rxraces_leave_group(self, rxraces_counter_of(self, group, 0, pc), pc);)

static void hand_over_in(actor *self, object group, job made) {
    made.group = rxraces_counter_of(self, group, 0, made.pc);
    made.group->count++;
    rxraces_hand_over(self, made);
}

MODELLED(void, dispatch_group_async, (object group, object queue, object block), (group, queue, block),
    hand_over_in(self, group, rxraces_job_of(block, queue, pc));)
MODELLED(void, dispatch_group_async_f, (object group, object queue, void *context, function body),
    (group, queue, context, body),
    hand_over_in(self, group, (job){.function = body, .context = context, .queue = queue, .pc = pc});)

static void notify_of_group(actor *self, object group, job made) {
    counter_state *state = rxraces_counter_of(self, group, 0, made.pc);
    rxraces_take_step(self, rxraces_enqueue, &state->count, 8, "group", made.pc);
    rxraces_synchronise(self, (uintptr_t)&state->count, 4, true, true);
    if (state->count == 0) rxraces_begin_job(self, made);
    else notify_later(self, state, made);
}

MODELLED(void, dispatch_group_notify, (object group, object queue, object block), (group, queue, block),
    notify_of_group(self, group, rxraces_job_of(block, queue, pc));)
MODELLED(void, dispatch_group_notify_f, (object group, object queue, void *context, function body),
    (group, queue, context, body),
    notify_of_group(self, group, (job){.function = body, .context = context, .queue = queue, .pc = pc});)

MODELLED(intptr_t, dispatch_group_wait, (object group, uint64_t time), (group, time),
    counter_state *state = rxraces_counter_of(self, group, 0, pc);
    if (!waits_at(self, &state->count, ONLY_EQUAL, time, "group", pc)) return 1;
    rxraces_synchronise(self, (uintptr_t)&state->count, 2, true, true);
    return 0;)

// MARK: Semaphores. The value that a semaphore was made with is recorded. The signals of an execution don't change the
// semaphore itself.

static struct { object semaphore; intptr_t made_with; } made[MADE];
static int made_count;

object dispatch_semaphore_create(intptr_t value);
object dispatch_semaphore_create(intptr_t value) {
    object semaphore = NEXT(dispatch_semaphore_create)(value);
    if (rxraces_self == NULL) return semaphore;
    int place = 0;
    while (place < MADE && made[place].semaphore != NULL && made[place].semaphore != semaphore) place++;
    if (place == MADE) place = made_count++ % MADE;
    made[place].semaphore = semaphore;
    made[place].made_with = value;
    // Another semaphore may have had the same address.
    for (int i = 0; i < COUNTERS; i++)
        if (counters[i].generation == rxraces.generation && counters[i].object == semaphore) counters[i].count = value;
    return semaphore;
}

static int64_t *value_of(actor *self, object semaphore, uintptr_t pc) {
    for (int i = 0; i < MADE; i++)
        if (made[i].semaphore == semaphore)
            return &rxraces_counter_of(self, semaphore, made[i].made_with, pc)->count;
    rxraces_refuse(self, "a semaphore that another thread has made; make it in the race", pc);
}

MODELLED(intptr_t, dispatch_semaphore_wait, (object semaphore, uint64_t time), (semaphore, time),
    int64_t *value = value_of(self, semaphore, pc);
    if (!waits_at(self, value, ONLY_DIFFERENT, time, "semaphore", pc)) return 1;
    --*value;
    rxraces_synchronise(self, (uintptr_t)value, 2, true, true);
    return 0;)
MODELLED(intptr_t, dispatch_semaphore_signal, (object semaphore), (semaphore),
    int64_t *value = value_of(self, semaphore, pc);
    rxraces_take_step(self, rxraces_wake, value, 8, "semaphore", pc);
    rxraces_synchronise(self, (uintptr_t)value, 4, true, true);
    ++*value;
    return 0;)

// MARK: Work items: blocks that can be cancelled, waited for and observed.

enum { HAS_HELPERS = 1 << 25, BARRIER = 1 };
extern void *_NSConcreteStackBlock[32];

typedef struct work_item {
    void *isa;
    int flags, reserved;
    void (*invoke)(struct work_item *);
    const struct { uintptr_t reserved, size; void (*copy)(struct work_item *, const struct work_item *);
        void (*dispose)(struct work_item *); } *descriptor;
    object block;
    uint64_t kind;
    int64_t is_cancelled;
    // All steps on the item use this address, so that a report has one name for the item.
    int64_t performed;
} work_item;

static void perform(work_item *item) {
    actor *self = rxraces_executed();
    uintptr_t pc = (uintptr_t)((void **)item->block)[2] + 1;
    if (self != NULL) rxraces_take_step(self, rxraces_load, &item->performed, 8, "work item", pc);
    if (!item->is_cancelled) rxraces_call_block(item->block);
    if (self == NULL) return;
    rxraces_take_step(self, rxraces_wake, &item->performed, 8, "work item", pc);
    rxraces_synchronise(self, (uintptr_t)&item->performed, 4, true, true);
    if (item->performed++ == 0) notify(self, item);
}

static void copy_item(work_item *copy, const work_item *item) { copy->block = _Block_copy(item->block); }
static void dispose_item(work_item *item) { _Block_release(item->block); }
static const __typeof__(*((work_item *)0)->descriptor) descriptor = {
    .size = sizeof(work_item), .copy = copy_item, .dispose = dispose_item};

bool rxraces_is_work_item(object block) { return ((work_item *)block)->invoke == perform; }
bool rxraces_is_barrier(object block) {
    return rxraces_is_work_item(block) && (((work_item *)block)->kind & BARRIER);
}

static object make_item(uint64_t kind, object block) {
    work_item item = {
        .isa = _NSConcreteStackBlock, .flags = HAS_HELPERS, .invoke = perform, .descriptor = &descriptor,
        .block = block, .kind = kind};
    return _Block_copy(&item);
}

MODELLED(object, dispatch_block_create, (unsigned long kind, object block), (kind, block),
    (void)self, (void)pc;
    return make_item(kind, block);)
MODELLED(object, dispatch_block_create_with_qos_class,
    (unsigned long kind, unsigned class, int priority, object block), (kind, class, priority, block),
    (void)self, (void)pc;
    return make_item(kind, block);)

// Items that were not made by actors belong to the library.
static work_item *item_of(actor *self, object block, uintptr_t pc) {
    if (!rxraces_is_work_item(block))
        rxraces_refuse(self, "a work item that was made outside the race; make it in 'makeState' or an actor", pc);
    return block;
}

MODELLED(void, dispatch_block_cancel, (object block), (block),
    work_item *item = item_of(self, block, pc);
    rxraces_take_step(self, rxraces_store, &item->performed, 8, "work item", pc);
    item->is_cancelled = 1;)
MODELLED(intptr_t, dispatch_block_testcancel, (object block), (block),
    work_item *item = item_of(self, block, pc);
    rxraces_take_step(self, rxraces_load, &item->performed, 8, "work item", pc);
    return item->is_cancelled;)
MODELLED(intptr_t, dispatch_block_wait, (object block, uint64_t time), (block, time),
    work_item *item = item_of(self, block, pc);
    if (!waits_at(self, &item->performed, ONLY_DIFFERENT, time, "work item", pc)) return 1;
    rxraces_synchronise(self, (uintptr_t)&item->performed, 2, true, true);
    return 0;)
MODELLED(void, dispatch_block_notify, (object block, object queue, object notified), (block, queue, notified),
    work_item *item = item_of(self, block, pc);
    job made = rxraces_job_of(notified, queue, pc);
    rxraces_take_step(self, rxraces_enqueue, &item->performed, 8, "work item", pc);
    rxraces_synchronise(self, (uintptr_t)&item->performed, 4, true, true);
    if (item->performed > 0) rxraces_begin_job(self, made);
    else notify_later(self, item, made);)
MODELLED(void, dispatch_block_perform, (unsigned long kind, object block), (kind, block),
    (void)self, (void)pc;
    rxraces_call_block(block);)
#pragma clang attribute pop
#endif
