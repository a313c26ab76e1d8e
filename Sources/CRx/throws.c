#include "CStacks.h"
#include "CThread.h"
#include <pthread.h>
#include <string.h>

// Called by the Swift runtime when an error is thrown (stdlib/public/runtime/ErrorObject.h of the Swift repository,
// "swift_willThrow"). Weak: if a runtime lacks one of them, its throws are not recorded.
extern void (*_swift_willThrow)(void *box) __attribute__((weak));
extern void (*_swift_willThrowTypedImpl)(void *value, const void *type, const void *conformance) __attribute__((weak));
extern void *swift_errorRetain(void *box);
extern void swift_errorRelease(void *box);

enum { remembered = 64, depth = 64 };

typedef struct {
    // Retained. NULL for a typed throw, whose error has no box.
    void *box;
    // For a typed throw, together with the thread that threw.
    const void *type;
    uintptr_t thread;
    size_t count;
    uintptr_t addresses[depth];
} record;

static record records[remembered];
// The number of records that were ever written. The next record goes to this index, modulo `remembered`.
static size_t written;
static bool is_on;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
// The hooks that were installed before. Our hooks call them. While HeapTrace counts, it removes Swift Testing's hooks.
void (*rx_next_throw_hook)(void *box);
void (*rx_next_typed_throw_hook)(void *value, const void *type, const void *conformance);

// Returns the latest record that matches, or NULL if there is no match. Called under the lock.
static const record *find(const void *box, const void *type) {
    uintptr_t thread = rx_thread_identity();
    size_t count = written < remembered ? written : remembered;
    for (size_t back = 1; back <= count; back++) {
        const record *candidate = &records[(written - back) % remembered];
        if (box != NULL ? candidate->box == box : candidate->type == type && candidate->thread == thread)
            return candidate;
    }
    return NULL;
}

// Returns the box that was replaced. The caller releases it outside the lock, because the deinitialiser of an error is
// user code.
static void *remember(void *box, const void *type, const uintptr_t *addresses, size_t count) {
    // Only the first throw of an error is reported.
    if (box != NULL && find(box, NULL) != NULL) return NULL;
    record *place = &records[written++ % remembered];
    void *replaced = place->box;
    if (box != NULL) swift_errorRetain(box);
    place->box = box;
    place->type = type;
    place->thread = rx_thread_identity();
    place->count = count;
    memcpy(place->addresses, addresses, count * sizeof(uintptr_t));
    return replaced;
}

// Not inlined: the first two calls on the stack must be our hook and the runtime function that calls it.
__attribute__((noinline)) static void note(void *box, const void *type) {
    enum { machinery = 2 };
    uintptr_t addresses[depth + machinery];
    size_t count = rx_stack_walk(addresses, depth + machinery);
    if (count <= machinery) return;
    pthread_mutex_lock(&lock);
    void *replaced = is_on ? remember(box, type, addresses + machinery, count - machinery) : NULL;
    pthread_mutex_unlock(&lock);
    if (replaced != NULL) swift_errorRelease(replaced);
}

static void will_throw(void *box) {
    if (__atomic_load_n(&is_on, __ATOMIC_RELAXED)) note(box, NULL);
    void (*next)(void *) = __atomic_load_n(&rx_next_throw_hook, __ATOMIC_ACQUIRE);
    if (next != NULL) next(box);
}

static void will_throw_typed(void *value, const void *type, const void *conformance) {
    if (__atomic_load_n(&is_on, __ATOMIC_RELAXED)) note(NULL, type);
    void (*next)(void *, const void *, const void *) = __atomic_load_n(&rx_next_typed_throw_hook, __ATOMIC_ACQUIRE);
    if (next != NULL) next(value, type, conformance);
}

// Installed once and never removed, because a hook that was installed after ours may hold our address.
static void install(void) {
    if (&_swift_willThrow != NULL) {
        rx_next_throw_hook = __atomic_load_n(&_swift_willThrow, __ATOMIC_ACQUIRE);
        // Release: a thread that calls the hook sees the previous hook. The same applies to the stores below.
        __atomic_store_n(&_swift_willThrow, will_throw, __ATOMIC_RELEASE);
    }
    if (&_swift_willThrowTypedImpl != NULL) {
        rx_next_typed_throw_hook = __atomic_load_n(&_swift_willThrowTypedImpl, __ATOMIC_ACQUIRE);
        __atomic_store_n(&_swift_willThrowTypedImpl, will_throw_typed, __ATOMIC_RELEASE);
    }
}

void rx_throws_record(bool on) {
    if (on) pthread_once(&once, install);
    void *released[remembered] = {NULL};
    pthread_mutex_lock(&lock);
    __atomic_store_n(&is_on, on, __ATOMIC_RELAXED);
    for (size_t index = 0; !on && index < remembered; index++) {
        released[index] = records[index].box;
        records[index] = (record){0};
    }
    if (!on) written = 0;
    pthread_mutex_unlock(&lock);
    for (size_t index = 0; index < remembered; index++)
        if (released[index] != NULL) swift_errorRelease(released[index]);
}

static size_t copy(const void *box, const void *type, uintptr_t *addresses, size_t limit) {
    pthread_mutex_lock(&lock);
    const record *found = find(box, type);
    size_t count = found == NULL ? 0 : found->count < limit ? found->count : limit;
    if (found != NULL) memcpy(addresses, found->addresses, count * sizeof(uintptr_t));
    pthread_mutex_unlock(&lock);
    return count;
}

size_t rx_throw_addresses(const void *box, uintptr_t *addresses, size_t limit) {
    return copy(box, NULL, addresses, limit);
}

size_t rx_typed_throw_addresses(const void *type, uintptr_t *addresses, size_t limit) {
    return copy(NULL, type, addresses, limit);
}
