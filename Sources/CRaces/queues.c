#include "jobs.h"

// A model of Dispatch queues. An item of a serial queue, or a barrier, begins when all items before it have ended. Any
// other item begins when the barriers before it have ended. A queue with a target also occupies the target while its
// items run.
#ifdef RXRACES_INSTRUMENTED
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

enum { QUEUES = 64, KNOWN = 512, NESTED = 8, VALUES = 64 };

extern struct { int unused; } _dispatch_queue_attr_concurrent, _dispatch_main_q;
const char *dispatch_queue_get_label(object queue);
object dispatch_queue_create(const char *label, object attribute);
object dispatch_queue_create_with_target(const char *label, object attribute, object target)
    __asm__("dispatch_queue_create_with_target");
object dispatch_queue_attr_make_initially_inactive(object attribute);

static queue_state queues[QUEUES];
// The queues that each actor runs on, with the innermost queue last.
static struct { uint32_t generation; int count; queue_state *queues[NESTED]; } nested[ACTORS + 1];

// MARK: Facts recorded when a queue is made. No function returns a queue's target, or whether the queue is inactive.

static struct { object queue, target; bool is_inactive; } known[KNOWN];
static int known_count;
static object inactive_attributes[16];
static int inactive_count;

static int place_in_known(object queue) {
    for (int i = 0; i < KNOWN; i++) if (known[i].queue == queue) return i;
    return -1;
}

static void note_queue(object queue, object target, bool is_inactive) {
    int place = place_in_known(queue);
    if (place < 0) place = known_count++ % KNOWN;
    known[place].queue = queue;
    known[place].target = target;
    known[place].is_inactive = is_inactive;
}

static bool makes_inactive(object attribute) {
    for (int i = 0; i < inactive_count; i++) if (inactive_attributes[i] == attribute) return true;
    return false;
}

static object noted_attribute(object made, bool is_inactive) {
    if (is_inactive && !makes_inactive(made) && inactive_count < 16) inactive_attributes[inactive_count++] = made;
    return made;
}

object dispatch_queue_attr_make_initially_inactive(object attribute) {
    return noted_attribute(NEXT(dispatch_queue_attr_make_initially_inactive)(attribute), true);
}

object dispatch_queue_attr_make_with_qos_class(object attribute, unsigned class, int priority);
object dispatch_queue_attr_make_with_qos_class(object attribute, unsigned class, int priority) {
    object made = NEXT(dispatch_queue_attr_make_with_qos_class)(attribute, class, priority);
    return noted_attribute(made, makes_inactive(attribute));
}

object dispatch_queue_attr_make_with_autorelease_frequency(object attribute, unsigned long frequency);
object dispatch_queue_attr_make_with_autorelease_frequency(object attribute, unsigned long frequency) {
    object made = NEXT(dispatch_queue_attr_make_with_autorelease_frequency)(attribute, frequency);
    return noted_attribute(made, makes_inactive(attribute));
}

object dispatch_queue_create(const char *label, object attribute) {
    object made = NEXT(dispatch_queue_create)(label, attribute);
    note_queue(made, NULL, makes_inactive(attribute));
    return made;
}

object dispatch_queue_create_with_target(const char *label, object attribute, object target) {
    static object (*usual)(const char *, object, object);
    if (usual == NULL)
        usual = (object (*)(const char *, object, object))dlsym(RTLD_NEXT, "dispatch_queue_create_with_target");
    object made = usual(label, attribute, target);
    note_queue(made, target, makes_inactive(attribute));
    return made;
}

// MARK: The state of a queue in this execution

// No public function returns the kind of a queue, but the first word of an object identifies its kind.
static void *kind_of(object queue) { return *(void **)queue; }

static void find_kind(actor *self, queue_state *state, uintptr_t pc) {
    static void *serial, *concurrent;
    if (serial == NULL) {
        serial = kind_of(NEXT(dispatch_queue_create)("rxbench.serial", NULL));
        concurrent = kind_of(NEXT(dispatch_queue_create)("rxbench.concurrent", &_dispatch_queue_attr_concurrent));
    }
    const char *label = NEXT(dispatch_queue_get_label)(state->queue);
    state->is_global = label != NULL && strncmp(label, "com.apple.root.", 15) == 0;
    state->is_serial = kind_of(state->queue) == serial || state->queue == (object)&_dispatch_main_q;
    if (!state->is_serial && kind_of(state->queue) != concurrent && !state->is_global)
        rxraces_refuse(self, "a queue of another kind than serial, concurrent, global and main; use one of these", pc);
}

