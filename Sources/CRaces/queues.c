#define _GNU_SOURCE
#include "races.h"

// Dispatch, modelled: each block is an actor of its own, made when it is enqueued. A serial queue lets one run after
// the other, in the order of their tickets; a concurrent one lets all. A block that is due later begins when nobody
// else can go on.
#ifdef RXRACES_INSTRUMENTED
#include <dlfcn.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>

enum { QUEUES = 64 };
typedef void *object;

#define NEXT(name) ({ \
    static __typeof__(&name) next; \
    if (next == NULL) next = (__typeof__(&name))dlsym(RTLD_NEXT, #name); \
    next; })

extern struct { int unused; } _dispatch_queue_attr_concurrent, _dispatch_main_q;
object dispatch_queue_create(const char *label, void *attribute);
object _Block_copy(object block);
void _Block_release(object block);
const char *dispatch_queue_get_label(object queue);

// A queue in one execution.
typedef struct {
    object queue;
    uint32_t generation;
    // The next ticket, and how many have been served.
    uint64_t next, served;
} queue_state;

typedef struct {
    object block;
    void (*function)(void *);
    void *context;
    queue_state *queue;
    uint64_t ticket;
    // A serial queue on which a turn is to be taken when the time has come.
    object late_queue;
    // A group to leave, whose `next` is the number of entries and `served` that of departures.
    queue_state *group;
} job;

static queue_state queues[QUEUES];
static job jobs[ACTORS];
// Enqueuing takes an actor's place, which orders all who do it.
static uint64_t places;

static queue_state *state_of(actor *self, object queue, uintptr_t pc) {
    for (int i = 0; i < QUEUES; i++) {
        if (queues[i].generation == rxraces.generation && queues[i].queue != queue) continue;
        if (queues[i].generation != rxraces.generation)
            queues[i] = (queue_state){.queue = queue, .generation = rxraces.generation};
        return &queues[i];
    }
    rxraces_refuse(self, "more than 64 queues", pc);
}

// What kind a queue is stands in no public place, but the first word of an object names its kind.
static void *kind_of(object queue) { return *(void **)queue; }

static bool is_serial(actor *self, object queue, uintptr_t pc) {
    static void *serial, *concurrent;
    if (serial == NULL) {
        serial = kind_of(dispatch_queue_create("rxbench.serial", NULL));
        concurrent = kind_of(dispatch_queue_create("rxbench.concurrent", &_dispatch_queue_attr_concurrent));
    }
    if (kind_of(queue) == serial || queue == (object)&_dispatch_main_q) return true;
    const char *label = dispatch_queue_get_label(queue);
    bool is_global = label != NULL && strncmp(label, "com.apple.root.", 15) == 0;
    if (kind_of(queue) != concurrent && !is_global) rxraces_refuse(self, "a queue of another kind", pc);
    return false;
}

// MARK: Time is virtual, in nanoseconds since the first execution's begin, and advanced when all else waits.

enum { BEGIN = 1000000000 };
static uint64_t now;
static uint32_t now_of;

static uint64_t virtual_now(void) {
    if (now_of != rxraces.generation) now = BEGIN;
    now_of = rxraces.generation;
    return now;
}

void rxraces_advance(uint64_t due) { if (due > virtual_now()) now = due; }

uint64_t dispatch_time(uint64_t when, int64_t span);
uint64_t dispatch_time(uint64_t when, int64_t span) {
    if (rxraces_searched() == NULL || when != 0) return NEXT(dispatch_time)(when, span);
    return (uint64_t)((int64_t)virtual_now() + span);
}

int clock_gettime(clockid_t clock, struct timespec *time) {
    if (rxraces_searched() == NULL) return (int)rxraces_system_call(SYS_clock_gettime, clock, (long)time, 0, 0);
    time->tv_sec = (time_t)(virtual_now() / 1000000000);
    time->tv_nsec = (long)(virtual_now() % 1000000000);
    return 0;
}

