// Counts calls of the Swift runtime: allocations and deallocations of objects, by type, and retains and releases.
//
// Linking this target interposes swift_allocObject, swift_retain, swift_release … in the whole process. Each
// replacement counts and calls the runtime's function. It also interposes malloc and similar functions, which count
// bytes after the first request. It depends on neither Rx nor the harness, so that both can use it.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// The calls of the runtime since the process, or a thread, began.
typedef struct objects_counts {
    uint64_t allocations;
    uint64_t deallocations;
    uint64_t retains;
    uint64_t releases;
} objects_counts;

/// The live objects of one type.
typedef struct objects_type {
    /// The type's metadata: an `Any.Type` for a class, something that only the compiler knows for a closure's context.
    const void *_Nonnull metadata;
    /// Negative for a type whose objects are allocated inside the standard library, where the allocation is not seen.
    int64_t live;
} objects_type;

/// NULL if objects are counted in this process; else why they are not, and what to do.
const char *_Nullable objects_obstacle(void);

/// The counts of the current thread. O(1).
objects_counts objects_of_this_thread(void);

/// The counts of all threads, those that have ended included. O(t) for t threads.
objects_counts objects_of_all_threads(void);

/// How many types have been seen, at most; the capacity that `objects_live` needs.
size_t objects_type_count(void);

/// Writes the types of which objects have been seen, and returns how many. O(t · n) for t threads and n types;
/// allocates nothing.
///
/// Not followed are types whose objects end inside the standard library, such as arrays' storage: that end is not seen.
size_t objects_live(objects_type *_Nonnull types, size_t capacity);

/// NULL if the heap's bytes can be counted in this process; else why they cannot, and what to do.
const char *_Nullable objects_heap_obstacle(void);

/// Starts counting the bytes of all threads. Idempotent.
void objects_heap_begin(void);

/// The bytes that the current thread has allocated less those it has freed. Only differences mean something. O(1);
/// allocates nothing.
int64_t objects_heap_of_this_thread(void);

/// The same of all threads together, those that have ended included. O(t) for t threads; allocates nothing.
int64_t objects_heap_of_all_threads(void);

/// Calls functions for each block that is allocated, with the address of the code that asked for it, and before each
/// one is freed, on any thread; NULL ends that.
void objects_heap_watch(void (*_Nullable allocated)(void *_Nullable block, const void *_Nullable caller),
    void (*_Nullable freed)(void *_Nullable block));