queue_state *rxraces_state_of(actor *self, object queue, uintptr_t pc) {
    int place = 0;
    while (place < QUEUES && queues[place].generation == rxraces.generation && queues[place].queue != queue) place++;
    if (place == QUEUES) rxraces_refuse(self, "more than 64 queues; make fewer of them", pc);
    queue_state *state = &queues[place];
    if (state->generation == rxraces.generation) return state;
    *state = (queue_state){.queue = queue, .generation = rxraces.generation};
    find_kind(self, state, pc);
    int noted = place_in_known(queue);
    if (noted < 0) return state;
    state->suspensions = known[noted].is_inactive;
    if (known[noted].target != NULL) {
        state->target = rxraces_state_of(self, known[noted].target, pc);
        // A global queue doesn't exclude any items.
        if (state->target->is_global) state->target = NULL;
    }
    return state;
}

// Returns the last queue in the chain of targets. Turns on all queues that share it depend on each other.
static queue_state *bottom_of(queue_state *queue) {
    while (queue->target != NULL) queue = queue->target;
    return queue;
}

queue_item rxraces_ticket(queue_state *queue, bool is_barrier) {
    queue_item item = {.queue = queue, .is_exclusive = queue->is_serial || (is_barrier && !queue->is_global)};
    item.need = item.is_exclusive ? queue->next : queue->after_barrier;
    queue->next++;
    if (item.is_exclusive) queue->after_barrier = queue->next;
    return item;
}

bool rxraces_is_in_turn(const operation *turn) {
    const queue_item *item = (const queue_item *)turn->value;
    if (item->queue->ended < item->need) return false;
    bool is_exclusive = item->is_exclusive;
    for (const queue_state *each = item->queue; each != NULL; each = each->target) {
        if (each != item->queue) is_exclusive = each->is_serial;
        if (each->suspensions > 0 || (is_exclusive ? each->running > 0 : each->is_exclusive)) return false;
    }
    return true;
}

static const char *label_of(const queue_state *queue) { return NEXT(dispatch_queue_get_label)(queue->queue); }

static void take_turn_step(actor *self, rxraces_kind kind, queue_state *queue, uintptr_t pc) {
    if (rxraces.phase != RUN) return;
    rxraces_point(self, (operation){
        .kind = (uint8_t)kind, .address = (uintptr_t)&bottom_of(queue)->ended, .size = 8, .writes = true,
        .thing = "queue", .label = label_of(queue), .pc = pc});
}

operation rxraces_turn(const queue_item *item, uintptr_t pc) {
    return (operation){
        .kind = rxraces_lock, .address = (uintptr_t)&bottom_of(item->queue)->ended, .size = 8, .writes = true,
        .guard = IN_TURN, .value = (uint64_t)item, .thing = "queue", .label = label_of(item->queue), .pc = pc};
}

void rxraces_begin_turn(actor *self, queue_item *item, uintptr_t pc) {
    queue_state *queue = item->queue;
    bool is_free = (queue->is_global && rxraces.phase == RUN) || item->is_awaited;
    item->is_awaited = false;
    if (!is_free) rxraces_wait_until(self, rxraces_turn(item, pc));
    bool is_exclusive = item->is_exclusive;
    for (queue_state *each = queue; each != NULL; each = each->target) {
        if (each != queue) is_exclusive = each->is_serial;
        each->running++;
        each->is_exclusive = is_exclusive;
        // All items release to `ended`; only exclusive items release to `after_barrier`.
        void *released = is_exclusive ? (void *)&each->ended : (void *)&each->after_barrier;
        if (!each->is_global) rxraces_synchronise(self, (uintptr_t)released, 2, true, true);
    }
    if (nested[self->index].generation != rxraces.generation) nested[self->index].count = 0;
    nested[self->index].generation = rxraces.generation;
    if (nested[self->index].count == NESTED) rxraces_refuse(self, "more than eight queues inside each other", pc);
    nested[self->index].queues[nested[self->index].count++] = queue;
}