static void wait_for_turn(actor *self, queue_state *queue, uint64_t ticket, uintptr_t pc) {
    rxraces_point(self, (operation){
        .kind = rxraces_lock, .address = (uintptr_t)&queue->served, .size = 8, .writes = true, .guard = ONLY_EQUAL,
        .value = ticket, .pc = pc});
    rxraces_synchronise(self, (uintptr_t)&queue->served, 2, true, true);
}

static void end_turn(actor *self, queue_state *queue, uintptr_t pc) {
    rxraces_point(self, (operation){
        .kind = rxraces_unlock, .address = (uintptr_t)&queue->served, .size = 8, .writes = true, .pc = pc});
    rxraces_synchronise(self, (uintptr_t)&queue->served, 4, true, true);
    queue->served++;
}

static void run_job(void *context) {
    actor *self = rxraces_self;
    job *mine = context;
    uintptr_t pc = (uintptr_t)(mine->block != NULL ? ((void **)mine->block)[2] : (void *)mine->function) + 1;
    if (mine->late_queue != NULL) {
        mine->queue = state_of(self, mine->late_queue, pc);
        mine->ticket = mine->queue->next++;
    }
    if (mine->queue != NULL) wait_for_turn(self, mine->queue, mine->ticket, pc);
    if (mine->block != NULL) {
        ((void (*)(object))((void **)mine->block)[2])(mine->block);
        _Block_release(mine->block);
    } else {
        mine->function(mine->context);
    }
    if (mine->queue != NULL) end_turn(self, mine->queue, pc);
    if (mine->group != NULL) end_turn(self, mine->group, pc);
}

// Makes an actor of a block; it can go on as soon as its queue lets it.
static void enqueue(actor *self, job new_job, object queue, uint64_t due, uintptr_t pc) {
    rxraces_point(self, (operation){
        .kind = rxraces_enqueue, .address = (uintptr_t)&places, .size = 8, .writes = true, .pc = pc});
    if (rxraces.count == ACTORS) rxraces_refuse(self, "more blocks than 16 actors have room for", pc);
    actor *made = &rxraces.actors[rxraces.count];
    if (!made->is_employed || made->is_live) rxraces_refuse(self, "a block before its actor is ready", pc);
    if (queue != NULL && is_serial(self, queue, pc)) {
        new_job.queue = state_of(self, queue, pc);
        new_job.ticket = new_job.queue->next++;
    }
    jobs[rxraces.count] = new_job;
    rxraces_prepare(made, run_job, &jobs[rxraces.count]);
    memcpy(made->dependence, self->dependence, sizeof made->dependence);
    self->order[self->index]++;
    memcpy(made->order, self->order, sizeof made->order);
    made->pending = (operation){.kind = rxraces_begin, .value = due, .guard = due != 0 ? WHEN_DUE : ANY, .pc = pc};
    rxraces.count++;
}

static job of_block(object block) { return (job){.block = _Block_copy(block)}; }

#define MODELLED(result, name, parameters, arguments, body) \
    result name parameters; \
    result name parameters { \
        actor *self = rxraces_searched(); \
        if (self == NULL) return NEXT(name) arguments; \
        uintptr_t pc = RXRACES_PC; \
        body \
    }

MODELLED(void, dispatch_async, (object queue, object block), (queue, block),
    enqueue(self, of_block(block), queue, 0, pc);)
MODELLED(void, dispatch_async_f, (object queue, void *context, void (*body)(void *)), (queue, context, body),
    enqueue(self, (job){.function = body, .context = context}, queue, 0, pc);)
MODELLED(void, dispatch_after, (uint64_t time, object queue, object block), (time, queue, block),
    // A wall clock's time is negative.
    if ((int64_t)time < 0) rxraces_refuse(self, "dispatch_after by a wall clock", pc);
    // A ticket is taken when the time has come.
    if (is_serial(self, queue, pc)) {
        job made = of_block(block);
        made.late_queue = queue;
        enqueue(self, made, NULL, time, pc);
    } else {
        enqueue(self, of_block(block), queue, time, pc);
    })

