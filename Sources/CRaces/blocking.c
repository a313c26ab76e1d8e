#include "jobs.h"

// Blocking calls are modelled and never block. An actor that would wait is not chosen until it no longer has to.
#ifdef RXRACES_INSTRUMENTED
#include <dlfcn.h>
#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

// MARK: Swift's Mutex. Its first attempt is a compare-and-exchange in the client's code. The second attempt spins, in a
// library that is not instrumented. So the first attempt waits instead, as soon as the compare-and-exchange is known to
// belong to a lock.

enum { SITES = 1 << 10 };
static uintptr_t sites[SITES];

bool rxraces_is_lock_site(uintptr_t pc) {
    for (uint32_t i = rxraces_hash(pc) & (SITES - 1); sites[i] != 0; i = (i + 1) & (SITES - 1))
        if (sites[i] == pc) return true;
    return false;
}

static void learn_lock_site(uintptr_t pc) {
    static int count;
    if (rxraces_is_lock_site(pc) || ++count > SITES / 2) return;
    uint32_t i = rxraces_hash(pc) & (SITES - 1);
    while (sites[i] != 0) i = (i + 1) & (SITES - 1);
    sites[i] = pc;
    rxraces.has_learnt = true;
}

__attribute__((swiftcall)) void rxraces_lock_mutex(
    uint32_t thread, __attribute__((swift_context)) uint32_t *word
) __asm__("$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF");

__attribute__((swiftcall)) void rxraces_lock_mutex(uint32_t thread, __attribute__((swift_context)) uint32_t *word) {
    actor *self = rxraces_searched();
    if (self == NULL) {
        // No actor waits for the lock any more, or another thread holds it, which is brief.
        while (__atomic_load_n(word, __ATOMIC_RELAXED) != 0) rxraces_system_call(SYS_sched_yield, 0, 0, 0, 0);
        *word = thread;
        return;
    }
    if (self->failed_address == (uintptr_t)word) learn_lock_site(self->failed_pc);
    rxraces_point(self, (operation){
        .kind = rxraces_lock, .address = (uintptr_t)word, .size = 4, .writes = true, .guard = ONLY_EQUAL,
        .thing = "Mutex", .pc = RXRACES_PC});
    *word = thread;
    rxraces_synchronise(self, (uintptr_t)word, 2, true, true);
}

// MARK: Waiting at an address, for futexes and conditions

void rxraces_wait_for(actor *self, uintptr_t address) {
    static int ticket;
    self->is_woken = false;
    self->pending.address = address;
    self->waits = ++ticket;
}

int rxraces_wake_at(actor *self, uintptr_t address, int limit) {
    int woken = 0;
    while (woken < limit) {
        actor *first = NULL;
        for (int i = 0; i < rxraces.count; i++) {
            actor *each = &rxraces.actors[i];
            if (each->waits && each->pending.address == address && (first == NULL || each->waits < first->waits))
                first = each;
        }
        if (first == NULL) break;
        first->waits = 0;
        first->is_woken = true;
        woken++;
        self->order[self->index]++;
        for (int i = 0; i < ACTORS; i++) {
            first->wake_dependence[i] = self->dependence[i];
            first->wake_order[i] = self->order[i];
        }
    }
    return woken;
}

// Returns whether the actor was woken, and not by its deadline.
static bool sleep_at(actor *self, uintptr_t address, uint64_t due, const char *thing, uintptr_t pc) {
    rxraces_wait_for(self, address);
    rxraces_point(self, (operation){
        .kind = rxraces_resume, .address = address, .guard = ONCE_WOKEN, .due = due, .thing = thing, .pc = pc});
    return !self->is_timed_out;
}

static uint64_t nanoseconds(const struct timespec *time) {
    return (uint64_t)time->tv_sec * 1000000000 + (uint64_t)time->tv_nsec;
}

// Returns the time at which a wait ends. A time in the past counts as now.
static uint64_t due_at(const struct timespec *end) {
    uint64_t due = nanoseconds(end);
    return (int64_t)end->tv_sec < 0 || due < rxraces_now() ? rxraces_now() : due;
}

static void announce(
    actor *self, rxraces_kind kind, void *address, uint8_t size, guard guard, const char *thing, uintptr_t pc
) {
    rxraces_point(self, (operation){
        .kind = (uint8_t)kind, .address = (uintptr_t)address, .size = size, .writes = true, .guard = (uint8_t)guard,
        .thing = thing, .pc = pc});
}

