#include "races.h"

// The functions that instrumented code calls: the interface of ThreadSanitizer's library (llvm, compiler-rt/lib/tsan).
#ifdef RXRACES_INSTRUMENTED
#include <dlfcn.h>
#include <string.h>

// The section into which the toolset's prelude puts the code of this package's own C targets. This code is not
// searched.
extern const char exempt_begin[] __asm__("__start_rxraces_exempt") __attribute__((weak, visibility("hidden")));
extern const char exempt_end[] __asm__("__stop_rxraces_exempt") __attribute__((weak, visibility("hidden")));
static inline bool is_exempt(uintptr_t pc) {
    return pc - (uintptr_t)exempt_begin < (uintptr_t)exempt_end - (uintptr_t)exempt_begin;
}
bool rxraces_is_own_code(uintptr_t pc) { return is_exempt(pc); }
bool rxraces_is_searched_code(uintptr_t pc) {
    static rxraces_image program;
    if (program.high == 0) program = rxraces_image_around((const void *)rxraces_is_searched_code);
    return rxraces_is_in(&program, pc) && !is_exempt(pc);
}

static inline void touch(void *address, size_t size, bool writes, uintptr_t pc) {
    actor *self = rxraces_self;
    if (self == NULL || rxraces.phase < RUN || is_exempt(pc)) return;
    if (rxraces.phase == RUN && rxraces_contested_count > 0 && rxraces_is_contested(pc))
        rxraces_point(self, (operation){
            .kind = rxraces_plain, .address = (uintptr_t)address, .size = size <= 8 ? (uint8_t)size : 0,
            .writes = writes, .pc = pc});
    if (rxraces.phase == RUN) rxraces_access(self, (uintptr_t)address, size, writes, pc);
    else rxraces_check_freed(self, (uintptr_t)address, pc);
}

#define ACCESS(size) \
    void __tsan_read##size(void *a) { touch(a, size, false, RXRACES_PC); } \
    void __tsan_write##size(void *a) { touch(a, size, true, RXRACES_PC); } \
    void __tsan_read_write##size(void *a) { touch(a, size, true, RXRACES_PC); } \
    void __tsan_unaligned_read##size(void *a) { touch(a, size, false, RXRACES_PC); } \
    void __tsan_unaligned_write##size(void *a) { touch(a, size, true, RXRACES_PC); } \
    void __tsan_unaligned_read_write##size(void *a) { touch(a, size, true, RXRACES_PC); }
ACCESS(1) ACCESS(2) ACCESS(4) ACCESS(8) ACCESS(16)

void __tsan_read_range(void *a, size_t size) { touch(a, size, false, RXRACES_PC); }
void __tsan_write_range(void *a, size_t size) { touch(a, size, true, RXRACES_PC); }

void *__tsan_memset(void *to, int value, size_t size) {
    touch(to, size, true, RXRACES_PC);
    return memset(to, value, size);
}

void *__tsan_memcpy(void *to, const void *from, size_t size) {
    touch((void *)from, size, false, RXRACES_PC);
    touch(to, size, true, RXRACES_PC);
    return memcpy(to, from, size);
}

void *__tsan_memmove(void *to, const void *from, size_t size) {
    touch((void *)from, size, false, RXRACES_PC);
    touch(to, size, true, RXRACES_PC);
    return memmove(to, from, size);
}

void __tsan_init(void) {}
void __tsan_ignore_thread_end(void) {}
void __tsan_vptr_read(void **a) { (void)a; }
void __tsan_vptr_update(void **a, void *value) { (void)a, (void)value; }
void __tsan_external_read(void *a, void *pc, void *tag) { (void)pc, (void)tag, touch(a, 1, false, RXRACES_PC); }
void __tsan_external_write(void *a, void *pc, void *tag) { (void)pc, (void)tag, touch(a, 1, true, RXRACES_PC); }
// Schedules are already sequentially consistent. The order of a fence matters only for the detection of data races.
void __tsan_atomic_thread_fence(int order) {
    actor *self = rxraces_searched();
    enum { SEQUENTIALLY_CONSISTENT = 5 };
    if (self == NULL || is_exempt(RXRACES_PC)) return;
    if (order == SEQUENTIALLY_CONSISTENT && self->late.is_full) rxraces_store_late(self);
    rxraces_fence(self, order);
}
void __tsan_atomic_signal_fence(int order) { (void)order; }

void __tsan_func_entry(void *caller) {
    actor *self = rxraces_self;
    if (self != NULL && !is_exempt(RXRACES_PC)) self->calls[self->depth++ & (CALLS - 1)] = (uintptr_t)caller;
}

