#include "races.h"

// Memory that actors free is kept until the execution ends, so that a later access to it is detected. Retains and
// releases order memory, and are steps if the plan's `counts_references` is set.
#ifdef RXRACES_INSTRUMENTED
#include <dlfcn.h>
#include <errno.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

// Blocks of the C library's heap that actors have freed.
enum { QUARANTINE = 1 << 16 };

static void *quarantine[QUARANTINE];
static int quarantined;

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *old, size_t size);
void *__libc_memalign(size_t alignment, size_t size);
void __libc_free(void *freed);

// MARK: The heap of an execution. No memory is reused, so freed blocks are kept without further work.

enum { HEAP = 1 << 30, LARGEST = 1 << 16, ALIGNMENT = 16 };

// Precedes each block.
typedef struct { size_t size; bool is_live, is_object; uint8_t actor; uint32_t stack; } header;
enum { BLOCKS = 1 << 14 };
// The blocks of an execution whose stacks are recorded, in allocation order.
static void *blocks[BLOCKS];
static int block_count;
_Static_assert(sizeof(header) == ALIGNMENT, "A block behind a header would not be aligned.");

struct rxraces_heap_state rxraces_heap;

static bool is_of_heap(const void *block) {
    return (uintptr_t)block >= rxraces_heap.low && (uintptr_t)block < rxraces_heap.high;
}
static header *header_of(void *block) { return (header *)block - 1; }

bool rxraces_is_block(const void *block) {
    uintptr_t at = (uintptr_t)block;
    if (at % ALIGNMENT != 0 || at < rxraces_heap.begin + sizeof(header) || at >= rxraces_heap.end) return false;
    const header *found = (const header *)block - 1;
    return found->is_live && found->size > 0 && found->size % ALIGNMENT == 0 && found->size <= rxraces_heap.end - at;
}

void rxraces_begin_heap(void) {
    if (rxraces_heap.low == 0) {
        int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
        void *made = mmap(NULL, HEAP, PROT_READ | PROT_WRITE, flags, -1, 0);
        if (made == MAP_FAILED) return;
        rxraces_heap.low = rxraces_heap.begin = rxraces_heap.end = (uintptr_t)made;
        rxraces_heap.high = rxraces_heap.low + HEAP;
    }
    // Memory that was allocated once for the whole process keeps its place.
    if (rxraces_heap.blocks != 0) rxraces_heap.begin = rxraces_heap.end;
    rxraces_heap.end = rxraces_heap.begin;
    rxraces_heap.blocks = 0;
    block_count = 0;
}

// Returns an actor's next block, or NULL if the C library must allocate it: for other threads, for large blocks, and in
// the last check, whose result outlives the execution.
static void *take(size_t alignment, size_t size, uintptr_t pc) {
    if (size > LARGEST || alignment > LARGEST || rxraces_executed() == NULL || rxraces.phase == FINISH) return NULL;
    if (alignment < ALIGNMENT) alignment = ALIGNMENT;
    uintptr_t block = (rxraces_heap.end + sizeof(header) + alignment - 1) & ~(alignment - 1);
    size = (size + ALIGNMENT - 1) & ~(size_t)(ALIGNMENT - 1);
    if (block + size > rxraces_heap.high) return NULL;
    rxraces_heap.end = block + size;
    rxraces_heap.blocks++;
    *header_of((void *)block) = (header){.size = size, .is_live = true};
    if (rxraces.plan.records_stacks && block_count < BLOCKS) {
        blocks[block_count++] = (void *)block;
        header_of((void *)block)->actor = rxraces.phase == RUN ? (uint8_t)rxraces_self->index : ACTORS;
        bool is_object = rxraces_self->allocates_at != 0;
        header_of((void *)block)->is_object = is_object;
        header_of((void *)block)->stack =
            rxraces_record_stack(rxraces_self, is_object ? rxraces_self->allocates_at : pc);
    }
    return (void *)block;
}

static void give_back(void *block) {
    // The C library also ends a program that frees a block twice.
    if (!header_of(block)->is_live) abort();
    header_of(block)->is_live = false;
    if ((uintptr_t)block >= rxraces_heap.begin) rxraces_heap.blocks--;
}

// Replaces the function of any other allocator that the program links, which does not know these blocks. The fallback
// is the C library's own function. The runtime asks for the usable size of an array.
size_t malloc_usable_size(void *block) {
    if (is_of_heap(block)) return header_of(block)->size;
    static size_t (*usable_size)(void *);
    if (usable_size == NULL) {
        void *library = dlopen("libc.so.6", RTLD_LAZY | RTLD_NOLOAD);
        if (library == NULL) return 0;
        usable_size = (size_t (*)(void *))dlsym(library, "malloc_usable_size");
    }
    return usable_size(block);
}

