#include "jobs.h"

// A model of POSIX threads, spin locks, read-write locks and barriers.
#ifdef RXRACES_INSTRUMENTED
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

// MARK: Threads. Each thread is an actor. Its number is the `pthread_t` of the real thread that the actor runs on.

enum { THREADS = ACTORS, KEYS = 1024 };

typedef struct {
    pthread_t number;
    uint32_t generation;
    void *(*body)(void *);
    void *context, *result;
    int64_t has_ended;
} thread_state;

static thread_state threads[THREADS];
// The destructors of thread-specific values.
static void (*destructors[KEYS])(void *);

int pthread_key_create(pthread_key_t *key, void (*destructor)(void *)) {
    int result = NEXT(pthread_key_create)(key, destructor);
    if (result == 0 && *key < KEYS) destructors[*key] = destructor;
    return result;
}

// Destroys thread-specific values as at the end of a thread, including values that another destructor has set.
static void drop_values(void) {
    for (int round = 0; round < 4; round++) {
        for (pthread_key_t key = 0; key < KEYS; key++) {
            void *value = destructors[key] != NULL ? pthread_getspecific(key) : NULL;
            if (value == NULL) continue;
            pthread_setspecific(key, NULL);
            destructors[key](value);
        }
    }
}

static void run_thread(void *context) {
    thread_state *mine = context;
    actor *self = rxraces_self;
    mine->result = mine->body(mine->context);
    drop_values();
    rxraces_take_step(self, rxraces_wake, &mine->has_ended, 8, "thread", (uintptr_t)mine->body + 1);
    rxraces_synchronise(self, (uintptr_t)&mine->has_ended, 4, true, true);
    mine->has_ended = 1;
}

int pthread_create(
    pthread_t *thread, const pthread_attr_t *attributes, void *(*body)(void *), void *context
) {
    static rxraces_image dispatch;
    if (dispatch.high == 0) dispatch = rxraces_image_around(dlsym(RTLD_NEXT, "dispatch_main"));
    actor *self = rxraces_executed();
    uintptr_t pc = RXRACES_PC;
    // Dispatch's own worker threads are real threads. They find nothing to do.
    if (self == NULL || rxraces_is_in(&dispatch, pc)) return NEXT(pthread_create)(thread, attributes, body, context);
    if (rxraces.phase != RUN)
        rxraces_refuse(self, "pthread_create outside an actor, as by Thread in 'makeState'; start it in an actor", pc);
    rxraces_take_step(self, rxraces_enqueue, &rxraces_places, 8, NULL, pc);
    if (rxraces_free_places() == 0)
        rxraces_refuse(self, "more blocks, jobs and threads than 24 actors have room for; make fewer of them", pc);
    int place = 0;
    while (place < THREADS - 1 && threads[place].generation == rxraces.generation) place++;
    threads[place] = (thread_state){
        .number = (pthread_t)rxraces.actors[rxraces.count].fs, .generation = rxraces.generation, .body = body,
        .context = context};
    *thread = threads[place].number;
    rxraces_begin_job(self, (job){.function = run_thread, .context = &threads[place], .pc = pc});
    return 0;
}

static thread_state *state_of(pthread_t number) {
    for (int i = 0; i < THREADS; i++)
        if (threads[i].generation == rxraces.generation && threads[i].number == number) return &threads[i];
    return NULL;
}

static int join(actor *self, thread_state *joined, void **result, uint64_t due, uintptr_t pc) {
    bool has_ended = rxraces_wait_until(self, (operation){
        .kind = rxraces_wait, .address = (uintptr_t)&joined->has_ended, .size = 8, .writes = true,
        .guard = ONLY_DIFFERENT, .due = due, .thing = "thread", .pc = pc});
    if (!has_ended && !joined->has_ended) return ETIMEDOUT;
    rxraces_synchronise(self, (uintptr_t)&joined->has_ended, 2, true, true);
    if (result != NULL) *result = joined->result;
    return 0;
}

int pthread_join(pthread_t thread, void **result) {
    actor *self = rxraces_executed();
    thread_state *joined = self != NULL ? state_of(thread) : NULL;
    return joined == NULL ? NEXT(pthread_join)(thread, result) : join(self, joined, result, 0, RXRACES_PC);
}

int pthread_detach(pthread_t thread) {
    bool is_ours = rxraces_executed() != NULL && state_of(thread) != NULL;
    return is_ours ? 0 : NEXT(pthread_detach)(thread);
}

