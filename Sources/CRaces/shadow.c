#include "races.h"
#include "CRaces.h"

// Detects data races by the memory model's happens-before relation, which follows from the memory orders of the
// program's operations and not from the schedule of this execution. Also tracks freed memory, which is kept until the
// execution ends, so that an access to it is detected.
#ifdef RXRACES_INSTRUMENTED
#include <malloc.h>
#include <string.h>

enum { SLOTS = 1 << 18, MOST = SLOTS / 4 * 3, HEAP_CELLS = 1 << 16, KEPT = 5, STACKS = 1 << 15 };

// An access of one actor to some bytes of a cell. `pc` is relative to the program's first byte.
typedef struct {
    uint32_t clock, stack, pc;
    uint8_t actor, bytes;
    bool writes;
} access_record;

// Eight bytes of memory. A freed cell has one record, of the free. The place of a free may be in a library, so its
// address takes the record's `clock` field too.
typedef struct {
    uintptr_t cell;
    uint32_t generation;
    uint8_t count;
    bool is_freed, is_primitive;
    access_record records[KEPT];
} shadow_cell;

// The cells of the execution's heap, by position, and other cells, by hash.
static shadow_cell heap_cells[HEAP_CELLS], cells[SLOTS];
static struct { uintptr_t address; uint32_t generation; uint32_t order[ACTORS]; } orders[SLOTS];
static struct { uint32_t count; uintptr_t frames[rxraces_frames]; } stacks[STACKS];
static uint32_t stack_count;
struct rxraces_freed_state rxraces_freed;

// The first byte of the program. All code with instrumented accesses belongs to the program.
extern char program[] __asm__("__executable_start");

// Returns the entry of a cell. The entry is from an earlier execution if this one has no record of the cell.
static shadow_cell *place_of(uintptr_t cell) {
    uintptr_t index = cell - (rxraces_heap.begin >> 3);
    if (index < HEAP_CELLS) return &heap_cells[index];
    uint32_t slot = rxraces_hash(cell) & (SLOTS - 1);
    while (cells[slot].generation == rxraces.generation && cells[slot].cell != cell) slot = (slot + 1) & (SLOTS - 1);
    return &cells[slot];
}

// The number of table entries that this execution has used.
static struct { uint32_t generation; int cells, orders; } taken;

static void take_place(actor *self, int *count, uintptr_t pc) {
    if (++*count > MOST) rxraces_refuse(self, "more memory than a search can follow, 1.5 megabytes", pc);
}

static shadow_cell *cell_at(uintptr_t cell) {
    shadow_cell *found = place_of(cell);
    if (found->generation != rxraces.generation) {
        if (taken.generation != rxraces.generation) taken.cells = taken.orders = 0;
        taken.generation = rxraces.generation;
        actor *self = rxraces_self;
        if (found >= cells && found < cells + SLOTS && rxraces.phase == RUN) take_place(self, &taken.cells, 0);
        found->cell = cell;
        found->generation = rxraces.generation;
        found->count = 0;
        found->is_freed = found->is_primitive = false;
    }
    return found;
}

void rxraces_forget_stacks(void) { stack_count = 1; }

// Whether the address directly follows a call instruction in the program.
static bool is_call(uintptr_t pc) {
    if (!rxraces_is_searched_code(pc) || !rxraces_is_searched_code(pc - 7)) return false;
    const uint8_t *code = (const uint8_t *)pc;
    if (code[-5] == 0xE8) return true;
    // An indirect call, through a register or memory.
    enum { CALL = 2 };
    for (int length = 2; length <= 7; length++)
        if (code[-length] == 0xFF && (code[1 - length] >> 3 & 7) == CALL) return true;
    return false;
}

