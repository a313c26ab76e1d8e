#include "jobs.h"

// A model of Swift concurrency. Each job that the runtime gives to its global or main executor is a separate actor, as
// a Dispatch block is. The runtime itself is not instrumented. It announces memory orders for ThreadSanitizer. Its work
// between two such announcements is one step, and only the announced orders are known.
#ifdef RXRACES_INSTRUMENTED
#include <dlfcn.h>
#include <string.h>

#define SWIFT __attribute__((swiftcall))
typedef void *swift_job;
typedef SWIFT void (*run_later)(swift_job job);
typedef SWIFT void (*run_after)(uint64_t delay, swift_job job);
typedef SWIFT void (*run_at)(
    int64_t seconds, int64_t nanoseconds, int64_t leeway, int64_t leeway_nanoseconds, int clock, swift_job job);
typedef struct { void *identity, *implementation; } serial_executor;

extern SWIFT void (*swift_task_enqueueGlobal_hook)(swift_job job, run_later usual);
extern SWIFT void (*swift_task_enqueueMainExecutor_hook)(swift_job job, run_later usual);
extern SWIFT void (*swift_task_enqueueGlobalWithDelay_hook)(uint64_t delay, swift_job job, run_after usual);
extern SWIFT void (*swift_task_enqueueGlobalWithDeadline_hook)(
    int64_t seconds, int64_t nanoseconds, int64_t leeway, int64_t leeway_nanoseconds, int clock, swift_job job,
    run_at usual);
SWIFT void swift_job_run(swift_job job, void *identity, void *implementation);
SWIFT serial_executor swift_task_getMainExecutor(void);
SWIFT void *swift_task_getCurrent(void);
size_t swift_retainCount(void *object);

extern struct { int unused; } _dispatch_main_q;
const char *dispatch_queue_get_label(void *queue);

// The hooks by which the runtime announces its memory orders to ThreadSanitizer.
extern bool _swift_tsan_enabled;
extern void (*_swift_tsan_acquire)(void *address), (*_swift_tsan_release)(void *address);
void __tsan_acquire(void *address);
void __tsan_release(void *address);

// Returns after the call and is not a tail call, so that its address marks the outer end of a job's calls.
__attribute__((noinline)) static void run_on(serial_executor executor, swift_job job) {
    swift_job_run(job, executor.identity, executor.implementation);
    __asm__ volatile("");
}

static bool is_end_of_job(uintptr_t pc) { return pc - (uintptr_t)run_on < 64; }

static void run(void *job) { run_on((serial_executor){NULL, NULL}, job); }
static void run_on_main(void *job) { run_on(swift_task_getMainExecutor(), job); }

bool rxraces_is_job_runner(const void *function) { return function == (void *)run || function == (void *)run_on_main; }

// The lowest byte of a job's flags is its kind: 0 for a task, which is enqueued as a job repeatedly.
static uint8_t kind_of(swift_job job) { return *((uint8_t *)job + 32); }
static bool is_task(swift_job job) { return kind_of(job) == 0; }
// Whether this is a job by which a task continues after it has yielded or slept.
static bool is_continuation(swift_job job) { return kind_of(job) == 195; }

// MARK: Steps. The runtime announces a release before it makes a change visible to other threads, and an acquire after
// it has seen the changes of other threads.

static rxraces_image runtime, types;

bool rxraces_is_of_types(uintptr_t address) { return rxraces_is_in(&types, address); }
bool rxraces_is_of_tasks(uintptr_t address) { return rxraces_is_in(&runtime, address); }

// The frame of an asynchronous function in its task's memory: the frame of the function that awaits it, and the address
// to which it returns there.
typedef struct async_context { const struct async_context *parent; uintptr_t resume; } async_context;

// Finds the caller of the runtime and the called place in the runtime, by frame pointers. `caller` stays 0 if the
// runtime was not called but runs a job itself. An asynchronous function marks its frame in the upper bits of the frame
// pointer, and stores its context before the frame.
static void find_call(
    const actor *self, const void *frame, uintptr_t *inside, uintptr_t *caller, const async_context **context
) {
    enum { FRAMES = 64 };
    const uintptr_t mark = 1ull << 60;
    *inside = ((const uintptr_t *)frame)[1];
    uintptr_t outermost = *inside;
    for (int i = 0; i < FRAMES; i++) {
        uintptr_t at = (uintptr_t)frame & ~(0xFull << 60);
        if (at < self->stack_low || at >= self->stack_high || (at & 7)) return;
        uintptr_t pc = ((const uintptr_t *)at)[1];
        if (is_end_of_job(pc)) return;
        if (!rxraces_is_of_tasks(pc)) {
            *inside = outermost;
            *caller = pc;
            uintptr_t next = *(const uintptr_t *)at;
            uintptr_t place = next & ~(0xFull << 60);
            bool is_on_stack = place > at && place < self->stack_high;
            if ((next & mark) && is_on_stack) *context = ((const async_context *const *)place)[-1];
            return;
        }
        outermost = pc;
        frame = ((void *const *)at)[0];
    }
}