void pthread_exit(void *result) {
    uintptr_t pc = RXRACES_PC;
    actor *self = rxraces_executed();
    if (self != NULL)
        rxraces_refuse(self, "pthread_exit, as by Thread.exit(); return from the thread's function", pc);
    NEXT(pthread_exit)(result);
    abort();
}

// MARK: Locks whose state each execution keeps itself, by their address

enum { LOCKS = 128 };

typedef struct {
    const void *lock;
    uint32_t generation;
    // The number of readers, or -1 for a writer. For a barrier, the number of arrivals.
    int64_t holders;
    pthread_t writer;
    // The addresses at which readers and writers release their memory orders.
    char read, written;
} lock_state;

static lock_state locks[LOCKS];

static lock_state *lock_of(actor *self, const void *lock, uintptr_t pc) {
    int place = 0;
    while (place < LOCKS && locks[place].generation == rxraces.generation && locks[place].lock != lock) place++;
    if (place == LOCKS) rxraces_refuse(self, "more than 128 locks of readers and writers, and barriers", pc);
    if (locks[place].generation != rxraces.generation)
        locks[place] = (lock_state){.lock = lock, .generation = rxraces.generation};
    rxraces_set_primitive((uintptr_t)lock);
    return &locks[place];
}

// A lock that is made at the address of an earlier lock is free.
static void forget(const void *lock) {
    if (rxraces_executed() == NULL) return;
    for (int i = 0; i < LOCKS; i++)
        if (locks[i].generation == rxraces.generation && locks[i].lock == lock) locks[i].holders = 0;
}

static bool is_over(const struct timespec *end) {
    return (uint64_t)end->tv_sec * 1000000000 + (uint64_t)end->tv_nsec <= rxraces_now();
}

static uint64_t due_of(const struct timespec *end) {
    if (end == NULL) return 0;
    return is_over(end) ? rxraces_now() : (uint64_t)end->tv_sec * 1000000000 + (uint64_t)end->tv_nsec;
}

static int lock_for(
    actor *self, const void *address, bool is_writer, bool is_attempt, const struct timespec *end, uintptr_t pc
) {
    lock_state *lock = lock_of(self, address, pc);
    // The library returns the same to a thread that already holds the lock.
    if (lock->holders < 0 && lock->writer == (pthread_t)self->fs) return is_attempt ? EBUSY : EDEADLK;
    operation next = {
        .kind = rxraces_lock, .address = (uintptr_t)&lock->holders, .size = 8, .writes = true, .due = due_of(end),
        .thing = "lock", .pc = pc};
    // The library prefers readers to a waiting writer.
    next.guard = is_attempt ? ANY : is_writer ? ONLY_EQUAL : ONLY_DIFFERENT;
    next.value = is_writer ? 0 : (uint64_t)-1;
    if (is_attempt && rxraces.phase == RUN) rxraces_point(self, next);
    if (!is_attempt && !rxraces_wait_until(self, next)) return ETIMEDOUT;
    if (is_writer ? lock->holders != 0 : lock->holders < 0) return is_attempt ? EBUSY : ETIMEDOUT;
    lock->holders = is_writer ? -1 : lock->holders + 1;
    lock->writer = (pthread_t)self->fs;
    rxraces_synchronise(self, (uintptr_t)&lock->written, 2, true, true);
    if (is_writer) rxraces_synchronise(self, (uintptr_t)&lock->read, 2, true, true);
    return 0;
}

#define LOCKS_FOR(name, parameters, arguments, is_writer, is_attempt, end) \
    int name parameters { \
        actor *self = rxraces_executed(); \
        if (self == NULL) return NEXT(name) arguments; \
        return lock_for(self, (const void *)lock, is_writer, is_attempt, end, RXRACES_PC); \
    }
LOCKS_FOR(pthread_rwlock_rdlock, (pthread_rwlock_t *lock), (lock), false, false, NULL)
LOCKS_FOR(pthread_rwlock_wrlock, (pthread_rwlock_t *lock), (lock), true, false, NULL)
LOCKS_FOR(pthread_rwlock_tryrdlock, (pthread_rwlock_t *lock), (lock), false, true, NULL)
LOCKS_FOR(pthread_rwlock_trywrlock, (pthread_rwlock_t *lock), (lock), true, true, NULL)
LOCKS_FOR(pthread_rwlock_timedrdlock, (pthread_rwlock_t *lock, const struct timespec *end), (lock, end), false, false,
    end)