// Finds the innermost call in the program by frame pointers, because library functions do not report their entry.
// Functions of Dispatch may have no frame pointer, so their return address is somewhere before the next frame.
uintptr_t rxraces_call_in_program(const actor *self) {
    enum { FRAMES = 64, SAVED_FRAME = 5, WORDS = 64 };
    const uintptr_t *frame = self == rxraces_self ? __builtin_frame_address(0) : ((void **)self->sp)[SAVED_FRAME];
    for (int i = 0; i < FRAMES; i++) {
        // An asynchronous function marks its frame in the upper bits.
        uintptr_t at = (uintptr_t)frame & ~(0xFull << 60);
        if (at < self->stack_low || at >= self->stack_high - 16 || (at & 7)) return 0;
        frame = (const uintptr_t *)at;
        if (rxraces_is_searched_code(frame[1])) return frame[1];
        uintptr_t next = frame[0];
        for (int word = 2; word < WORDS && (uintptr_t)(frame + word) < self->stack_high; word++) {
            if ((uintptr_t)(frame + word) == next) break;
            if (is_call(frame[word])) return frame[word];
        }
        if (next <= at) return 0;
        frame = (const uintptr_t *)next;
    }
    return 0;
}

uint32_t rxraces_record_stack(const actor *self, uintptr_t pc) {
    if (!rxraces.plan.records_stacks || stack_count >= STACKS) return 0;
    uint32_t stack = stack_count++, written = 0;
    stacks[stack].frames[written++] = pc;
    uintptr_t call = rxraces_is_searched_code(pc) ? 0 : rxraces_call_in_program(self);
    if (call != 0) stacks[stack].frames[written++] = call;
    for (int i = self->depth - 1; i >= 0 && i > self->depth - CALLS && written < rxraces_frames; i--)
        stacks[stack].frames[written++] = self->calls[i & (CALLS - 1)];
    stacks[stack].count = written;
    return stack;
}

uint32_t rxraces_stack(uint32_t stack, uintptr_t *addresses, uint32_t limit) {
    if (stack == 0 || stack >= stack_count) return 0;
    uint32_t count = stacks[stack].count < limit ? stacks[stack].count : limit;
    memcpy(addresses, stacks[stack].frames, count * sizeof *addresses);
    return count;
}

static void fail_by_touch(const actor *self, const shadow_cell *cell, rxraces_failure_kind kind, uintptr_t pc) {
    const access_record *end = &cell->records[0];
    rxraces_fail((rxraces_failure){
        .kind = kind, .address = cell->cell << 3, .actor = self->index, .other = end->actor, .pc = pc,
        .other_pc = (uintptr_t)end->clock << 32 | end->pc, .stack = rxraces_record_stack(self, pc),
        .other_stack = end->stack});
}

static void fail_by_race(const actor *self, const access_record *other, uintptr_t address, bool writes, uintptr_t pc) {
    if (rxraces.failure.kind != rxraces_no_failure) return;
    rxraces_fail((rxraces_failure){
        .kind = rxraces_data_race, .address = address, .actor = self->index, .other = other->actor, .writes = writes,
        .other_writes = other->writes, .pc = pc, .other_pc = (uintptr_t)program + other->pc,
        .stack = rxraces_record_stack(self, pc), .other_stack = other->stack});
}

// Compares an access to some bytes of a cell with the earlier accesses, and stores it over an earlier access that it
// covers.
static void access_cell(actor *self, shadow_cell *cell, uint8_t bytes, bool writes, uintptr_t pc) {
    access_record *place = NULL;
    uint32_t clock = self->order[self->index] + 1;
    for (int i = 0; i < cell->count; i++) {
        access_record *other = &cell->records[i];
        if (other->actor == self->index) {
            if (other->writes == writes && (other->bytes & ~bytes) == 0) place = other;
            // That access was compared with all accesses before it, and later accesses of other actors were compared
            // with it.
            if (place == other && other->bytes == bytes && other->clock == clock) return;
            continue;
        }
        if (!(other->bytes & bytes)) continue;
        bool conflicts = writes || other->writes;
        if (conflicts && other->clock > self->order[other->actor]) rxraces_take_resumption(self);
        bool is_ordered = other->clock <= self->order[other->actor];
        if (is_ordered && writes && (other->bytes & ~bytes) == 0) place = other;
        if (!is_ordered && conflicts)
            fail_by_race(self, other, cell->cell << 3 | (uint32_t)__builtin_ctz(other->bytes & bytes), writes, pc);
    }
    if (place == NULL) place = &cell->records[cell->count < KEPT ? cell->count++ : self->index % KEPT];
    *place = (access_record){
        .clock = clock, .actor = (uint8_t)self->index, .bytes = bytes, .writes = writes,
        .pc = (uint32_t)(pc - (uintptr_t)program),
        .stack = rxraces.plan.records_stacks ? rxraces_record_stack(self, pc) : 0};
}