static long futex(actor *self, uint32_t *word, long what, long value, const struct timespec *end, uintptr_t pc) {
    switch (what & 127) {
    case FUTEX_WAIT:
    case FUTEX_WAIT_BITSET:
        announce(self, rxraces_wait, word, 4, ANY, "futex", pc);
        if (*word != (uint32_t)value) {
            errno = EAGAIN;
            return -1;
        }
        // The time of FUTEX_WAIT is relative.
        uint64_t due = 0;
        if (end != NULL) due = (what & 127) == FUTEX_WAIT ? rxraces_now() + nanoseconds(end) : due_at(end);
        if (sleep_at(self, (uintptr_t)word, due, "futex", pc)) return 0;
        errno = ETIMEDOUT;
        return -1;
    case FUTEX_WAKE:
    case FUTEX_WAKE_BITSET:
        announce(self, rxraces_wake, word, 4, ANY, "futex", pc);
        return rxraces_wake_at(self, (uintptr_t)word, (int)value);
    case FUTEX_LOCK_PI:
        announce(self, rxraces_lock, word, 4, ONLY_EQUAL, "Mutex", pc);
        *word = (uint32_t)self->thread_id;
        return 0;
    case FUTEX_TRYLOCK_PI:
        announce(self, rxraces_lock, word, 4, ANY, "Mutex", pc);
        if (*word != 0) {
            errno = EAGAIN;
            return -1;
        }
        *word = (uint32_t)self->thread_id;
        rxraces_synchronise(self, (uintptr_t)word, 2, true, true);
        return 0;
    case FUTEX_UNLOCK_PI:
        announce(self, rxraces_unlock, word, 4, ANY, "Mutex", pc);
        *word = 0;
        return 0;
    default: rxraces_refuse(self, "an operation on a futex that is neither wait, wake nor lock", pc);
    }
}

long syscall(long number, ...) {
    va_list arguments;
    va_start(arguments, number);
    long a = va_arg(arguments, long), b = va_arg(arguments, long), c = va_arg(arguments, long);
    long d = va_arg(arguments, long);
    va_end(arguments);
    actor *self = rxraces_searched();
    // The runtime compares this result with the process's ID to detect the main thread.
    if (self != NULL && number == SYS_gettid && rxraces_is_of_tasks(RXRACES_PC) && rxraces_is_on_main(self))
        return getpid();
    if (self != NULL && number == SYS_gettid) return self->thread_id;
    if (self != NULL && number == SYS_futex)
        return futex(self, (uint32_t *)a, b, c, (const struct timespec *)d, RXRACES_PC);
    // The call is a fence in all threads.
    if (self != NULL && number == SYS_membarrier) rxraces_store_all();
    long result = rxraces_system_call(number, a, b, c, d);
    if (result >= 0) return result;
    errno = (int)-result;
    return -1;
}

// MARK: pthread. A mutex can be locked while the owner in glibc's mutex is 0, or if the mutex is recursive and the
// owner is this thread.

// The lock of a task's status is part of the runtime's step, unless another actor holds it. The same applies to a lock
// of this package's C code, which takes it only in some executions because its state belongs to the whole process, and
// to a lock of the type-metadata runtime, which takes it when a type is first requested.
static bool is_part_of_step(const pthread_mutex_t *mutex, uintptr_t pc) {
    bool is_of_status = (mutex->__data.__kind & 3) != 0 && rxraces_is_of_tasks(pc);
    return is_of_status || rxraces_is_own_code(pc) || rxraces_is_of_types(pc);
}

// Locks the mutex. Returns ETIMEDOUT if it could not be locked before `due`.
static int lock_mutex(actor *self, pthread_mutex_t *mutex, uint64_t due, uintptr_t pc) {
    bool is_again = (mutex->__data.__kind & 3) && mutex->__data.__owner == self->thread_id;
    if (is_again) return NEXT(pthread_mutex_lock)(mutex);
    rxraces_set_primitive((uintptr_t)mutex);
    if (mutex->__data.__owner != 0 || !is_part_of_step(mutex, pc)) {
        rxraces_point(self, (operation){
            .kind = rxraces_lock, .address = (uintptr_t)&mutex->__data.__owner, .size = 4, .writes = true,
            .guard = ONLY_EQUAL, .due = due, .thing = "mutex", .pc = pc});
        if (self->is_timed_out && mutex->__data.__owner != 0) return ETIMEDOUT;
    }
    int result = NEXT(pthread_mutex_lock)(mutex);
    rxraces_synchronise(self, (uintptr_t)mutex, 2, true, true);
    return result;
}

