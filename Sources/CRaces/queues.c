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
    // The task that it is a part of.
    void *task;
    // A serial queue on which a turn is to be taken when the time has come.
    object late_queue;
    // A group to leave, whose `next` is the number of entries and `served` that of departures.
    queue_state *group;
} job;

static queue_state queues[QUEUES];
static job jobs[ACTORS];
uint64_t rxraces_places;

static queue_state *state_of(actor *self, object queue, uintptr_t pc) {
    for (int i = 0; i < QUEUES; i++) {
        if (queues[i].generation == rxraces.generation && queues[i].queue != queue) continue;
        if (queues[i].generation != rxraces.generation)
            queues[i] = (queue_state){.queue = queue, .generation = rxraces.generation};
        return &queues[i];
    }
    rxraces_refuse(self, "more than 64 queues", pc);
}

// No public function tells the kind of a queue, but the first word of an object names its kind.
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
uint64_t rxraces_now(void) { return virtual_now(); }

uint64_t dispatch_time(uint64_t when, int64_t span);
uint64_t dispatch_time(uint64_t when, int64_t span) {
    if (rxraces_executed() == NULL || when != 0) return NEXT(dispatch_time)(when, span);
    return (uint64_t)((int64_t)virtual_now() + span);
}

int clock_gettime(clockid_t clock, struct timespec *time) {
    if (rxraces_executed() == NULL) return (int)rxraces_system_call(SYS_clock_gettime, clock, (long)time, 0, 0);
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
    self->depth = 0;
    self->announced_by = 0;
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

// A task whose last job has ended goes on as the same actor: its jobs follow one another.
static int free_place(void *task) {
    for (int i = 0; i < rxraces.count && task != NULL; i++)
        if (jobs[i].task == task && !rxraces.actors[i].is_live) return i;
    return rxraces.count;
}

static void announce_enqueuing(actor *self, uintptr_t pc) {
    rxraces_point(self, (operation){
        .kind = rxraces_enqueue, .address = (uintptr_t)&rxraces_places, .size = 8, .writes = true, .pc = pc});
}

// Makes an actor of a block; it can go on as soon as its queue lets it.
static actor *make_actor(actor *self, job new_job, object queue, uint64_t due, uintptr_t pc) {
    int place = free_place(new_job.task);
    if (place == ACTORS) rxraces_refuse(self, "more blocks and jobs than 24 actors have room for", pc);
    actor *made = &rxraces.actors[place];
    if (!made->is_employed || made->is_live) rxraces_refuse(self, "a block before its actor is ready", pc);
    if (queue != NULL && is_serial(self, queue, pc)) {
        new_job.queue = state_of(self, queue, pc);
        new_job.ticket = new_job.queue->next++;
    }
    jobs[place] = new_job;
    if (place == rxraces.count) {
        rxraces_prepare(made, run_job, &jobs[place]);
        rxraces.count++;
    } else {
        rxraces_go_on(made);
    }
    self->order[self->index]++;
    rxraces_join(made->dependence, self->dependence);
    rxraces_join(made->order, self->order);
    made->pending = (operation){.kind = rxraces_begin, .value = due, .guard = due != 0 ? WHEN_DUE : ANY, .pc = pc};
    // A report tells where it was enqueued.
    if (rxraces.plan.records_stacks) {
        made->depth = self->depth;
        memcpy(made->calls, self->calls, sizeof made->calls);
    }
    return made;
}

static void enqueue(actor *self, job new_job, object queue, uint64_t due, uintptr_t pc) {
    announce_enqueuing(self, pc);
    make_actor(self, new_job, queue, due, pc);
}

void rxraces_add_actor(actor *self, rxraces_job added) {
    job new_job = {.function = added.function, .context = added.context, .task = added.task};
    // A ticket is taken when the time has come.
    if (added.is_on_main && added.due != 0) new_job.late_queue = (object)&_dispatch_main_q;
    object queue = added.is_on_main && added.due == 0 ? (object)&_dispatch_main_q : NULL;
    actor *made = make_actor(self, new_job, queue, added.due, added.pc);
    // Another job than a task's is the runtime's own: an actor's turn, which takes what waits for it.
    if (added.task != NULL) return;
    made->pending.address = (uintptr_t)&rxraces_places;
    made->pending.size = 8;
    made->pending.writes = true;
}

static job of_block(object block) { return (job){.block = _Block_copy(block)}; }

MODELLED(void, dispatch_async, (object queue, object block), (queue, block),
    enqueue(self, of_block(block), queue, 0, pc);)
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

typedef void (*call)(void *context);

void dispatch_async_f(object queue, void *context, call body);
void dispatch_async_f(object queue, void *context, call body) {
    if (rxraces_takes_job(queue, context, 0, __builtin_frame_address(0))) return;
    actor *self = rxraces_searched();
    if (self == NULL) NEXT(dispatch_async_f)(queue, context, body);
    else enqueue(self, (job){.function = body, .context = context}, queue, 0, RXRACES_PC);
}

void dispatch_after_f(uint64_t time, object queue, void *context, call body);
void dispatch_after_f(uint64_t time, object queue, void *context, call body) {
    // Two bits name the clock: uptime, monotonic and wall.
    bool is_wall = time >> 62 == 3;
    if (!is_wall && rxraces_takes_job(queue, context, time & ~(3ull << 62), __builtin_frame_address(0))) return;
    actor *self = rxraces_searched();
    if (self != NULL) rxraces_refuse(self, "dispatch_after_f", RXRACES_PC);
    NEXT(dispatch_after_f)(time, queue, context, body);
}

// The caller takes its turn as a block would.
MODELLED(void, dispatch_sync, (object queue, object block), (queue, block),
    queue_state *serial = is_serial(self, queue, pc) ? state_of(self, queue, pc) : NULL;
    announce_enqueuing(self, pc);
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
#endif
