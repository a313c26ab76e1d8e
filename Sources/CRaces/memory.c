#define _GNU_SOURCE
#include "races.h"

// What actors free stays until the execution ends, so that touching it again is noticed. Retain and release order
// memory, and are steps where the plan says so.
#ifdef RXRACES_INSTRUMENTED
#include <dlfcn.h>
#include <errno.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>

enum { QUARANTINE = 1 << 16 };

static void *quarantine[QUARANTINE];
static int quarantined;

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *old, size_t size);
void *__libc_memalign(size_t alignment, size_t size);
void __libc_free(void *freed);

// The C library's own, in place of that of another allocator, which a program may link beside it and which knows none
// of these blocks: the runtime asks for the room of an array.
size_t malloc_usable_size(void *block) {
    static size_t (*usable_size)(void *);
    if (usable_size == NULL) {
        void *library = dlopen("libc.so.6", RTLD_LAZY | RTLD_NOLOAD);
        if (library == NULL) return 0;
        usable_size = (size_t (*)(void *))dlsym(library, "malloc_usable_size");
    }
    return usable_size(block);
}

int64_t rxraces_allocations_alive(void) { return rxraces.alive; }

static void *counted(void *made) {
    if (made != NULL && rxraces_self != NULL) rxraces.alive++;
    return made;
}

void *malloc(size_t size) { return counted(__libc_malloc(size)); }
void *calloc(size_t count, size_t size) { return counted(__libc_calloc(count, size)); }
void *memalign(size_t alignment, size_t size) { return counted(__libc_memalign(alignment, size)); }
void *aligned_alloc(size_t alignment, size_t size) { return counted(__libc_memalign(alignment, size)); }

int posix_memalign(void **made, size_t alignment, size_t size) {
    void *found = counted(__libc_memalign(alignment, size));
    if (found == NULL) return ENOMEM;
    *made = found;
    return 0;
}

static void free_from(void *freed, uintptr_t pc) {
    actor *self = rxraces_self;
    if (freed == NULL) return;
    if (self == NULL) {
        __libc_free(freed);
        return;
    }
    rxraces.alive--;
    // The last check lets go of what actors may have freed already.
    if (rxraces.phase == FINISH && self != &rxraces.controller) rxraces_check_freed(self, (uintptr_t)freed, pc);
    if (rxraces.phase != RUN || quarantined == QUARANTINE) {
        __libc_free(freed);
        return;
    }
    rxraces_mark_freed(self, (uintptr_t)freed, malloc_usable_size(freed), pc);
    quarantine[quarantined++] = freed;
}

void free(void *freed) { free_from(freed, RXRACES_PC); }

void *realloc(void *old, size_t size) {
    if (rxraces_searched() == NULL) {
        if (old == NULL) return counted(__libc_realloc(old, size));
        return __libc_realloc(old, size);
    }
    void *made = malloc(size);
    if (old == NULL || made == NULL) return made;
    size_t kept = malloc_usable_size(old);
    memcpy(made, old, kept < size ? kept : size);
    free_from(old, RXRACES_PC);
    return made;
}