int pthread_mutex_lock(pthread_mutex_t *mutex) {
    actor *self = rxraces_searched();
    return self == NULL ? NEXT(pthread_mutex_lock)(mutex) : lock_mutex(self, mutex, 0, RXRACES_PC);
}

int pthread_mutex_timedlock(pthread_mutex_t *mutex, const struct timespec *end) {
    actor *self = rxraces_searched();
    if (self == NULL) return NEXT(pthread_mutex_timedlock)(mutex, end);
    return lock_mutex(self, mutex, due_at(end), RXRACES_PC);
}

int pthread_mutex_clocklock(pthread_mutex_t *mutex, clockid_t clock, const struct timespec *end) {
    actor *self = rxraces_searched();
    if (self == NULL) return NEXT(pthread_mutex_clocklock)(mutex, clock, end);
    return lock_mutex(self, mutex, due_at(end), RXRACES_PC);
}

int pthread_mutex_trylock(pthread_mutex_t *mutex) {
    actor *self = rxraces_searched();
    if (self == NULL) return NEXT(pthread_mutex_trylock)(mutex);
    rxraces_set_primitive((uintptr_t)mutex);
    announce(self, rxraces_lock, &mutex->__data.__owner, 4, ANY, "mutex", RXRACES_PC);
    int result = NEXT(pthread_mutex_trylock)(mutex);
    if (result == 0) rxraces_synchronise(self, (uintptr_t)mutex, 2, true, true);
    return result;
}

int pthread_mutex_unlock(pthread_mutex_t *mutex) {
    actor *self = rxraces_searched();
    if (self != NULL) {
        rxraces_set_primitive((uintptr_t)mutex);
        if (!is_part_of_step(mutex, RXRACES_PC))
            announce(self, rxraces_unlock, &mutex->__data.__owner, 4, ANY, "mutex", RXRACES_PC);
        rxraces_synchronise(self, (uintptr_t)mutex, 3, true, true);
    }
    return NEXT(pthread_mutex_unlock)(mutex);
}

static int wait_at(actor *self, pthread_cond_t *condition, pthread_mutex_t *mutex, uint64_t due, uintptr_t pc) {
    rxraces_set_primitive((uintptr_t)condition);
    announce(self, rxraces_wait, condition, 0, ANY, "condition", pc);
    // Releasing the mutex and starting to wait are one step.
    rxraces_synchronise(self, (uintptr_t)mutex, 3, true, true);
    NEXT(pthread_mutex_unlock)(mutex);
    bool is_woken = sleep_at(self, (uintptr_t)condition, due, "condition", pc);
    int result = lock_mutex(self, mutex, 0, pc);
    return result == 0 && !is_woken ? ETIMEDOUT : result;
}

// Outside the search, waiting jobs run during the wait and may signal the condition.
enum { NESTED_WAITS = 8 };
static struct { pthread_cond_t *condition; bool is_woken; } outer_waits[NESTED_WAITS];
static int outer_wait_count;

static int wait_outside(
    actor *self, pthread_cond_t *condition, pthread_mutex_t *mutex, uint64_t due, uintptr_t pc
) {
    static uint32_t generation;
    if (generation != rxraces.generation) outer_wait_count = 0;
    generation = rxraces.generation;
    if (outer_wait_count == NESTED_WAITS) rxraces_refuse(self, "more than eight waits inside each other", pc);
    __typeof__(&outer_waits[0]) mine = &outer_waits[outer_wait_count++];
    mine->condition = condition;
    mine->is_woken = false;
    NEXT(pthread_mutex_unlock)(mutex);
    while (!mine->is_woken && rxraces_run_early_job(self, NULL)) {}
    NEXT(pthread_mutex_lock)(mutex);
    outer_wait_count--;
    if (mine->is_woken) return 0;
    if (due != 0) {
        rxraces_advance(due);
        return ETIMEDOUT;
    }
    rxraces_fail((rxraces_failure){.kind = rxraces_deadlock, .actor = self->index, .other = -1, .pc = pc});
    rxraces_abandon(self);
}

static void wake_outside(const pthread_cond_t *condition) {
    for (int i = 0; i < outer_wait_count; i++)
        if (outer_waits[i].condition == condition) outer_waits[i].is_woken = true;
}