int64_t rxraces_allocations_alive(void) { return rxraces.alive; }

uint32_t rxraces_blocks_alive(rxraces_block *found, uint32_t limit) {
    uint32_t count = 0;
    for (int i = 0; i < block_count; i++) {
        const header *header = header_of(blocks[i]);
        if (!header->is_live) continue;
        if (count < limit)
            found[count] = (rxraces_block){
                .size = header->size, .stack = header->stack, .actor = header->actor == ACTORS ? -1 : header->actor,
                .metadata = header->is_object ? *(const void *const *)blocks[i] : NULL};
        count++;
    }
    return count;
}

static void *counted(void *made) {
    if (made != NULL && rxraces_self != NULL) rxraces.alive++;
    return made;
}

void *malloc(size_t size) {
    void *made = take(ALIGNMENT, size, RXRACES_PC);
    return counted(made != NULL ? made : __libc_malloc(size));
}

void *calloc(size_t count, size_t size) {
    size_t whole;
    void *made = __builtin_mul_overflow(count, size, &whole) ? NULL : take(ALIGNMENT, whole, RXRACES_PC);
    return counted(made != NULL ? memset(made, 0, whole) : __libc_calloc(count, size));
}

void *memalign(size_t alignment, size_t size) {
    void *made = take(alignment, size, RXRACES_PC);
    return counted(made != NULL ? made : __libc_memalign(alignment, size));
}

void *aligned_alloc(size_t alignment, size_t size) { return memalign(alignment, size); }

int posix_memalign(void **made, size_t alignment, size_t size) {
    void *found = memalign(alignment, size);
    if (found == NULL) return ENOMEM;
    *made = found;
    return 0;
}

// Whether the freed memory is an object whose deinitialiser has run. The object's releases order all earlier accesses.
// Releases by the runtime itself are not observed.
static bool is_ended_object(const void *freed, size_t size) {
    if (size < 16) return false;
    uint64_t bits = ((const uint64_t *)freed)[1];
    // The object has no strong reference and is being deinitialised.
    if (bits >> 32 == 1 && (bits & 1)) return true;
    const void *const *table = (const void *const *)(bits << 3);
    return bits >> 62 == 3 && is_of_heap(table) && *table == freed;
}

static void free_from(void *freed, uintptr_t pc) {
    actor *self = rxraces_self;
    bool is_ours = is_of_heap(freed);
    // Another thread may not touch this heap, so the block is kept.
    if (freed == NULL || (self == NULL && is_ours)) return;
    if (self == NULL) {
        __libc_free(freed);
        return;
    }
    rxraces.alive--;
    // The last check may free a block that an actor has already freed.
    if (rxraces.phase == FINISH && self != &rxraces.controller) rxraces_check_freed(self, (uintptr_t)freed, pc);
    bool stays = rxraces.phase == RUN && (is_ours || quarantined < QUARANTINE);
    if (stays) {
        size_t size = malloc_usable_size(freed);
        // The memory of tasks belongs to the runtime, which passes it from job to job.
        bool is_ordered = is_ended_object(freed, size) || rxraces_is_of_tasks(pc);
        rxraces_mark_freed(self, (uintptr_t)freed, size, is_ordered, pc);
    }
    if (is_ours) give_back(freed);
    else if (stays) quarantine[quarantined++] = freed;
    else __libc_free(freed);
}

void free(void *freed) { free_from(freed, RXRACES_PC); }

// The runtime's allocation function. Its caller is the program.
void *swift_slowAlloc(size_t size, size_t mask);
void *swift_slowAlloc(size_t size, size_t mask) {
    bool is_usual = mask == ~(size_t)0 || mask < ALIGNMENT;
    size = size > 0 ? size : 1;
    void *made = take(is_usual ? ALIGNMENT : mask + 1, size, RXRACES_PC);
    if (made == NULL) made = is_usual ? __libc_malloc(size) : __libc_memalign(mask + 1, size);
    return counted(made);
}

void *swift_allocObject(void *metadata, size_t size, size_t mask);
void *swift_allocObject(void *metadata, size_t size, size_t mask) {
    actor *self = rxraces_executed();
    if (self == NULL || !rxraces.plan.records_stacks) return NEXT(swift_allocObject)(metadata, size, mask);
    self->allocates_at = RXRACES_PC;
    void *made = NEXT(swift_allocObject)(metadata, size, mask);
    self->allocates_at = 0;
    return made;
}

// The runtime's function that `deallocate()` calls. Its caller is the program.
void swift_slowDealloc(void *freed, size_t size, size_t mask);
void swift_slowDealloc(void *freed, size_t size, size_t mask) {
    (void)size, (void)mask;
    free_from(freed, RXRACES_PC);
}