void rxraces_end_turn(actor *self, queue_item *item, uintptr_t pc) {
    queue_state *queue = item->queue;
    if (!queue->is_global) take_turn_step(self, rxraces_unlock, queue, pc);
    for (queue_state *each = queue; each != NULL; each = each->target) {
        if (!each->is_global) {
            rxraces_synchronise(self, (uintptr_t)&each->ended, 4, true, true);
            if (each->is_exclusive) rxraces_synchronise(self, (uintptr_t)&each->after_barrier, 4, true, true);
        }
        each->running--;
        each->is_exclusive = false;
    }
    queue->ended++;
    nested[self->index].count--;
}

queue_state *rxraces_current_queue(const actor *self) {
    if (nested[self->index].generation != rxraces.generation || nested[self->index].count == 0) return NULL;
    return nested[self->index].queues[nested[self->index].count - 1];
}

bool rxraces_is_on(const queue_state *queue, object wanted) {
    for (; queue != NULL; queue = queue->target) if (queue->queue == wanted) return true;
    return false;
}

// Whether the actor runs on the wanted queue or on a queue that targets it.
static bool runs_on(const actor *self, object wanted) {
    if (nested[self->index].generation != rxraces.generation) return false;
    for (int i = 0; i < nested[self->index].count; i++)
        if (rxraces_is_on(nested[self->index].queues[i], wanted)) return true;
    return false;
}

bool rxraces_is_on_main(const actor *self) { return runs_on(self, (object)&_dispatch_main_q); }

// MARK: Handing over

MODELLED(void, dispatch_async, (object queue, object block), (queue, block),
    rxraces_hand_over(self, rxraces_job_of(block, queue, pc));)
MODELLED(void, dispatch_barrier_async, (object queue, object block), (queue, block),
    job made = rxraces_job_of(block, queue, pc);
    made.is_barrier = true;
    rxraces_hand_over(self, made);)

void dispatch_async_f(object queue, void *context, function body);
void dispatch_async_f(object queue, void *context, function body) {
    if (rxraces_takes_job(queue, context, 0, __builtin_frame_address(0))) return;
    actor *self = rxraces_executed();
    if (self == NULL) NEXT(dispatch_async_f)(queue, context, body);
    else rxraces_hand_over(self, (job){.function = body, .context = context, .queue = queue, .pc = RXRACES_PC});
}

MODELLED(void, dispatch_barrier_async_f, (object queue, void *context, function body), (queue, context, body),
    rxraces_hand_over(
        self, (job){.function = body, .context = context, .queue = queue, .is_barrier = true, .pc = pc});)

// The caller takes a turn on the queue, as an item would.
static void run_in_turn(actor *self, object queue, object block, function body, void *context, bool is_barrier,
    uintptr_t pc
) {
    queue_state *state = rxraces_state_of(self, queue, pc);
    rxraces_take_step(self, rxraces_enqueue, &rxraces_places, 8, NULL, pc);
    while (rxraces.phase != RUN && rxraces_run_early_job(self, state)) {}
    queue_item item = rxraces_ticket(state, is_barrier || (block != NULL && rxraces_is_barrier(block)));
    rxraces_begin_turn(self, &item, pc);
    if (block != NULL) rxraces_call_block(block);
    else body(context);
    rxraces_end_turn(self, &item, pc);
}

#define SYNCHRONOUS(name, is_barrier) \
    MODELLED(void, name, (object queue, object block), (queue, block), \
        run_in_turn(self, queue, block, NULL, NULL, is_barrier, pc);) \
    MODELLED(void, name##_f, (object queue, void *context, function body), (queue, context, body), \
        run_in_turn(self, queue, NULL, body, context, is_barrier, pc);)
SYNCHRONOUS(dispatch_sync, false)
SYNCHRONOUS(dispatch_barrier_sync, true)
SYNCHRONOUS(dispatch_async_and_wait, false)
SYNCHRONOUS(dispatch_barrier_async_and_wait, true)

// MARK: Concurrent iterations, with the number of workers that a machine with WORKERS cores would have.

enum { WORKERS = 4 };
static struct { uint32_t generation; object block; void (*body)(void *, size_t); void *context; size_t count, next; }
    applies[WORKERS];

static void work(void *apply) {
    __typeof__(&applies[0]) mine = apply;
    while (true) {
        // Each worker takes the next index. This step does not order memory.
        rxraces_take_step(rxraces_self, rxraces_exchange, &mine->next, 8, "iteration", (uintptr_t)work + 1);
        size_t index = mine->next;
        if (index >= mine->count) return;
        mine->next++;
        if (mine->block != NULL) ((void (*)(object, size_t))((void **)mine->block)[2])(mine->block, index);
        else mine->body(mine->context, index);
    }
}