void __tsan_func_exit(void) {
    actor *self = rxraces_self;
    if (self != NULL && self->depth > 0 && !is_exempt(RXRACES_PC)) self->depth--;
}

// MARK: Variables that the runtime reads and writes itself

// For the exclusivity check, the compiler marks accesses to variables that other code may reach. So an access is
// observed even where the runtime copies the value, as it does for existentials and generic types. The size is not
// known. The first byte is enough, because all accesses to one variable begin there.
void swift_beginAccess(void *variable, void *buffer, uintptr_t flags, void *pc);
void swift_beginAccess(void *variable, void *buffer, uintptr_t flags, void *pc) {
    enum { MODIFIES = 1 };
    touch(variable, 1, flags & MODIFIES, RXRACES_PC);
    NEXT(swift_beginAccess)(variable, buffer, flags, pc);
}

void *swift_weakInit(void *reference, void *object);
void *swift_weakInit(void *reference, void *object) {
    touch(reference, 8, true, RXRACES_PC);
    return NEXT(swift_weakInit)(reference, object);
}

void *swift_weakAssign(void *reference, void *object);
void *swift_weakAssign(void *reference, void *object) {
    touch(reference, 8, true, RXRACES_PC);
    return NEXT(swift_weakAssign)(reference, object);
}

void *swift_weakCopyInit(void *reference, void *other);
void *swift_weakCopyInit(void *reference, void *other) {
    touch(other, 8, false, RXRACES_PC);
    touch(reference, 8, true, RXRACES_PC);
    return NEXT(swift_weakCopyInit)(reference, other);
}

void *swift_weakCopyAssign(void *reference, void *other);
void *swift_weakCopyAssign(void *reference, void *other) {
    touch(other, 8, false, RXRACES_PC);
    touch(reference, 8, true, RXRACES_PC);
    return NEXT(swift_weakCopyAssign)(reference, other);
}

void *swift_weakTakeInit(void *reference, void *other);
void *swift_weakTakeInit(void *reference, void *other) {
    touch(other, 8, true, RXRACES_PC);
    touch(reference, 8, true, RXRACES_PC);
    return NEXT(swift_weakTakeInit)(reference, other);
}

void *swift_weakTakeAssign(void *reference, void *other);
void *swift_weakTakeAssign(void *reference, void *other) {
    touch(other, 8, true, RXRACES_PC);
    touch(reference, 8, true, RXRACES_PC);
    return NEXT(swift_weakTakeAssign)(reference, other);
}

void swift_weakDestroy(void *reference);
void swift_weakDestroy(void *reference) {
    touch(reference, 8, true, RXRACES_PC);
    NEXT(swift_weakDestroy)(reference);
}

void *swift_weakTakeStrong(void *reference);
void *swift_weakTakeStrong(void *reference) {
    touch(reference, 8, true, RXRACES_PC);
    return NEXT(swift_weakTakeStrong)(reference);
}

// The program's own load of a weak reference. This access precedes the step of the load.
void rxraces_touch_weak(uintptr_t *reference, uintptr_t pc) { touch(reference, 8, false, pc); }

// MARK: Deinitialisers, which the compiler makes ThreadSanitizer ignore

__attribute__((used)) static void begin_end(void *object) {
    actor *self = rxraces_searched();
    if (self != NULL && rxraces_is_block(object)) rxraces_order_before_end(self, object);
}

// Each deinitialiser calls this function first. The object is still in the register of `self`, unless the deinitialiser
// is isolated. An isolated deinitialiser has another value in that register.
__attribute__((naked)) void __tsan_ignore_thread_begin(void) {
    __asm__("mov %%r13, %%rdi; jmp %c0" : : "i"(begin_end));
}

// MARK: Atomic operations

// The compiler's functions that look up the metadata of a type, which is created once for the whole process. Their
// reads are not steps.
#define LOOKUP(name, suffix) \
    extern char name[] __asm__("__swift_instantiateConcreteTypeFromMangledName" suffix) __attribute__((weak));
LOOKUP(lookup, "") LOOKUP(lookup_v2, "V2") LOOKUP(abstract_lookup, "Abstract")
LOOKUP(abstract_lookup_v2, "AbstractV2")

static bool is_lookup(uintptr_t pc) {
    enum { LENGTH = 256 };
    return pc - (uintptr_t)lookup < LENGTH || pc - (uintptr_t)lookup_v2 < LENGTH
        || pc - (uintptr_t)abstract_lookup < LENGTH || pc - (uintptr_t)abstract_lookup_v2 < LENGTH;
}

static inline actor *searched_at(uintptr_t pc) { return is_exempt(pc) ? NULL : rxraces_searched(); }