int pthread_cond_wait(pthread_cond_t *condition, pthread_mutex_t *mutex) {
    actor *self = rxraces_executed();
    if (self == NULL) return NEXT(pthread_cond_wait)(condition, mutex);
    if (rxraces.phase != RUN) return wait_outside(self, condition, mutex, 0, RXRACES_PC);
    return wait_at(self, condition, mutex, 0, RXRACES_PC);
}

int pthread_cond_timedwait(pthread_cond_t *condition, pthread_mutex_t *mutex, const struct timespec *end) {
    actor *self = rxraces_executed();
    if (self == NULL) return NEXT(pthread_cond_timedwait)(condition, mutex, end);
    if (rxraces.phase != RUN) return wait_outside(self, condition, mutex, due_at(end), RXRACES_PC);
    return wait_at(self, condition, mutex, due_at(end), RXRACES_PC);
}

int pthread_cond_clockwait(
    pthread_cond_t *condition, pthread_mutex_t *mutex, clockid_t clock, const struct timespec *end
) {
    actor *self = rxraces_executed();
    if (self == NULL) return NEXT(pthread_cond_clockwait)(condition, mutex, clock, end);
    if (rxraces.phase != RUN) return wait_outside(self, condition, mutex, due_at(end), RXRACES_PC);
    return wait_at(self, condition, mutex, due_at(end), RXRACES_PC);
}

int pthread_cond_signal(pthread_cond_t *condition) {
    actor *self = rxraces_executed();
    if (self == NULL) return NEXT(pthread_cond_signal)(condition);
    if (rxraces.phase != RUN) {
        wake_outside(condition);
        return 0;
    }
    rxraces_set_primitive((uintptr_t)condition);
    announce(self, rxraces_wake, condition, 0, ANY, "condition", RXRACES_PC);
    rxraces_wake_at(self, (uintptr_t)condition, 1);
    return 0;
}

int pthread_cond_broadcast(pthread_cond_t *condition) {
    actor *self = rxraces_executed();
    if (self == NULL) return NEXT(pthread_cond_broadcast)(condition);
    if (rxraces.phase != RUN) {
        wake_outside(condition);
        return 0;
    }
    rxraces_set_primitive((uintptr_t)condition);
    announce(self, rxraces_wake, condition, 0, ANY, "condition", RXRACES_PC);
    rxraces_wake_at(self, (uintptr_t)condition, ACTORS);
    return 0;
}

// MARK: Sleeping

int sched_yield(void) {
    actor *self = rxraces_searched();
    if (self == NULL) return NEXT(sched_yield)();
    rxraces_point(self, (operation){.kind = rxraces_yield, .guard = AFTER_OTHERS, .pc = RXRACES_PC});
    return 0;
}

static bool sleeps(uint64_t span, uintptr_t pc) {
    actor *self = rxraces_executed();
    if (self == NULL) return false;
    uint64_t due = rxraces_now() + span;
    operation next = {.kind = rxraces_yield, .guard = AFTER_OTHERS, .pc = pc};
    if (span > 0) next.guard = WHEN_DUE, next.due = due;
    if (rxraces.phase == RUN) rxraces_point(self, next);
    rxraces_advance(due);
    return true;
}

int usleep(useconds_t span) { return sleeps(span * 1000ull, RXRACES_PC) ? 0 : NEXT(usleep)(span); }
unsigned sleep(unsigned span) { return sleeps(span * 1000000000ull, RXRACES_PC) ? 0 : NEXT(sleep)(span); }
int nanosleep(const struct timespec *span, struct timespec *rest) {
    return sleeps(nanoseconds(span), RXRACES_PC) ? 0 : NEXT(nanosleep)(span, rest);
}
int clock_nanosleep(clockid_t clock, int flags, const struct timespec *time, struct timespec *rest) {
    uint64_t span = nanoseconds(time);
    if (flags & TIMER_ABSTIME) span = rxraces_executed() != NULL ? due_at(time) - rxraces_now() : 0;
    return sleeps(span, RXRACES_PC) ? 0 : NEXT(clock_nanosleep)(clock, flags, time, rest);
}

// MARK: Initialisers of globals

