#include "races.h"

// Blocking calls are modelled, never run: an actor that would wait is not chosen until it need not.
#ifdef RXRACES_INSTRUMENTED
#include <dlfcn.h>
#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

// MARK: Mutex of Swift. Its first attempt is a compare-and-exchange in the client; the second spins, in a library that
// is not instrumented. So the first one waits instead, from the moment that it is known to be one of a lock.

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
        // No actor waits for it any more, or none of ours has it: a thread's turn is short.
        while (__atomic_load_n(word, __ATOMIC_RELAXED) != 0) rxraces_system_call(SYS_sched_yield, 0, 0, 0, 0);
        *word = thread;
        return;
    }
    if (self->failed_address == (uintptr_t)word) learn_lock_site(self->failed_pc);
    rxraces_point(self, (operation){
        .kind = rxraces_lock, .address = (uintptr_t)word, .size = 4, .writes = true, .guard = ONLY_EQUAL,
        .pc = RXRACES_PC});
    *word = thread;
    rxraces_synchronise(self, (uintptr_t)word, 2, true, true);
}

// MARK: Waiting for a word, as futexes and conditions do

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

static void sleep_at(actor *self, uintptr_t address, uintptr_t pc) {
    rxraces_wait_for(self, address);
    rxraces_point(self, (operation){.kind = rxraces_resume, .address = address, .guard = ONCE_WOKEN, .pc = pc});
}

static void announce(actor *self, rxraces_kind kind, void *address, uint8_t size, guard guard, uintptr_t pc) {
    rxraces_point(self, (operation){
        .kind = (uint8_t)kind, .address = (uintptr_t)address, .size = size, .writes = true, .guard = (uint8_t)guard,
        .pc = pc});
}

static long futex(actor *self, uint32_t *word, long what, long value, uintptr_t pc) {
    switch (what & 127) {
    case FUTEX_WAIT:
    case FUTEX_WAIT_BITSET:
        announce(self, rxraces_wait, word, 4, ANY, pc);
        if (*word != (uint32_t)value) {
            errno = EAGAIN;
            return -1;
        }
        sleep_at(self, (uintptr_t)word, pc);
        return 0;
    case FUTEX_WAKE:
    case FUTEX_WAKE_BITSET:
        announce(self, rxraces_wake, word, 4, ANY, pc);
        return rxraces_wake_at(self, (uintptr_t)word, (int)value);
    case FUTEX_LOCK_PI:
        announce(self, rxraces_lock, word, 4, ONLY_EQUAL, pc);
        *word = (uint32_t)self->thread_id;
        return 0;
    case FUTEX_UNLOCK_PI:
        announce(self, rxraces_unlock, word, 4, ANY, pc);
        *word = 0;
        return 0;
    default: rxraces_refuse(self, "futex", pc);
    }
}

long syscall(long number, ...) {
    va_list arguments;
    va_start(arguments, number);
    long a = va_arg(arguments, long), b = va_arg(arguments, long), c = va_arg(arguments, long);
    long d = va_arg(arguments, long);
    va_end(arguments);
    actor *self = rxraces_searched();
    if (self != NULL && number == SYS_gettid) return self->thread_id;
    if (self != NULL && number == SYS_futex) return futex(self, (uint32_t *)a, b, c, RXRACES_PC);
    long result = rxraces_system_call(number, a, b, c, d);
    if (result >= 0) return result;
    errno = (int)-result;
    return -1;
}

// MARK: pthread. A lock is possible while the owner in glibc's mutex is 0, or this thread and the mutex recursive.

// The lock of a task's status is a part of the runtime's step, unless another actor has it.
static bool is_of_status(const pthread_mutex_t *mutex, uintptr_t pc) {
    return (mutex->__data.__kind & 3) != 0 && rxraces_is_of_tasks(pc);
}

int pthread_mutex_lock(pthread_mutex_t *mutex) {
    actor *self = rxraces_searched();
    bool is_again = self != NULL && (mutex->__data.__kind & 3) && mutex->__data.__owner == self->thread_id;
    if (self == NULL || is_again) return NEXT(pthread_mutex_lock)(mutex);
    if (mutex->__data.__owner != 0 || !is_of_status(mutex, RXRACES_PC))
        announce(self, rxraces_lock, &mutex->__data.__owner, 4, ONLY_EQUAL, RXRACES_PC);
    int result = NEXT(pthread_mutex_lock)(mutex);
    rxraces_synchronise(self, (uintptr_t)mutex, 2, true, true);
    return result;
}

int pthread_mutex_trylock(pthread_mutex_t *mutex) {
    actor *self = rxraces_searched();
    if (self == NULL) return NEXT(pthread_mutex_trylock)(mutex);
    announce(self, rxraces_lock, &mutex->__data.__owner, 4, ANY, RXRACES_PC);
    int result = NEXT(pthread_mutex_trylock)(mutex);
    if (result == 0) rxraces_synchronise(self, (uintptr_t)mutex, 2, true, true);
    return result;
}

int pthread_mutex_unlock(pthread_mutex_t *mutex) {
    actor *self = rxraces_searched();
    if (self != NULL) {
        if (!is_of_status(mutex, RXRACES_PC))
            announce(self, rxraces_unlock, &mutex->__data.__owner, 4, ANY, RXRACES_PC);
        rxraces_synchronise(self, (uintptr_t)mutex, 3, true, true);
    }
    return NEXT(pthread_mutex_unlock)(mutex);
}