// The memory may be freed while the step waits for its turn, so it is checked after the step's scheduling point.
#define POINT(access, width, does, does_write, idles) \
    (rxraces_point(self, (operation){ \
        .kind = does, .address = (uintptr_t)a, .size = width, .writes = does_write, .is_idle = idles, .pc = pc}), \
        rxraces_check_freed(self, (uintptr_t)a, pc))
#define MODIFY(T, bits, name, changed) \
    T __tsan_atomic##bits##_##name(volatile T *a, T operand, int order) { \
        uintptr_t pc = RXRACES_PC; \
        actor *self = searched_at(pc); \
        if (self != NULL) { \
            T old = *a; \
            POINT(a, sizeof(T), rxraces_exchange, true, old == (T)(changed)); \
        } \
        T old = *a; \
        *a = (T)(changed); \
        if (self != NULL) rxraces_synchronise(self, (uintptr_t)a, order, true, true); \
        return old; \
    }
#define COMPARE_EXCHANGE(T, bits, strength) \
    int __tsan_atomic##bits##_compare_exchange_##strength( \
        volatile T *a, T *expected, T value, int order, int failed) { \
        T old = compare_exchange##bits(a, *expected, value, order, failed, RXRACES_PC); \
        int is_done = old == *expected; \
        *expected = old; \
        return is_done; \
    }
#define ATOMIC(T, bits) \
    T __tsan_atomic##bits##_load(const volatile T *a, int order) { \
        uintptr_t pc = RXRACES_PC; \
        actor *self = searched_at(pc); \
        if (self != NULL && !is_lookup(pc)) { \
            POINT(a, sizeof(T), rxraces_load, false, true); \
            rxraces_synchronise(self, (uintptr_t)a, order, true, false); \
            /* The actor sees its own delayed store. */ \
            if (self->late.is_full && self->late.done.address == (uintptr_t)a) return (T)self->late.value; \
        } \
        return *a; \
    } \
    void __tsan_atomic##bits##_store(volatile T *a, T value, int order) { \
        uintptr_t pc = RXRACES_PC; \
        actor *self = searched_at(pc); \
        if (self != NULL) { \
            rxraces_point(self, (operation){ \
                .kind = rxraces_store, .address = (uintptr_t)a, .size = sizeof(T), .writes = true, .pc = pc, \
                .may_be_late = order < 5 && sizeof(T) <= 8}); \
            rxraces_check_freed(self, (uintptr_t)a, pc); \
            if (self->is_delayed) { \
                rxraces_keep_store(self, (uint64_t)value, order); \
                return; \
            } \
        } \
        *a = value; \
        if (self != NULL) rxraces_synchronise(self, (uintptr_t)a, order, false, true); \
    } \
    MODIFY(T, bits, exchange, operand) \
    MODIFY(T, bits, fetch_add, old + operand) \
    MODIFY(T, bits, fetch_sub, old - operand) \
    MODIFY(T, bits, fetch_and, old & operand) \
    MODIFY(T, bits, fetch_or, old | operand) \
    MODIFY(T, bits, fetch_xor, old ^ operand) \
    MODIFY(T, bits, fetch_nand, ~(old & operand)) \
    static T compare_exchange##bits(volatile T *a, T expected, T value, int order, int failed, uintptr_t pc) { \
        actor *self = searched_at(pc); \
        if (self != NULL) { \
            rxraces_point(self, (operation){ \
                .kind = rxraces_compare, .address = (uintptr_t)a, .size = sizeof(T), .writes = true, .pc = pc, \
                .is_idle = *a != expected, .value = (uint64_t)expected, \
                .guard = rxraces_is_lock_site(pc) ? ONLY_EQUAL : ANY, \
                .thing = rxraces_is_lock_site(pc) ? "Mutex" : NULL}); \
            rxraces_check_freed(self, (uintptr_t)a, pc); \
        } \
        T old = *a; \
        if (old == expected) *a = value; \
        if (self == NULL) return old; \
        if (old != expected) self->failed_pc = pc, self->failed_address = (uintptr_t)a; \
        rxraces_synchronise(self, (uintptr_t)a, old == expected ? order : failed, true, old == expected); \
        return old; \
    } \
    T __tsan_atomic##bits##_compare_exchange_val( \
        volatile T *a, T expected, T value, int order, int failed) { \
        return compare_exchange##bits(a, expected, value, order, failed, RXRACES_PC); \
    } \
    COMPARE_EXCHANGE(T, bits, strong) \
    COMPARE_EXCHANGE(T, bits, weak)
ATOMIC(uint8_t, 8) ATOMIC(uint16_t, 16) ATOMIC(uint32_t, 32) ATOMIC(uint64_t, 64) ATOMIC(unsigned __int128, 128)
#pragma clang attribute pop
#endif