// Returns the function that a task begins with, or the program's function that it continues with, if there is one, and
// that function's context. Other jobs belong to the runtime and don't identify a function of the program.
static uintptr_t beginning(swift_job job, const async_context **context) {
    struct { uintptr_t begin; const async_context *context; } *fields = (void *)((uintptr_t *)job + 7);
    *context = NULL;
    if (!is_task(job)) return (uintptr_t)swift_job_run + 1;
    *context = fields->context;
    uintptr_t found = fields->begin;
    while (rxraces_is_of_tasks(found) && *context != NULL) {
        found = (*context)->resume;
        *context = (*context)->parent;
    }
    return (rxraces_is_of_tasks(found) ? fields->begin : found) + 1;
}

// Whether the address can be a context: tasks are allocated in the execution's heap. A frame that looks like the frame
// of an asynchronous function may be another one.
static bool is_context(const async_context *context) {
    uintptr_t at = (uintptr_t)context;
    return at >= rxraces_heap.begin && at < rxraces_heap.end && (at & 7) == 0;
}

// Adds the program's functions that await the function with this context to an actor's calls, innermost last.
static void push_awaits(actor *self, const async_context *context) {
    enum { AWAITS = 12 };
    uintptr_t awaits[AWAITS];
    int count = 0;
    for (; is_context(context) && count < AWAITS; context = context->parent)
        if (rxraces_is_searched_code(context->resume)) awaits[count++] = context->resume + 1;
    for (int i = count - 1; i >= 0; i--) self->calls[self->depth++ & (CALLS - 1)] = awaits[i];
}

// A step of the runtime. All such steps depend on each other, because the memory that they touch is not known. A report
// shows the call in the runtime above the runtime's caller.
static void step_of_tasks(actor *self, uintptr_t inside, uintptr_t caller, const async_context *context) {
    // Steps that a job takes without a known caller belong to the last known place.
    if (caller == 0) caller = self->announced_by;
    int depth = self->depth;
    if (rxraces.plan.records_stacks && caller != 0) {
        push_awaits(self, context);
        self->calls[self->depth++ & (CALLS - 1)] = caller;
    }
    rxraces_point(self, (operation){
        .kind = rxraces_call, .address = (uintptr_t)&rxraces_places, .size = 8, .writes = true, .pc = inside});
    self->depth = depth;
    self->announced_by = caller;
}

// Announces a job. `frame` belongs to a function that the runtime has called.
static void announce(actor *self, swift_job job, const void *frame) {
    // The runtime often announces a job twice in a row: when the task is resumed, and when it is enqueued.
    if (self->announced == job && self->announced_at == self->steps) return;
    uintptr_t inside = 0, caller = 0;
    const async_context *context = NULL;
    find_call(self, frame, &inside, &caller, &context);
    // A task that hands itself over continues after its await.
    if (caller == 0 && job == swift_task_getCurrent()) {
        uintptr_t next = beginning(job, &context);
        if (!rxraces_is_of_tasks(next)) caller = next;
    }
    step_of_tasks(self, inside, caller, context);
    self->announced = job;
    self->announced_at = self->steps;
}

// The runtime calls these functions where it acquires and releases memory.
void __tsan_acquire(void *address) {
    actor *self = rxraces_searched();
    if (self != NULL) rxraces_synchronise(self, (uintptr_t)address, 2, true, false);
}

void __tsan_release(void *address) {
    actor *self = rxraces_searched();
    if (self == NULL) return;
    // An address in a global of the runtime belongs to one-time initialisation. The announcements of the type-metadata
    // runtime do too.
    if (!rxraces_is_of_types(RXRACES_PC) && !rxraces_is_of_tasks((uintptr_t)address))
        announce(self, address, __builtin_frame_address(0));
    rxraces_synchronise(self, (uintptr_t)address, 4, true, true);
}