static inline void access_within(actor *self, uintptr_t address, size_t size, bool writes, uintptr_t pc) {
    shadow_cell *cell = cell_at(address >> 3);
    if (cell->is_freed) {
        fail_by_touch(self, cell, rxraces_use_after_free, pc);
        rxraces_abandon(self);
    }
    uint8_t bytes = (uint8_t)(((1u << size) - 1) << (address & 7));
    if (rxraces.plan.detects_races && !cell->is_primitive) access_cell(self, cell, bytes, writes, pc);
}

// All stacks of actors are between these addresses.
static uintptr_t stacks_low = UINTPTR_MAX, stacks_high;

void rxraces_note_stack(const actor *self) {
    if (self->stack_low < stacks_low) stacks_low = self->stack_low;
    if (self->stack_high > stacks_high) stacks_high = self->stack_high;
}

// Detects an access to another actor's stack below its stack pointer or after its end. The function that owned this
// memory has returned.
static void check_stack(actor *self, uintptr_t address, bool writes, uintptr_t pc) {
    enum { RED_ZONE = 128 };
    for (int i = 0; i < rxraces.count; i++) {
        const actor *owner = &rxraces.actors[i];
        if (owner == self || address < owner->stack_low || address >= owner->stack_high) continue;
        if (owner->is_live && address >= (uintptr_t)owner->sp - RED_ZONE) return;
        rxraces_fail((rxraces_failure){
            .kind = rxraces_use_after_return, .address = address, .actor = self->index, .other = owner->index,
            .writes = writes, .pc = pc, .stack = rxraces_record_stack(self, pc)});
        rxraces_abandon(self);
    }
}

void rxraces_access(actor *self, uintptr_t address, size_t size, bool writes, uintptr_t pc) {
    if (address - stacks_low < stacks_high - stacks_low) check_stack(self, address, writes, pc);
    while (size > 0) {
        size_t first = 8 - (address & 7);
        if (first > size) first = size;
        access_within(self, address, first, writes, pc);
        address += first;
        size -= first;
    }
}

// Returns the clock that was released at an address.
static uint32_t *orders_at(actor *self, uintptr_t address) {
    uint32_t slot = rxraces_hash(address) & (SLOTS - 1);
    while (orders[slot].generation == rxraces.generation && orders[slot].address != address)
        slot = (slot + 1) & (SLOTS - 1);
    if (orders[slot].generation != rxraces.generation) {
        if (taken.generation != rxraces.generation) taken.cells = taken.orders = 0;
        taken.generation = rxraces.generation;
        if (rxraces.phase == RUN) take_place(self, &taken.orders, 0);
        orders[slot].address = address;
        orders[slot].generation = rxraces.generation;
        memset(orders[slot].order, 0, sizeof orders[slot].order);
    }
    return orders[slot].order;
}

void rxraces_keep_order(actor *self, uint32_t *kept, int order) {
    enum { RELEASE = 3 };
    static const uint32_t none[ACTORS];
    if (order >= RELEASE) self->order[self->index]++;
    const uint32_t *released = order >= RELEASE ? self->order : self->has_fence ? self->fenced : none;
    memcpy(kept, released, sizeof none);
}