LOCKS_FOR(pthread_rwlock_timedwrlock, (pthread_rwlock_t *lock, const struct timespec *end), (lock, end), true, false,
    end)
LOCKS_FOR(pthread_rwlock_clockrdlock, (pthread_rwlock_t *lock, clockid_t clock, const struct timespec *end),
    (lock, clock, end), false, false, end)
LOCKS_FOR(pthread_rwlock_clockwrlock, (pthread_rwlock_t *lock, clockid_t clock, const struct timespec *end),
    (lock, clock, end), true, false, end)
// A spin lock excludes all other holders, as a writer does.
LOCKS_FOR(pthread_spin_lock, (pthread_spinlock_t *lock), (lock), true, false, NULL)
LOCKS_FOR(pthread_spin_trylock, (pthread_spinlock_t *lock), (lock), true, true, NULL)

static int unlock(actor *self, const void *address, uintptr_t pc) {
    lock_state *lock = lock_of(self, address, pc);
    rxraces_take_step(self, rxraces_unlock, &lock->holders, 8, "lock", pc);
    bool was_written = lock->holders < 0;
    rxraces_synchronise(self, (uintptr_t)(was_written ? &lock->written : &lock->read), 4, true, true);
    lock->holders = was_written || lock->holders == 0 ? 0 : lock->holders - 1;
    return 0;
}

int pthread_rwlock_unlock(pthread_rwlock_t *lock) {
    actor *self = rxraces_executed();
    return self == NULL ? NEXT(pthread_rwlock_unlock)(lock) : unlock(self, lock, RXRACES_PC);
}

int pthread_spin_unlock(pthread_spinlock_t *lock) {
    actor *self = rxraces_executed();
    return self == NULL ? NEXT(pthread_spin_unlock)(lock) : unlock(self, (const void *)lock, RXRACES_PC);
}

int pthread_rwlock_init(pthread_rwlock_t *lock, const pthread_rwlockattr_t *attributes) {
    forget(lock);
    return NEXT(pthread_rwlock_init)(lock, attributes);
}

int pthread_spin_init(pthread_spinlock_t *lock, int shared) {
    forget((const void *)lock);
    return NEXT(pthread_spin_init)(lock, shared);
}

// MARK: One-time initialisation, under a lock that the other threads wait for

int pthread_once(pthread_once_t *control, void (*body)(void)) {
    actor *self = rxraces_searched();
    if (self == NULL) return NEXT(pthread_once)(control, body);
    uintptr_t pc = RXRACES_PC;
    lock_for(self, control, true, false, NULL, pc);
    int result = NEXT(pthread_once)(control, body);
    unlock(self, control, pc);
    return result;
}

// MARK: Barriers

int pthread_barrier_init(pthread_barrier_t *barrier, const pthread_barrierattr_t *attributes, unsigned count) {
    forget(barrier);
    return NEXT(pthread_barrier_init)(barrier, attributes, count);
}

int pthread_barrier_wait(pthread_barrier_t *barrier) {
    actor *self = rxraces_executed();
    if (self == NULL) return NEXT(pthread_barrier_wait)(barrier);
    uintptr_t pc = RXRACES_PC;
    if (rxraces.phase != RUN) rxraces_refuse(self, "pthread_barrier_wait outside an actor; wait in an actor", pc);
    lock_state *state = lock_of(self, barrier, pc);
    // The third word of the library's barrier.
    unsigned count = ((const unsigned *)barrier)[2];
    rxraces_take_step(self, rxraces_wait, &state->holders, 8, "barrier", pc);
    // One round of the barrier uses another address for its memory order than the next round.
    char *order = (state->holders / count) % 2 == 0 ? &state->read : &state->written;
    rxraces_synchronise(self, (uintptr_t)order, 4, true, true);
    if (++state->holders % count == 0) {
        rxraces_wake_at(self, (uintptr_t)&state->lock, ACTORS);
        return PTHREAD_BARRIER_SERIAL_THREAD;
    }
    rxraces_wait_for(self, (uintptr_t)&state->lock);
    rxraces_point(self, (operation){
        .kind = rxraces_resume, .address = (uintptr_t)&state->lock, .guard = ONCE_WOKEN, .thing = "barrier", .pc = pc});
    rxraces_synchronise(self, (uintptr_t)order, 2, true, true);
    return 0;
}
#pragma clang attribute pop
#endif