void swift_once(intptr_t *token, void (*body)(void *), void *context);
void swift_once(intptr_t *token, void (*body)(void *), void *context) {
    actor *self = rxraces_searched();
    if (self == NULL) {
        NEXT(swift_once)(token, body, context);
        return;
    }
    bool is_fresh = *token >= 0;
    self->quiet += is_fresh;
    NEXT(swift_once)(token, body, context);
    self->quiet -= is_fresh;
    rxraces_synchronise(self, (uintptr_t)token, is_fresh ? 4 : 2, true, is_fresh);
}

// MARK: Calls that are not modelled

// Foundation converts a date to nanoseconds and traps on overflow. A condition lock that must wait without a date traps
// too. Such a program crashes, but not because of a missing order.
const char *rxraces_known_trap(uintptr_t pc) {
    static uintptr_t wait;
    if (wait == 0)
        wait = (uintptr_t)dlsym(RTLD_DEFAULT, "$s10Foundation11NSConditionC4wait5untilSb0A10Essentials4DateV_tF");
    if (wait == 0 || pc - wait > 256) return NULL;
    return "NSCondition.wait(until:) or NSConditionLock.lock(whenCondition:) with a date that is too far away, at "
        "which Foundation crashes on Linux; give it a date before the year 2260";
}

#define REFUSED(result, name, parameters, arguments, advice) \
    result name parameters { \
        uintptr_t pc = RXRACES_PC; \
        actor *self = rxraces_searched(); \
        if (self != NULL) rxraces_refuse(self, #name "; " advice, pc); \
        return NEXT(name) arguments; \
    }
REFUSED(int, sigwait, (const sigset_t *set, int *signal), (set, signal), "call the handler in an actor")
REFUSED(int, epoll_wait, (int queue, struct epoll_event *events, int most, int timeout),
    (queue, events, most, timeout), "replace the run loop or the file by something in memory")
REFUSED(pid_t, waitpid, (pid_t process, int *status, int options), (process, status, options),
    "replace the process by something in memory")

// MARK: Semaphores of the C library. An actor that waits for a semaphore is not chosen until its value, the first word,
// is not 0.

static int wait_for_semaphore(actor *self, sem_t *semaphore, uint64_t due, uintptr_t pc) {
    rxraces_set_primitive((uintptr_t)semaphore);
    rxraces_point(self, (operation){
        .kind = rxraces_wait, .address = (uintptr_t)semaphore, .size = 4, .writes = true, .guard = ONLY_DIFFERENT,
        .due = due, .thing = "semaphore", .pc = pc});
    if (self->is_timed_out && *(uint32_t *)semaphore == 0) {
        errno = ETIMEDOUT;
        return -1;
    }
    rxraces_synchronise(self, (uintptr_t)semaphore, 2, true, true);
    return NEXT(sem_trywait)(semaphore);
}

int sem_wait(sem_t *semaphore) {
    actor *self = rxraces_searched();
    return self == NULL ? NEXT(sem_wait)(semaphore) : wait_for_semaphore(self, semaphore, 0, RXRACES_PC);
}

int sem_timedwait(sem_t *semaphore, const struct timespec *end) {
    actor *self = rxraces_searched();
    if (self == NULL) return NEXT(sem_timedwait)(semaphore, end);
    return wait_for_semaphore(self, semaphore, due_at(end), RXRACES_PC);
}

int sem_clockwait(sem_t *semaphore, clockid_t clock, const struct timespec *end) {
    actor *self = rxraces_searched();
    if (self == NULL) return NEXT(sem_clockwait)(semaphore, clock, end);
    return wait_for_semaphore(self, semaphore, due_at(end), RXRACES_PC);
}

int sem_trywait(sem_t *semaphore) {
    actor *self = rxraces_searched();
    if (self == NULL) return NEXT(sem_trywait)(semaphore);
    rxraces_set_primitive((uintptr_t)semaphore);
    announce(self, rxraces_wait, semaphore, 4, ANY, "semaphore", RXRACES_PC);
    int result = NEXT(sem_trywait)(semaphore);
    if (result == 0) rxraces_synchronise(self, (uintptr_t)semaphore, 2, true, true);
    return result;
}

int sem_post(sem_t *semaphore) {
    actor *self = rxraces_searched();
    if (self == NULL) return NEXT(sem_post)(semaphore);
    rxraces_set_primitive((uintptr_t)semaphore);
    announce(self, rxraces_wake, semaphore, 4, ANY, "semaphore", RXRACES_PC);
    rxraces_synchronise(self, (uintptr_t)semaphore, 4, true, true);
    return NEXT(sem_post)(semaphore);
}
#pragma clang attribute pop
#endif