void rxraces_release_order(uintptr_t address, const uint32_t *kept) {
    memcpy(orders_at(rxraces_self, address), kept, sizeof rxraces_self->order);
}

// `order` is a memory order by its C11 number: 0 relaxed, 1 consume, 2 acquire, 3 release, 4 acquire and release, 5
// sequentially consistent.
void rxraces_synchronise(actor *self, uintptr_t address, int order, bool reads, bool writes) {
    uint32_t *released = orders_at(self, address);
    bool acquires = order == 1 || order == 2 || order >= 4;
    if (reads) rxraces_join(acquires ? self->order : self->loaded, released);
    if (writes && order < 3 && self->has_fence) {
        // An earlier fence releases instead of this operation.
        if (reads) rxraces_join(released, self->fenced);
        else memcpy(released, self->fenced, sizeof self->fenced);
    } else if (writes && order >= 3) {
        self->order[self->index]++;
        if (reads) rxraces_join(released, self->order);
        else memcpy(released, self->order, sizeof self->order);
    } else if (writes && !reads) {
        // A relaxed store ends the release sequence.
        memset(released, 0, sizeof self->order);
    }
}

void rxraces_fence(actor *self, int order) {
    if (order == 1 || order == 2 || order >= 4) rxraces_join(self->order, self->loaded);
    if (order < 3) return;
    self->order[self->index]++;
    memcpy(self->fenced, self->order, sizeof self->fenced);
    self->has_fence = true;
}

void rxraces_set_primitive(uintptr_t address) {
    shadow_cell *cell = cell_at(address >> 3);
    if (cell->is_freed || cell->is_primitive) return;
    cell->is_primitive = true;
    cell->count = 0;
}

// The number of bytes that are marked. The first bytes of a larger block represent the whole block: an array begins
// with its header.
enum { MARKED = 1 << 16 };

enum { CONTESTED = 1 << 8 };
static uintptr_t contested[CONTESTED];
int rxraces_contested_count;
// The contested accesses that this execution has found. They are steps from the next execution on, so that they are
// steps in the whole schedule.
static uintptr_t found_contested[16];
static int found_count;

bool rxraces_is_contested(uintptr_t pc) {
    for (uint32_t i = rxraces_hash(pc) & (CONTESTED - 1); contested[i] != 0; i = (i + 1) & (CONTESTED - 1))
        if (contested[i] == pc) return true;
    return false;
}

static void learn_contested(uintptr_t pc) {
    if (found_count == 16 || rxraces_contested_count >= CONTESTED / 2 || rxraces_is_contested(pc)) return;
    found_contested[found_count++] = pc;
    rxraces.has_learnt = true;
}

void rxraces_add_contested(void) {
    while (found_count > 0) {
        uintptr_t pc = found_contested[--found_count];
        if (rxraces_is_contested(pc)) continue;
        uint32_t i = rxraces_hash(pc) & (CONTESTED - 1);
        while (contested[i] != 0) i = (i + 1) & (CONTESTED - 1);
        contested[i] = pc;
        rxraces_contested_count++;
    }
}

bool rxraces_has_new_steps(void) { return found_count > 0; }

void rxraces_forget_contested(void) {
    memset(contested, 0, sizeof contested);
    rxraces_contested_count = found_count = 0;
}

// The other actors had references to the object and have released them. The runtime may have released them on the
// actors' behalf, without an observed release.
void rxraces_order_before_end(actor *self, void *object) {
    uintptr_t end = (uintptr_t)object + malloc_usable_size(object);
    for (uintptr_t at = (uintptr_t)object; at < end && at < (uintptr_t)object + MARKED; at += 8) {
        const shadow_cell *cell = place_of(at >> 3);
        if (cell->generation != rxraces.generation) continue;
        for (int i = 0; i < cell->count; i++) {
            const access_record *other = &cell->records[i];
            if (other->actor == self->index || other->clock <= self->order[other->actor]) continue;
            learn_contested((uintptr_t)program + other->pc);
            self->order[other->actor] = other->clock;
        }
    }
}

