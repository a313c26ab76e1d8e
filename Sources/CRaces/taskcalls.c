#define _GNU_SOURCE
#include "races.h"

// Calls of the runtime of Swift's concurrency that it does not announce before what they do: each is a step.
#ifdef RXRACES_INSTRUMENTED
#include <dlfcn.h>

#define SWIFT __attribute__((swiftcall))
typedef struct { void *identity, *implementation; } serial_executor;
SWIFT serial_executor swift_task_getCurrentExecutor(void);
SWIFT void *swift_task_getCurrent(void);

SWIFT void swift_task_cancel(void *task);
SWIFT void swift_task_cancel(void *task) {
    actor *self = rxraces_searched();
    if (self != NULL) rxraces_step_of_tasks(self, (uintptr_t)swift_task_cancel + 1, RXRACES_PC);
    NEXT(swift_task_cancel)(task);
}

// `Task.cancel`, of any types.
SWIFT void rxraces_cancel(void *task) __asm__("$sScT6cancelyyF");
SWIFT void rxraces_cancel(void *task) { __attribute__((musttail)) return swift_task_cancel(task); }

SWIFT bool swift_task_isCancelled(void *task);

static void ask_for_cancellation(uintptr_t pc) {
    actor *self = rxraces_searched();
    if (self != NULL) rxraces_step_of_tasks(self, (uintptr_t)swift_task_isCancelled + 1, pc);
}

SWIFT bool swift_task_isCancelled(void *task) {
    ask_for_cancellation(RXRACES_PC);
    return NEXT(swift_task_isCancelled)(task);
}

// `Task.isCancelled` of the current task, where it is not inlined.
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
    if (self != NULL) rxraces_step_of_tasks(self, (uintptr_t)swift_task_removeCancellationHandler + 1, RXRACES_PC);
    NEXT(swift_task_removeCancellationHandler)(record);
}

// Asynchronous functions are left by a jump, so that where they go on stands for who called.
#define ASYNC __attribute__((swiftasynccall))

ASYNC void swift_task_switch(
    __attribute__((swift_async_context)) void *context, uintptr_t resume, void *identity, void *implementation);
ASYNC void swift_task_switch(
    __attribute__((swift_async_context)) void *context, uintptr_t resume, void *identity, void *implementation
) {
    actor *self = rxraces_searched();
    // The actor that it has left is announced.
    if (self != NULL && identity != NULL && identity != swift_task_getCurrentExecutor().identity)
        rxraces_step_of_tasks(self, (uintptr_t)swift_task_switch + 1, resume + 1);
    __typeof__(&swift_task_switch) usual = NEXT(swift_task_switch);
    __attribute__((musttail)) return usual(context, resume, identity, implementation);
}

ASYNC void swift_continuation_await(uintptr_t *context);
ASYNC void swift_continuation_await(uintptr_t *context) {
    actor *self = rxraces_searched();
    if (self != NULL) rxraces_step_of_tasks(self, (uintptr_t)swift_continuation_await + 1, context[1] + 1);
    __typeof__(&swift_continuation_await) usual = NEXT(swift_continuation_await);
    __attribute__((musttail)) return usual(context);
}
#endif