static void apply(
    actor *self, size_t count, object queue, object block, void (*body)(void *, size_t), void *context, uintptr_t pc
) {
    int place = 0;
    while (place < WORKERS && applies[place].generation == rxraces.generation) place++;
    if (place == WORKERS) rxraces_refuse(self, "more than four calls of concurrentPerform; make fewer", pc);
    applies[place].generation = rxraces.generation;
    applies[place].block = block;
    applies[place].body = body;
    applies[place].context = context;
    applies[place].count = count;
    applies[place].next = 0;
    queue_state *state = queue == NULL ? NULL : rxraces_state_of(self, queue, pc);
    if (state != NULL && state->is_serial) {
        run_in_turn(self, queue, NULL, work, &applies[place], false, pc);
        return;
    }
    int helpers = (int)(count < WORKERS ? count : WORKERS) - 1;
    if (helpers > rxraces_free_places()) helpers = rxraces_free_places();
    counter_state *group = rxraces_counter_of(self, &applies[place], 0, pc);
    rxraces_take_step(self, rxraces_enqueue, &rxraces_places, 8, NULL, pc);
    for (int i = 0; i < helpers; i++) {
        group->count++;
        rxraces_begin_job(self, (job){.function = work, .context = &applies[place], .group = group, .pc = pc});
    }
    work(&applies[place]);
    rxraces_wait_until(self, (operation){
        .kind = rxraces_wait, .address = (uintptr_t)&group->count, .size = 8, .writes = true, .guard = ONLY_EQUAL,
        .thing = "iterations", .pc = pc});
    rxraces_synchronise(self, (uintptr_t)&group->count, 2, true, true);
}

MODELLED(void, dispatch_apply, (size_t count, object queue, object block), (count, queue, block),
    if (count > 0) apply(self, count, queue, block, NULL, NULL, pc);)
MODELLED(void, dispatch_apply_f, (size_t count, object queue, void *context, void (*body)(void *, size_t)),
    (count, queue, context, body),
    if (count > 0) apply(self, count, queue, NULL, body, context, pc);)

// MARK: Suspending, and targets

bool rxraces_is_source(object source);
void rxraces_suspend_source(actor *self, object source, int change, bool is_activation, uintptr_t pc);
void rxraces_set_source_queue(object source, object queue);

static void suspend(actor *self, object queue, int change, bool is_activation, uintptr_t pc) {
    if (rxraces_is_source(queue)) {
        rxraces_suspend_source(self, queue, change, is_activation, pc);
        return;
    }
    queue_state *state = rxraces_state_of(self, queue, pc);
    int noted = place_in_known(queue);
    bool is_inactive = noted >= 0 && known[noted].is_inactive;
    if (is_activation && !is_inactive) return;
    if (is_activation) known[noted].is_inactive = false;
    take_turn_step(self, rxraces_wake, state, pc);
    if (change < 0 && state->suspensions == 0) abort();
    state->suspensions += change;
    // Items that begin now see all steps before this call.
    rxraces_synchronise(self, (uintptr_t)&state->ended, 3, true, true);
    rxraces_synchronise(self, (uintptr_t)&state->after_barrier, 3, true, true);
}

// The library's own queue is suspended and resumed too, although it has nothing to run: the library ends a program that
// releases a suspended queue.
MODELLED(void, dispatch_suspend, (object queue), (queue),
    suspend(self, queue, 1, false, pc);
    if (!rxraces_is_source(queue)) NEXT(dispatch_suspend)(queue);)
MODELLED(void, dispatch_resume, (object queue), (queue),
    suspend(self, queue, -1, false, pc);
    if (!rxraces_is_source(queue)) NEXT(dispatch_resume)(queue);)
MODELLED(void, dispatch_activate, (object queue), (queue),
    suspend(self, queue, -1, true, pc);
    if (!rxraces_is_source(queue)) NEXT(dispatch_activate)(queue);)