// An access that another schedule could place after the free is a use after free in that schedule.
static void check_free(actor *self, const shadow_cell *cell, uintptr_t pc) {
    for (int i = 0; i < cell->count; i++) {
        const access_record *other = &cell->records[i];
        if (other->actor == self->index || other->clock <= self->order[other->actor]) continue;
        rxraces_take_resumption(self);
        if (other->clock <= self->order[other->actor]) continue;
        rxraces_fail((rxraces_failure){
            .kind = rxraces_racing_free, .address = cell->cell << 3, .actor = self->index, .other = other->actor,
            .writes = true, .other_writes = other->writes, .pc = pc, .other_pc = (uintptr_t)program + other->pc,
            .stack = rxraces_record_stack(self, pc), .other_stack = other->stack});
    }
}

void rxraces_mark_freed(actor *self, uintptr_t address, size_t size, bool is_ordered, uintptr_t pc) {
    bool is_checked = rxraces.plan.detects_races && !is_ordered && rxraces.failure.kind == rxraces_no_failure;
    uint32_t stack = rxraces_record_stack(self, pc);
    struct rxraces_freed_state *freed = &rxraces_freed;
    if (freed->generation != rxraces.generation || address < freed->low) freed->low = address;
    if (freed->generation != rxraces.generation || address + size > freed->high) freed->high = address + size;
    freed->generation = rxraces.generation;
    for (uintptr_t at = address; at < address + size && at < address + MARKED; at += 8) {
        shadow_cell *cell = cell_at(at >> 3);
        if (at == address && cell->is_freed) {
            fail_by_touch(self, cell, rxraces_double_free, pc);
            rxraces_abandon(self);
        }
        if (is_checked) check_free(self, cell, pc);
        cell->is_freed = true;
        cell->count = 0;
        cell->records[0] = (access_record){
            .clock = (uint32_t)(pc >> 32), .pc = (uint32_t)pc, .stack = stack, .actor = (uint8_t)self->index};
    }
}

void rxraces_look_for_freed(actor *self, uintptr_t address, uintptr_t pc) {
    const shadow_cell *cell = place_of(address >> 3);
    if (cell->generation != rxraces.generation || !cell->is_freed) return;
    fail_by_touch(self, cell, rxraces_use_after_free, pc);
    rxraces_abandon(self);
}
#pragma clang attribute pop
#endif

// The reports of ThreadSanitizer's own library about races on real threads, in a program that is compiled with that
// library.
#ifndef __has_feature
#define __has_feature(name) 0
#endif
// Searched C code has ThreadSanitizer's instrumentation without its library.
#if __has_feature(thread_sanitizer) && !defined(RXRACES_INSTRUMENTED)
#define RXRACES_SANITIZED
#endif

rxraces_instrumentation_kind rxraces_instrumentation(void) {
#ifdef RXRACES_SANITIZED
    return rxraces_sanitized;
#elif defined(RXRACES_DEEP)
    return rxraces_deep;
#elif defined(RXRACES_INSTRUMENTED)
    return rxraces_ordinary;
#else
    return rxraces_not_instrumented;
#endif
}

#ifdef RXRACES_SANITIZED
#include <dlfcn.h>
#include <string.h>

// llvm, compiler-rt/lib/tsan/rtl/tsan_debugging.cpp
int __tsan_get_report_data(
    void *report, const char **description, int *count, int *stack_count, int *access_count, int *location_count,
    int *mutex_count, int *thread_count, int *unique_count, void **sleep_trace, uintptr_t trace_size);
int __tsan_get_report_mop(
    void *report, uintptr_t index, int *thread, void **address, int *size, int *writes, int *is_atomic, void **trace,
    uintptr_t trace_size);

#define UNSEEN __attribute__((no_sanitize("thread"), disable_sanitizer_instrumentation))

