#define _GNU_SOURCE
#include "counters.h"

// Functions of the runtime with counting. The dynamic linker finds the program's functions first, also for the calls of
// other libraries; the standard library calls its own functions directly.
//
// On other processors than x86-64 the runtime's retain and release preserve more registers than C functions do, and
// macOS binds each library to its own functions.
#if defined(__linux__) && defined(__x86_64__)
#include <dlfcn.h>
#include <pthread.h>

// The runtime's own function, looked up at the first call. The first call may come from a library's initialiser, before
// any of our initialisers runs.
#define NEXT(name) ({ \
    __typeof__(&name) next = __atomic_load_n((void **)&next_##name, __ATOMIC_RELAXED); \
    if (__builtin_expect(next == NULL, 0)) { \
        next = (__typeof__(&name))dlsym(RTLD_NEXT, #name); \
        __atomic_store_n((void **)&next_##name, (void *)next, __ATOMIC_RELAXED); \
    } \
    next; })

#define STAND_BEFORE(name, result, parameters, arguments, count) \
    __attribute__((visibility("default"))) result name parameters; \
    static __typeof__(&name) next_##name; \
    result name parameters { count; return NEXT(name) arguments; }

OBJECTS_INLINE void count_retains(uint64_t change) {
    objects_block *block = objects_current();
    if (block != NULL) OBJECTS_ADD(block->counts.retains, change);
}

OBJECTS_INLINE void count_releases(uint64_t change) {
    objects_block *block = objects_current();
    if (block != NULL) OBJECTS_ADD(block->counts.releases, change);
}

OBJECTS_INLINE void count_allocation(const void *metadata) {
    objects_block *block = objects_current();
    if (block == NULL) return;
    OBJECTS_ADD(block->counts.allocations, 1);
    OBJECTS_ADD(block->live[objects_type_number(metadata)], 1);
}

// The end of this thread's stack; 0 until it is first needed.
static OBJECTS_OF_THREAD uintptr_t stack_end;

static uintptr_t find_stack_end(void) {
    pthread_attr_t attributes;
    void *begin = NULL;
    size_t size = 0;
    // 1 means unknown: then no object counts as being on the stack.
    stack_end = 1;
    if (pthread_getattr_np(pthread_self(), &attributes) == 0) {
        if (pthread_attr_getstack(&attributes, &begin, &size) == 0) stack_end = (uintptr_t)begin + size;
        pthread_attr_destroy(&attributes);
    }
    return stack_end;
}

// The optimiser may place an object on the stack. Such an object is never allocated, but may still be deallocated here.
OBJECTS_INLINE bool is_on_stack(const void *object) {
    uintptr_t address = (uintptr_t)object;
    if (address < (uintptr_t)__builtin_frame_address(0)) return false;
    uintptr_t end = stack_end;
    return address < (__builtin_expect(end != 0, 1) ? end : find_stack_end());
}

OBJECTS_INLINE void count_deallocation(const void *object) {
    objects_block *block = objects_current();
    if (block == NULL || is_on_stack(object)) return;
    OBJECTS_ADD(block->counts.deallocations, 1);
    // The object's first word is its metadata until it is freed.
    OBJECTS_ADD(block->live[objects_type_number(*(const void *const *)object)], -1);
}

// Bridged words: the runtime ignores words that refer to no object, but the calls are counted.
STAND_BEFORE(swift_allocObject, void *, (void *metadata, size_t size, size_t mask), (metadata, size, mask),
    count_allocation(metadata))
STAND_BEFORE(swift_deallocClassInstance, void, (void *object, size_t size, size_t mask), (object, size, mask),
    count_deallocation(object))
STAND_BEFORE(swift_deallocObject, void, (void *object, size_t size, size_t mask), (object, size, mask),
    count_deallocation(object))
STAND_BEFORE(swift_deallocUninitializedObject, void, (void *object, size_t size, size_t mask), (object, size, mask),
    count_deallocation(object))
STAND_BEFORE(swift_deallocPartialClassInstance, void, (void *object, void *metadata, size_t size, size_t mask),
    (object, metadata, size, mask), count_deallocation(object))
STAND_BEFORE(swift_retain, void *, (void *object), (object), count_retains(1))
STAND_BEFORE(swift_release, void, (void *object), (object), count_releases(1))
STAND_BEFORE(swift_retain_n, void *, (void *object, uint32_t times), (object, times), count_retains(times))
STAND_BEFORE(swift_release_n, void, (void *object, uint32_t times), (object, times), count_releases(times))
STAND_BEFORE(swift_nonatomic_retain, void *, (void *object), (object), count_retains(1))
STAND_BEFORE(swift_nonatomic_release, void, (void *object), (object), count_releases(1))
STAND_BEFORE(swift_bridgeObjectRetain, void *, (void *object), (object), count_retains(1))
STAND_BEFORE(swift_bridgeObjectRelease, void, (void *object), (object), count_releases(1))
STAND_BEFORE(
    swift_bridgeObjectRetain_n, void *, (void *object, int times), (object, times), count_retains((uint64_t)times))
STAND_BEFORE(
    swift_bridgeObjectRelease_n, void, (void *object, int times), (object, times), count_releases((uint64_t)times))

const char *objects_obstacle(void) {
    if (dlsym(RTLD_DEFAULT, "swift_allocObject") == (void *)swift_allocObject) return NULL;
    return "another library stands before the Swift runtime in this process, or the program was linked with "
           "'-static-stdlib'. Link dynamically, and without what replaces 'swift_allocObject'.";
}
#else
const char *objects_obstacle(void) { return "objects are counted on Linux for x86-64 alone. Run it there."; }
#endif