void dispatch_set_target_queue(object queue, object target);
void dispatch_set_target_queue(object queue, object target) {
    actor *self = rxraces_executed();
    if (self != NULL && rxraces_is_source(queue)) {
        rxraces_set_source_queue(queue, target);
        return;
    }
    int noted = place_in_known(queue);
    if (noted >= 0) known[noted].target = target;
    NEXT(dispatch_set_target_queue)(queue, target);
    if (self == NULL || noted < 0) return;
    queue_state *state = rxraces_state_of(self, queue, RXRACES_PC);
    // Items that are already enqueued keep their place.
    state->target = target != NULL ? rxraces_state_of(self, target, RXRACES_PC) : NULL;
    if (state->target != NULL && state->target->is_global) state->target = NULL;
}

// MARK: Where code runs

// The library also ends a program in which one of these assertions doesn't hold.
MODELLED(void, dispatch_assert_queue, (object queue), (queue), (void)pc; if (!runs_on(self, queue)) abort();)
MODELLED(void, dispatch_assert_queue_not, (object queue), (queue), (void)pc; if (runs_on(self, queue)) abort();)
MODELLED(void, dispatch_assert_queue_barrier, (object queue), (queue),
    (void)pc;
    const queue_state *state = rxraces_current_queue(self);
    if (state == NULL || !rxraces_is_on(state, queue) || !state->is_exclusive) abort();)

MODELLED(const char *, dispatch_queue_get_label, (object queue), (queue),
    (void)pc;
    if (queue != NULL) return NEXT(dispatch_queue_get_label)(queue);
    const queue_state *state = rxraces_current_queue(self);
    return state != NULL ? label_of(state) : "";)

// `Thread.isMainThread` and CoreFoundation call this function.
bool _CFIsMainThread(void);
bool _CFIsMainThread(void) {
    actor *self = rxraces_executed();
    if (self != NULL) return rxraces_is_on_main(self);
    static bool (*usual)(void);
    if (usual == NULL) usual = (bool (*)(void))dlsym(RTLD_NEXT, "_CFIsMainThread");
    return usual != NULL && usual();
}

__attribute__((swiftcall)) bool rxraces_thread_is_main(void) __asm__("$s10Foundation6ThreadC06isMainB0SbvgZ");
__attribute__((swiftcall)) bool rxraces_thread_is_main(void) { return _CFIsMainThread(); }

// MARK: Queue-specific values. The library keeps them in memory that it frees later, on its own thread.

static struct { object queue; const void *key; void *value; function destructor; uint32_t generation; } values[VALUES];

static int place_of_value(object queue, const void *key) {
    for (int i = 0; i < VALUES; i++)
        if (values[i].generation == rxraces.generation && values[i].queue == queue && values[i].key == key) return i;
    return -1;
}

static void drop_value(int place) {
    values[place].generation = 0;
    if (values[place].destructor != NULL && values[place].value != NULL) values[place].destructor(values[place].value);
}

MODELLED(void, dispatch_queue_set_specific, (object queue, const void *key, void *value, function destructor),
    (queue, key, value, destructor),
    int place = place_of_value(queue, key);
    if (place >= 0) drop_value(place);
    for (place = 0; place < VALUES && values[place].generation == rxraces.generation;) place++;
    if (place == VALUES) rxraces_refuse(self, "more than 64 values of queues; set fewer", pc);
    values[place].queue = queue;
    values[place].key = key;
    values[place].value = value;
    values[place].destructor = destructor;
    values[place].generation = rxraces.generation;)

static void *value_of(object queue, const void *key) {
    int place = place_of_value(queue, key);
    if (place >= 0) return values[place].value;
    static void *(*usual)(object, const void *);
    if (usual == NULL) usual = (void *(*)(object, const void *))dlsym(RTLD_NEXT, "dispatch_queue_get_specific");
    return usual(queue, key);
}

MODELLED(void *, dispatch_queue_get_specific, (object queue, const void *key), (queue, key),
    (void)self, (void)pc;
    return value_of(queue, key);)
MODELLED(void *, dispatch_get_specific, (const void *key), (key),
    (void)pc;
    for (const queue_state *each = rxraces_current_queue(self); each != NULL; each = each->target) {
        void *value = value_of(each->queue, key);
        if (value != NULL) return value;
    }
    return NULL;)

// Called once the last check has ended. Drops the values of queues, which end with this execution.
void rxraces_drop_values(void) {
    for (int i = 0; i < VALUES; i++) if (values[i].generation == rxraces.generation) drop_value(i);
}
#pragma clang attribute pop
#endif
