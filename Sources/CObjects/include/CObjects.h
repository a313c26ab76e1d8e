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
    /// The type's metadata: an `Any.Type` for a class, or metadata private to the compiler for a closure's context.
    const void *_Nonnull metadata;
    /// Negative for a type whose objects are allocated inside the standard library, where the allocation is not seen.
    int64_t live;
} objects_type;

/// NULL if objects are counted in this process; otherwise a message that says why not, and what to do.
const char *_Nullable objects_obstacle(void);

/// The counts of the current thread. O(1).
objects_counts objects_of_this_thread(void);

/// The counts of all threads, including threads that have ended. O(t) for t threads.
objects_counts objects_of_all_threads(void);

/// An upper bound of the number of types that have been seen: the capacity that `objects_live` needs.
size_t objects_type_count(void);

/// Writes the types whose objects have been seen, and returns the number of types. O(t · n) for t threads and n types;
/// allocates nothing.
///
/// Types whose objects are deallocated inside the standard library, such as the storage of arrays, are not tracked,
/// because those deallocations cannot be observed.
size_t objects_live(objects_type *_Nonnull types, size_t capacity);

/// NULL if the heap's bytes can be counted in this process; otherwise a message that says why not, and what to do.
const char *_Nullable objects_heap_obstacle(void);

/// Starts counting the bytes of all threads. Idempotent.
void objects_heap_begin(void);

/// The bytes that the current thread has allocated minus the bytes it has freed. Only differences are meaningful. O(1);
/// allocates nothing.
int64_t objects_heap_of_this_thread(void);

/// The bytes that all threads, including threads that have ended, have allocated minus the bytes freed. O(t) for t
/// threads; allocates nothing.
int64_t objects_heap_of_all_threads(void);

/// Calls `allocated` for each allocated block, with the address of the calling code, and calls `freed` before each
/// block is freed, on any thread. Pass NULL to stop the calls.
void objects_heap_watch(void (*_Nullable allocated)(void *_Nullable block, const void *_Nullable caller),
    void (*_Nullable freed)(void *_Nullable block));