static rxraces_failure reported;
static void *traces[2][rxraces_frames];

// Called by the library, under its lock, once it has printed a report.
UNSEEN void __tsan_on_report(void *report);
UNSEEN void __tsan_on_report(void *report) {
    const char *description = NULL;
    int unused[6], accesses = 0;
    void *sleep[1];
    __tsan_get_report_data(
        report, &description, &unused[0], &unused[1], &accesses, &unused[2], &unused[3], &unused[4], &unused[5], sleep,
        1);
    // An external race is also a data race. It is a race of overlapping accesses to a variable, which the Swift
    // compiler marks in addition to loads and stores.
    bool is_race = strcmp(description, "data-race") == 0 || strcmp(description, "external-race") == 0;
    if (reported.kind != rxraces_no_failure || accesses < 2 || !is_race) return;
    int size, is_atomic, writes[2];
    void *address;
    // The first access is the access that detected the race.
    for (int i = 0; i < 2; i++) {
        int thread;
        __tsan_get_report_mop(
            report, (uintptr_t)i, &thread, &address, &size, &writes[i], &is_atomic, traces[i], rxraces_frames);
    }
    reported = (rxraces_failure){
        .kind = rxraces_data_race, .address = (uintptr_t)address, .actor = -1, .other = -1, .writes = writes[0],
        .other_writes = writes[1]};
}

UNSEEN rxraces_failure rxraces_reported(void) { return reported; }

UNSEEN uint32_t rxraces_reported_stack(bool is_other, uintptr_t *addresses, uint32_t limit) {
    uint32_t written = 0;
    // Return addresses point after the call instruction.
    while (written < limit && written < rxraces_frames && traces[is_other][written] != NULL) {
        addresses[written] = (uintptr_t)traces[is_other][written] + 1;
        written++;
    }
    return written;
}

// A contended Swift Mutex is locked and unlocked in a library that is not instrumented. Without an order that the
// sanitizer knows, it would report accesses to the values that the lock guards.
void __tsan_acquire(void *address);
void __tsan_release(void *address);

#define MUTEX(name) __asm__("$s15Synchronization12_MutexHandleV" name)
#define MUTEX_ORIGINAL(name) dlsym(RTLD_NEXT, "$s15Synchronization12_MutexHandleV" name)
#define SWIFT __attribute__((swiftcall))
#define WORD __attribute__((swift_context)) uint32_t *word

UNSEEN SWIFT void rxraces_lock_slowly(uint32_t thread, WORD) MUTEX("9_lockSlowyys6UInt32VF");
UNSEEN SWIFT bool rxraces_try_slowly(WORD) MUTEX("12_tryLockSlowSbyF");
UNSEEN SWIFT void rxraces_unlock_slowly(WORD) MUTEX("11_unlockSlowyyF");

UNSEEN SWIFT void rxraces_lock_slowly(uint32_t thread, WORD) {
    SWIFT void (*original)(uint32_t, WORD) = MUTEX_ORIGINAL("9_lockSlowyys6UInt32VF");
    original(thread, word);
    __tsan_acquire(word);
}

UNSEEN SWIFT bool rxraces_try_slowly(WORD) {
    SWIFT bool (*original)(WORD) = MUTEX_ORIGINAL("12_tryLockSlowSbyF");
    bool is_locked = original(word);
    if (is_locked) __tsan_acquire(word);
    return is_locked;
}

UNSEEN SWIFT void rxraces_unlock_slowly(WORD) {
    SWIFT void (*original)(WORD) = MUTEX_ORIGINAL("11_unlockSlowyyF");
    __tsan_release(word);
    original(word);
}
#else
rxraces_failure rxraces_reported(void) { return (rxraces_failure){.kind = rxraces_no_failure}; }
uint32_t rxraces_reported_stack(bool is_other, uintptr_t *addresses, uint32_t limit) {
    return (void)is_other, (void)addresses, (void)limit, 0;
}
#endif