// C++'s new and delete, which another allocator that is linked beside it replaces too: a block that one of them has
// made and the C library frees ends the process.
#define NEW(name, ...) void *name(size_t size, ##__VA_ARGS__) { return malloc(size); }
#define ALIGNED_NEW(name, ...) \
    void *name(size_t size, size_t alignment, ##__VA_ARGS__) { return memalign(alignment, size); }
#define DELETE(name, ...) void name(void *freed, ##__VA_ARGS__) { free_from(freed, RXRACES_PC); }
NEW(_Znwm) NEW(_Znam) NEW(_ZnwmRKSt9nothrow_t, const void *tag) NEW(_ZnamRKSt9nothrow_t, const void *tag)
ALIGNED_NEW(_ZnwmSt11align_val_t) ALIGNED_NEW(_ZnamSt11align_val_t)
ALIGNED_NEW(_ZnwmSt11align_val_tRKSt9nothrow_t, const void *tag)
ALIGNED_NEW(_ZnamSt11align_val_tRKSt9nothrow_t, const void *tag)
DELETE(_ZdlPv) DELETE(_ZdaPv) DELETE(_ZdlPvm, size_t size) DELETE(_ZdaPvm, size_t size)
DELETE(_ZdlPvRKSt9nothrow_t, const void *tag) DELETE(_ZdaPvRKSt9nothrow_t, const void *tag)
DELETE(_ZdlPvSt11align_val_t, size_t alignment) DELETE(_ZdaPvSt11align_val_t, size_t alignment)
DELETE(_ZdlPvmSt11align_val_t, size_t size, size_t alignment)
DELETE(_ZdaPvmSt11align_val_t, size_t size, size_t alignment)

void rxraces_empty_quarantine(void) {
    while (quarantined > 0) __libc_free(quarantine[--quarantined]);
}

// MARK: References

// The runtime's own, behind what programs call.
extern void *(*_swift_retain)(void *object);
extern void (*_swift_release)(void *object);
size_t swift_retainCount(void *object);
void *swift_retain(void *object);
void swift_release(void *object);

// Pointers of immediate values have the sign bit.
static bool is_object(void *object) { return (intptr_t)object > 0; }

static uint64_t bits_of(void *object) { return *(uint64_t *)((uintptr_t)object + 8); }

// An object has its count, or has been referred to weakly and has it in a table, which outlives it. Of immortal ones
// neither is true.
static bool is_counted(void *object) { return bits_of(object) >> 63 == 0; }
static bool has_table(void *object) { return bits_of(object) >> 62 == 3; }
static uintptr_t table_of(void *object) { return (uintptr_t)(bits_of(object) << 3); }

static void step(actor *self, rxraces_kind kind, uintptr_t count, uintptr_t pc) {
    rxraces_point(self, (operation){.kind = (uint8_t)kind, .address = count, .size = 8, .writes = true, .pc = pc});
}

// Where the count lies, or the one of a table.
enum { COUNT = 8, COUNT_OF_TABLE = 16 };
static uintptr_t count_of(void *object) {
    return has_table(object) ? table_of(object) + COUNT_OF_TABLE : (uintptr_t)object + COUNT;
}

static void count_step(actor *self, rxraces_kind kind, void *object, uintptr_t pc) {
    if (rxraces.plan.counts_references && !rxraces_is_of_tasks(pc)) step(self, kind, count_of(object), pc);
    rxraces_check_freed(self, (uintptr_t)object, pc);
}

void *swift_retain(void *object) {
    actor *self = rxraces_searched();
    if (self != NULL && is_object(object)) count_step(self, rxraces_retain, object, RXRACES_PC);
    return _swift_retain(object);
}

// Whether one reference is all that there is. Where the object has its count, those beyond the first are its upper bits
// but one.
static bool has_one_reference(void *object) {
    if (is_counted(object)) return bits_of(object) >> 33 == 0;
    return has_table(object) && swift_retainCount(object) == 1;
}

void swift_release(void *object) {
    actor *self = rxraces_searched();
    if (self != NULL && is_object(object)) {
        uintptr_t pc = RXRACES_PC;
        count_step(self, rxraces_release, object, pc);
        // Others may find it by a weak reference until then.
        if (has_table(object) && !rxraces.plan.counts_references && has_one_reference(object))
            step(self, rxraces_release, count_of(object), pc);
        // The last one acquires: the deinitialiser sees all that was done with the object.
        rxraces_synchronise(self, (uintptr_t)object + 8, has_one_reference(object) ? 4 : 3, true, true);
    }
    _swift_release(object);
}

// MARK: References that keep nothing: whether the object is still there is a step.

void *swift_weakLoadStrong(uintptr_t *reference);
void *swift_weakLoadStrong(uintptr_t *reference) {
    actor *self = rxraces_searched();
    // A weak reference is the address of the object's table.
    uintptr_t table = self != NULL ? *reference : 0;
    if (table != 0) step(self, rxraces_weak_load, table + COUNT_OF_TABLE, RXRACES_PC);
    return NEXT(swift_weakLoadStrong)(reference);
}

void *swift_unownedRetainStrong(void *object);
void *swift_unownedRetainStrong(void *object) {
    actor *self = rxraces_searched();
    if (self != NULL && is_object(object)) step(self, rxraces_retain, count_of(object), RXRACES_PC);
    return NEXT(swift_unownedRetainStrong)(object);
}
#endif