void rxraces_take_resumption(actor *self) {
    void *task = swift_task_getCurrent();
    if (task != NULL) rxraces_synchronise(self, (uintptr_t)task, 2, true, false);
}

// Takes over a job; returns whether it did. The runtime has announced the job already unless there is a `frame`.
static bool takes(void *swift_job, bool is_on_main, uint64_t due, const void *frame) {
    actor *self = rxraces_executed();
    if (self == NULL) return false;
    bool is_searched = rxraces.phase == RUN;
    if (is_searched && frame != NULL) announce(self, swift_job, frame);
    const async_context *context;
    uintptr_t pc = beginning(swift_job, &context);
    if (rxraces_is_of_tasks(pc) && is_searched && self->announced_by != 0) pc = self->announced_by;
    // A report shows the functions that await the job.
    int depth = self->depth;
    if (is_searched && rxraces.plan.records_stacks) push_awaits(self, context);
    bool is_yield = is_continuation(swift_job) && due == 0;
    void *task = is_task(swift_job) ? swift_job : is_yield ? swift_task_getCurrent() : NULL;
    rxraces_begin_job(self, (job){
        .function = is_on_main ? run_on_main : run, .context = swift_job, .task = task, .is_yield = is_yield,
        .queue = is_on_main ? (object)&_dispatch_main_q : NULL, .due = due, .pc = pc});
    self->depth = depth;
    return true;
}

static SWIFT void enqueue(swift_job job, run_later usual) { if (!takes(job, false, 0, NULL)) usual(job); }
static SWIFT void enqueue_on_main(swift_job job, run_later usual) {
    if (!takes(job, true, 0, __builtin_frame_address(0))) usual(job);
}

static SWIFT void enqueue_after(uint64_t delay, swift_job job, run_after usual) {
    if (!takes(job, false, rxraces_now() + delay, __builtin_frame_address(0))) usual(delay, job);
}

static SWIFT void enqueue_at(
    int64_t seconds, int64_t nanoseconds, int64_t leeway, int64_t leeway_nanoseconds, int clock, swift_job job,
    run_at usual
) {
    uint64_t due = (uint64_t)(seconds * 1000000000 + nanoseconds);
    if (!takes(job, false, due, __builtin_frame_address(0)))
        usual(seconds, nanoseconds, leeway, leeway_nanoseconds, clock, job);
}

// MARK: The runtime's own executors, to which `Task.yield` and `Task.sleep` give jobs. They hand the jobs to Dispatch
// by a private function if there is one, or else by public functions.

void *dlsym(void *handle, const char *name) {
    static void *(*usual)(void *, const char *);
    if (strcmp(name, "dispatch_async_swift_job") == 0) return NULL;
    if (usual == NULL) usual = (void *(*)(void *, const char *))dlvsym(RTLD_NEXT, "dlsym", "GLIBC_2.34");
    if (usual == NULL) usual = (void *(*)(void *, const char *))dlvsym(RTLD_NEXT, "dlsym", "GLIBC_2.2.5");
    // A tail call, because the C library finds "the next" definition by its caller's address.
    __attribute__((musttail)) return usual(handle, name);
}

// Sets the width of the queue that the runtime makes for jobs at its first use. During an execution this call is
// ignored: Dispatch would start a thread for it, and nothing runs on that queue.
void dispatch_queue_set_width(void *queue, long width);
void dispatch_queue_set_width(void *queue, long width) {
    if (rxraces_executed() == NULL) NEXT(dispatch_queue_set_width)(queue, width);
}

bool rxraces_takes_job(void *queue, swift_job job, uint64_t due, const void *frame) {
    if (rxraces_executed() == NULL || !rxraces_is_of_tasks(((const uintptr_t *)frame)[1])) return false;
    bool is_on_main = queue == (void *)&_dispatch_main_q;
    const char *label = dispatch_queue_get_label(queue);
    bool is_global = label != NULL && strcmp(label, "Swift global concurrent queue") == 0;
    // Any other queue belongs to a custom executor. Its jobs are handled like other blocks.
    return (is_on_main || is_global) && takes(job, is_on_main, due, frame);
}

void rxraces_take_tasks(void) {
    runtime = rxraces_image_around((void *)swift_job_run);
    types = rxraces_image_around((void *)swift_retainCount);
    swift_task_enqueueGlobal_hook = enqueue;
    swift_task_enqueueMainExecutor_hook = enqueue_on_main;
    swift_task_enqueueGlobalWithDelay_hook = enqueue_after;
    swift_task_enqueueGlobalWithDeadline_hook = enqueue_at;
    _swift_tsan_acquire = __tsan_acquire;
    _swift_tsan_release = __tsan_release;
    _swift_tsan_enabled = true;
}