// The caller takes its turn as a block would.
MODELLED(void, dispatch_sync, (object queue, object block), (queue, block),
    queue_state *serial = is_serial(self, queue, pc) ? state_of(self, queue, pc) : NULL;
    rxraces_point(self, (operation){
        .kind = rxraces_enqueue, .address = (uintptr_t)&places, .size = 8, .writes = true, .pc = pc});
    if (serial != NULL) wait_for_turn(self, serial, serial->next++, pc);
    ((void (*)(object))((void **)block)[2])(block);
    if (serial != NULL) end_turn(self, serial, pc);)

MODELLED(void, dispatch_group_enter, (object group), (group),
    state_of(self, group, pc)->next++;)
MODELLED(void, dispatch_group_leave, (object group), (group),
    end_turn(self, state_of(self, group, pc), pc);)
MODELLED(void, dispatch_group_async, (object group, object queue, object block), (group, queue, block),
    job made = of_block(block);
    made.group = state_of(self, group, pc);
    made.group->next++;
    enqueue(self, made, queue, 0, pc);)
MODELLED(intptr_t, dispatch_group_wait, (object group, uint64_t time), (group, time),
    if (time != ~0ull) rxraces_refuse(self, "dispatch_group_wait with a time", pc);
    queue_state *state = state_of(self, group, pc);
    wait_for_turn(self, state, state->next, pc);
    return 0;)

// MARK: Semaphores: the value that they were made with is known; what an execution adds is not theirs to keep.

enum { SEMAPHORES = 256 };
static struct { object semaphore; intptr_t made_with; } semaphores[SEMAPHORES];
static int semaphore_count;
static struct { object semaphore; uint32_t generation; int64_t value; } values[QUEUES];

object dispatch_semaphore_create(intptr_t value);
object dispatch_semaphore_create(intptr_t value) {
    object made = NEXT(dispatch_semaphore_create)(value);
    if (rxraces_self == NULL) return made;
    int place = 0;
    while (place < semaphore_count && semaphores[place].semaphore != made) place++;
    if (place == SEMAPHORES) place = semaphore_count = 0;
    if (place == semaphore_count) semaphore_count++;
    semaphores[place].semaphore = made;
    semaphores[place].made_with = value;
    return made;
}

static int64_t *value_of(actor *self, object semaphore, uintptr_t pc) {
    for (int i = 0; i < QUEUES; i++) {
        if (values[i].generation == rxraces.generation && values[i].semaphore != semaphore) continue;
        if (values[i].generation == rxraces.generation) return &values[i].value;
        for (int j = 0; j < semaphore_count; j++) {
            if (semaphores[j].semaphore != semaphore) continue;
            values[i].semaphore = semaphore;
            values[i].generation = rxraces.generation;
            values[i].value = semaphores[j].made_with;
            return &values[i].value;
        }
        break;
    }
    rxraces_refuse(self, "a semaphore that is not known", pc);
}

MODELLED(intptr_t, dispatch_semaphore_wait, (object semaphore, uint64_t time), (semaphore, time),
    int64_t *value = value_of(self, semaphore, pc);
    if (time != ~0ull) rxraces_refuse(self, "dispatch_semaphore_wait with a time", pc);
    rxraces_point(self, (operation){
        .kind = rxraces_wait, .address = (uintptr_t)value, .size = 8, .writes = true, .guard = ONLY_DIFFERENT,
        .pc = pc});
    --*value;
    rxraces_synchronise(self, (uintptr_t)value, 2, true, true);
    return 0;)
MODELLED(intptr_t, dispatch_semaphore_signal, (object semaphore), (semaphore),
    int64_t *value = value_of(self, semaphore, pc);
    rxraces_point(self, (operation){
        .kind = rxraces_wake, .address = (uintptr_t)value, .size = 8, .writes = true, .pc = pc});
    rxraces_synchronise(self, (uintptr_t)value, 4, true, true);
    ++*value;
    return 0;)
#endif