void *realloc(void *old, size_t size) {
    if (old == NULL) return malloc(size);
    if (rxraces_searched() == NULL && !is_of_heap(old)) return __libc_realloc(old, size);
    void *made = malloc(size);
    if (made == NULL) return NULL;
    size_t kept = malloc_usable_size(old);
    memcpy(made, old, kept < size ? kept : size);
    free_from(old, RXRACES_PC);
    return made;
}

// C++'s new and delete. Another allocator that the program links replaces them too. If one allocator made a block and
// the C library freed it, the process would end.
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

// The runtime's implementations of the functions that programs call.
extern void *(*_swift_retain)(void *object);
extern void (*_swift_release)(void *object);
size_t swift_retainCount(void *object);
void *swift_retain(void *object);
void swift_release(void *object);

// Pointers of immediate values have the sign bit.
static bool is_object(void *object) { return (intptr_t)object > 0; }

static uint64_t bits_of(void *object) { return *(uint64_t *)((uintptr_t)object + 8); }

// An object holds its reference count itself or, once a weak reference to it exists, in a side table that outlives it.
// For immortal objects neither is true.
static bool is_counted(void *object) { return bits_of(object) >> 63 == 0; }
static bool has_table(void *object) { return bits_of(object) >> 62 == 3; }
static uintptr_t table_of(void *object) { return (uintptr_t)(bits_of(object) << 3); }

static void step(actor *self, rxraces_kind kind, uintptr_t count, uintptr_t pc) {
    rxraces_point(self, (operation){.kind = (uint8_t)kind, .address = count, .size = 8, .writes = true, .pc = pc});
}

// The offsets of the reference count in an object and in a side table.
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

// Whether there is only one reference. In an object that holds its own count, the bits above the lower 33 except the
// sign bit count the references beyond the first.
static bool has_one_reference(void *object) {
    if (is_counted(object)) return bits_of(object) >> 33 == 0;
    return has_table(object) && swift_retainCount(object) == 1;
}

void swift_release(void *object) {
    actor *self = rxraces_searched();
    if (self != NULL && is_object(object)) {
        uintptr_t pc = RXRACES_PC;
        count_step(self, rxraces_release, object, pc);
        // Other actors may still reach the object by a weak reference until this release.
        if (has_table(object) && !rxraces.plan.counts_references && has_one_reference(object))
            step(self, rxraces_release, count_of(object), pc);
        // The last release acquires, so that the deinitialiser sees all earlier accesses to the object.
        rxraces_synchronise(self, (uintptr_t)object + 8, has_one_reference(object) ? 4 : 3, true, true);
    }
    _swift_release(object);
}

// Notes whether an object is uniquely referenced. The program may then change it in place, so the check is ordered
// after the releases of the earlier references.
static bool note_unique(const void *object, bool is_unique) {
    actor *self = rxraces_searched();
    // The upper and the lowest bits of a bridged object are not part of its address.
    uintptr_t at = (uintptr_t)object & 0x00FFFFFFFFFFFFF8;
    enum { ACQUIRE = 2 };
    if (self != NULL && is_unique && at != 0) rxraces_synchronise(self, at + COUNT, ACQUIRE, true, false);
    return is_unique;
}

#define IS_UNIQUE(name) \
    bool name(const void *object); \
    bool name(const void *object) { return note_unique(object, NEXT(name)(object)); }
IS_UNIQUE(swift_isUniquelyReferenced_native) IS_UNIQUE(swift_isUniquelyReferenced_nonNull_native)
IS_UNIQUE(swift_isUniquelyReferenced) IS_UNIQUE(swift_isUniquelyReferenced_nonNull)
IS_UNIQUE(swift_isUniquelyReferencedNonObjC) IS_UNIQUE(swift_isUniquelyReferencedNonObjC_nonNull)

// MARK: Weak and unowned references. The check whether the object still exists is a step.

void *swift_weakLoadStrong(uintptr_t *reference);
void *swift_weakLoadStrong(uintptr_t *reference) {
    actor *self = rxraces_searched();
    // A weak reference is the address of the object's table.
    uintptr_t table = self != NULL ? *reference : 0;
    if (self != NULL) rxraces_touch_weak(reference, RXRACES_PC);
    if (table != 0) step(self, rxraces_weak_load, table + COUNT_OF_TABLE, RXRACES_PC);
    return NEXT(swift_weakLoadStrong)(reference);
}

void *swift_unownedRetainStrong(void *object);
void *swift_unownedRetainStrong(void *object) {
    actor *self = rxraces_searched();
    if (self != NULL && is_object(object)) step(self, rxraces_retain, count_of(object), RXRACES_PC);
    return NEXT(swift_unownedRetainStrong)(object);
}
#pragma clang attribute pop
#endif