// MARK: Runtime calls that have an effect without an announcement before it. Each of them is a step.

SWIFT serial_executor swift_task_getCurrentExecutor(void);

SWIFT void swift_task_cancel(void *task);
SWIFT void swift_task_cancel(void *task) {
    actor *self = rxraces_searched();
    if (self != NULL) step_of_tasks(self, (uintptr_t)swift_task_cancel + 1, RXRACES_PC, NULL);
    NEXT(swift_task_cancel)(task);
}

// `Task.cancel` of all success and failure types.
SWIFT void rxraces_cancel(void *task) __asm__("$sScT6cancelyyF");
SWIFT void rxraces_cancel(void *task) { __attribute__((musttail)) return swift_task_cancel(task); }

SWIFT bool swift_task_isCancelled(void *task);

static void ask_for_cancellation(uintptr_t pc) {
    actor *self = rxraces_searched();
    if (self != NULL) step_of_tasks(self, (uintptr_t)swift_task_isCancelled + 1, pc, NULL);
}

SWIFT bool swift_task_isCancelled(void *task) {
    ask_for_cancellation(RXRACES_PC);
    return NEXT(swift_task_isCancelled)(task);
}

// `Task.isCancelled` of the current task, for calls that are not inlined.
SWIFT bool rxraces_is_cancelled(void) __asm__("$sScTss5NeverORszABRs_rlE11isCancelledSbvgZ");
SWIFT bool rxraces_is_cancelled(void) {
    ask_for_cancellation(RXRACES_PC);
    void *task = swift_task_getCurrent();
    return task != NULL && NEXT(swift_task_isCancelled)(task);
}

// `Task.checkCancellation`.
typedef SWIFT void (*throwing)(
    __attribute__((swift_context)) void *type, __attribute__((swift_error_result)) void **error);
SWIFT void rxraces_check_cancellation(
    __attribute__((swift_context)) void *type, __attribute__((swift_error_result)) void **error
) __asm__("$sScTss5NeverORszABRs_rlE17checkCancellationyyKFZ");
SWIFT void rxraces_check_cancellation(
    __attribute__((swift_context)) void *type, __attribute__((swift_error_result)) void **error
) {
    static throwing usual;
    if (usual == NULL)
        usual = (throwing)dlsym(RTLD_NEXT, "$sScTss5NeverORszABRs_rlE17checkCancellationyyKFZ");
    ask_for_cancellation(RXRACES_PC);
    usual(type, error);
}

SWIFT void swift_task_removeCancellationHandler(void *record);
SWIFT void swift_task_removeCancellationHandler(void *record) {
    actor *self = rxraces_searched();
    if (self != NULL) step_of_tasks(
            self, (uintptr_t)swift_task_removeCancellationHandler + 1, RXRACES_PC, NULL);
    NEXT(swift_task_removeCancellationHandler)(record);
}

// Asynchronous functions are left by a jump, so the place where they continue is used as the caller.
#define ASYNC __attribute__((swiftasynccall))

ASYNC void swift_task_switch(
    __attribute__((swift_async_context)) void *context, uintptr_t resume, void *identity, void *implementation);
ASYNC void swift_task_switch(
    __attribute__((swift_async_context)) void *context, uintptr_t resume, void *identity, void *implementation
) {
    actor *self = rxraces_searched();
    // The runtime itself announces that a task leaves its actor, so only a switch to another actor is a step here.
    if (self != NULL && identity != NULL && identity != swift_task_getCurrentExecutor().identity)
        step_of_tasks(self, (uintptr_t)swift_task_switch + 1, resume + 1, context);
    __typeof__(&swift_task_switch) usual = NEXT(swift_task_switch);
    __attribute__((musttail)) return usual(context, resume, identity, implementation);
}

ASYNC void swift_continuation_await(uintptr_t *context);
ASYNC void swift_continuation_await(uintptr_t *context) {
    actor *self = rxraces_searched();
    if (self != NULL) step_of_tasks(
            self, (uintptr_t)swift_continuation_await + 1, context[1] + 1, (const async_context *)context[0]);
    __typeof__(&swift_continuation_await) usual = NEXT(swift_continuation_await);
    __attribute__((musttail)) return usual(context);
}
#pragma clang attribute pop
#endif