int pthread_cond_wait(pthread_cond_t *condition, pthread_mutex_t *mutex) {
    actor *self = rxraces_searched();
    if (self == NULL) return NEXT(pthread_cond_wait)(condition, mutex);
    uintptr_t pc = RXRACES_PC;
    announce(self, rxraces_wait, condition, 0, ANY, pc);
    // One step: released and waiting at once.
    rxraces_synchronise(self, (uintptr_t)mutex, 3, true, true);
    NEXT(pthread_mutex_unlock)(mutex);
    sleep_at(self, (uintptr_t)condition, pc);
    return pthread_mutex_lock(mutex);
}

int pthread_cond_signal(pthread_cond_t *condition) {
    actor *self = rxraces_searched();
    if (self == NULL) return NEXT(pthread_cond_signal)(condition);
    announce(self, rxraces_wake, condition, 0, ANY, RXRACES_PC);
    rxraces_wake_at(self, (uintptr_t)condition, 1);
    return 0;
}

int pthread_cond_broadcast(pthread_cond_t *condition) {
    actor *self = rxraces_searched();
    if (self == NULL) return NEXT(pthread_cond_broadcast)(condition);
    announce(self, rxraces_wake, condition, 0, ANY, RXRACES_PC);
    rxraces_wake_at(self, (uintptr_t)condition, ACTORS);
    return 0;
}

// MARK: Time passes when all else waits.

static bool yields(uintptr_t pc) {
    actor *self = rxraces_searched();
    if (self == NULL) return false;
    rxraces_point(self, (operation){.kind = rxraces_yield, .guard = AFTER_OTHERS, .pc = pc});
    return true;
}

int sched_yield(void) { return yields(RXRACES_PC) ? 0 : NEXT(sched_yield)(); }
int usleep(useconds_t span) { return yields(RXRACES_PC) ? 0 : NEXT(usleep)(span); }
unsigned sleep(unsigned span) { return yields(RXRACES_PC) ? 0 : NEXT(sleep)(span); }
int nanosleep(const struct timespec *span, struct timespec *rest) {
    return yields(RXRACES_PC) ? 0 : NEXT(nanosleep)(span, rest);
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

// MARK: What is not modelled

#define REFUSED(result, name, parameters, arguments) \
    result name parameters { \
        actor *self = rxraces_searched(); \
        if (self != NULL) rxraces_refuse(self, #name, RXRACES_PC); \
        return NEXT(name) arguments; \
    }
REFUSED(int, pthread_create,
    (pthread_t *thread, const pthread_attr_t *attributes, void *(*body)(void *), void *argument),
    (thread, attributes, body, argument))
REFUSED(int, pthread_join, (pthread_t thread, void **result), (thread, result))
REFUSED(int, pthread_cond_timedwait,
    (pthread_cond_t *condition, pthread_mutex_t *mutex, const struct timespec *end), (condition, mutex, end))
REFUSED(int, pthread_cond_clockwait,
    (pthread_cond_t *condition, pthread_mutex_t *mutex, clockid_t clock, const struct timespec *end),
    (condition, mutex, clock, end))
REFUSED(int, pthread_rwlock_rdlock, (pthread_rwlock_t *lock), (lock))
REFUSED(int, pthread_rwlock_wrlock, (pthread_rwlock_t *lock), (lock))
REFUSED(int, sem_timedwait, (sem_t *semaphore, const struct timespec *end), (semaphore, end))

typedef void *object;
#define REFUSED_OBJECT(result, name, parameters, arguments) \
    result name parameters; \
    REFUSED(result, name, parameters, arguments)
REFUSED_OBJECT(void, dispatch_barrier_async, (object queue, object block), (queue, block))
REFUSED_OBJECT(void, dispatch_barrier_sync, (object queue, object block), (queue, block))
REFUSED_OBJECT(void, dispatch_group_notify, (object group, object queue, object block), (group, queue, block))
REFUSED_OBJECT(void, dispatch_source_set_timer,
    (object source, uint64_t start, uint64_t interval, uint64_t leeway), (source, start, interval, leeway))

// MARK: Semaphores, modelled: whoever waits for one is not chosen until its value, the first word of glibc's, is not 0.

MODELLED(int, sem_wait, (sem_t *semaphore), (semaphore),
    rxraces_point(self, (operation){
        .kind = rxraces_wait, .address = (uintptr_t)semaphore, .size = 4, .writes = true, .guard = ONLY_DIFFERENT,
        .pc = pc});
    rxraces_synchronise(self, (uintptr_t)semaphore, 2, true, true);
    return NEXT(sem_wait)(semaphore);)
MODELLED(int, sem_post, (sem_t *semaphore), (semaphore),
    rxraces_point(self, (operation){
        .kind = rxraces_wake, .address = (uintptr_t)semaphore, .size = 4, .writes = true, .pc = pc});
    rxraces_synchronise(self, (uintptr_t)semaphore, 4, true, true);
    return NEXT(sem_post)(semaphore);)

// MARK: Dispatch's: the value that they were made with is known; what an execution adds is not theirs to keep.

enum { SEMAPHORES = 256, USED = 64 };
static struct { object semaphore; intptr_t made_with; } semaphores[SEMAPHORES];
static int semaphore_count;
static struct { object semaphore; uint32_t generation; int64_t value; } values[USED];

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
    for (int i = 0; i < USED; i++) {
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
