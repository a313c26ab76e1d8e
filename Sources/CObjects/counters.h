// The counters behind CObjects: one block a thread, which only that thread writes.
#pragma once
#include "CObjects.h"

enum { objects_most_types = 16384 };

typedef struct objects_block {
    objects_counts counts;
    // The bytes that this thread has allocated less those it has freed, since counting began.
    int64_t heap_bytes;
    struct objects_block *next;
    struct objects_block *next_free;
    // By the type's number; number 0 is for types that are not followed.
    int64_t live[objects_most_types];
} objects_block;

// The model for the program itself and the libraries that it was linked with: the variable is found next to the
// thread's pointer, without a call for each retain and release.
#if defined(__ELF__)
#define OBJECTS_OF_THREAD _Thread_local __attribute__((tls_model("initial-exec")))
#else
#define OBJECTS_OF_THREAD _Thread_local
#endif
// Also in builds without optimisation, because a process that links this pays for it at each retain and release.
#define OBJECTS_INLINE static inline __attribute__((always_inline))

extern OBJECTS_OF_THREAD objects_block *objects_thread_block;

/// Gives the current thread a block: a used one, if one is free. NULL if there is no memory: then nothing is counted.
objects_block *objects_block_adopt(void);

/// The first of all blocks.
objects_block *objects_blocks(void);

// A type's metadata and its number in one word, so that one compare-and-swap enters both: 47 bits of address above 16
// bits of number.
enum { objects_slots = 4 * objects_most_types };
extern uint64_t objects_table[objects_slots];

OBJECTS_INLINE size_t objects_slot(uint64_t address) {
    // The golden ratio's fraction in 64 bits (D. E. Knuth, The Art of Computer Programming, vol. 3, 6.4); 16 bits for
    // 65,536 slots.
    return (size_t)((address >> 3) * 0x9E3779B97F4A7C15u >> 48);
}

/// As `objects_type_number`, where the type is not in its first slot.
size_t objects_type_number_elsewhere(const void *metadata);

/// The number of a type, from its metadata; 0 if the type is not followed.
OBJECTS_INLINE size_t objects_type_number(const void *metadata) {
    uint64_t address = (uint64_t)(uintptr_t)metadata;
    uint64_t word = __atomic_load_n(&objects_table[objects_slot(address)], __ATOMIC_RELAXED);
    return __builtin_expect(word >> 16 == address, 1) ? word & 0xFFFF : objects_type_number_elsewhere(metadata);
}

/// The metadata of a type's number; NULL for unused numbers.
const void *objects_type_metadata(size_t number);

OBJECTS_INLINE objects_block *objects_current(void) {
    objects_block *block = objects_thread_block;
    return __builtin_expect(block != NULL, 1) ? block : objects_block_adopt();
}

// A load and a store, each atomic, instead of a locked addition: there is no other writer, and a reader sees the old
// value or the new one.
#define OBJECTS_ADD(place, change) \
    __atomic_store_n(&(place), __atomic_load_n(&(place), __ATOMIC_RELAXED) + (change), __ATOMIC_RELAXED)
