#pragma once
#include "CObjectGraph.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// `mallctlbymib` of the allocator that this process runs on.
typedef int (*rxtrace_allocator_query)(
    const size_t *_Nonnull mib, size_t length, void *_Nullable old_value, size_t *_Nullable old_size,
    void *_Nullable new_value, size_t new_size);

/// A piece of memory that the allocator divides into `regions` equal blocks; 1 if the piece is a single block.
typedef struct rxtrace_extent {
    uintptr_t start;
    size_t size;
    size_t regions;
} rxtrace_extent;

/// Whether the allocator can be queried about the gibibyte that contains `address`. A query about a gibibyte that the
/// allocator never used reads through a null pointer, which would end the process. This function catches that fault on
/// a separate thread, and replaces the process's handler of `SIGSEGV` until that thread has ended.
bool rxtrace_heap_is_known(rxtrace_allocator_query _Nonnull query, const size_t *_Nonnull mib, uintptr_t address);

/// Finds the extent at a page-aligned address of a known gibibyte. Returns false if no extent is there. `address` must
/// be the first page of the extent: it becomes `start`, while `size` and `regions` always describe the whole extent.
bool rxtrace_heap_extent_at(rxtrace_allocator_query _Nonnull query, const size_t *_Nonnull mib, uintptr_t address,
    rxtrace_extent *_Nonnull extent);

/// A loaded part of the program or of one of its libraries.
typedef struct rxtrace_segment {
    uintptr_t start;
    uintptr_t end;
    bool is_writable;
    bool is_executable;
    /// Empty for the program itself.
    const char *_Nonnull path;
} rxtrace_segment;

/// Writes at most `capacity` of the loaded segments, and returns the number of all.
size_t rxtrace_segments(rxtrace_segment *_Nonnull segments, size_t capacity);

/// Returns the type with a mangled name, or NULL. `context` is the declaration whose generic parameters the name uses,
/// and `arguments` has their types.
const void *_Nullable rxtrace_type_by_mangled_name(
    const char *_Nonnull name, size_t length, const void *_Nullable context, const void *_Nullable arguments);

/// The same with the generic parameters that a generic environment describes.
const void *_Nullable rxtrace_type_by_mangled_name_in_environment(
    const char *_Nonnull name, size_t length, const void *_Nonnull environment, const void *_Nullable arguments);

/// A symbol's name as the user would write it; NULL if the name is not mangled. The caller frees the result.
char *_Nullable rxtrace_demangle(const char *_Nonnull name);

// The heap, read into a graph. This code handles each block, word and reference. Swift code interprets the descriptions
// of types, once for each type, and passes them here as layouts and shapes.

/// The kind of the content at one place of a value.
typedef enum rxtrace_part_kind {
    /// A counted reference to an object, in one word whose spare bits may have other uses.
    rxtrace_part_strong,
    /// A counted reference to an object that belongs to another object, its owner. The owner empties it when the owner
    /// is deallocated, so the reference keeps nothing alive.
    rxtrace_part_lent,
    /// A weak reference.
    rxtrace_part_weak,
    /// A string's object, or its characters.
    rxtrace_part_string,
    /// A function's address and its context.
    rxtrace_part_function,
    /// A value of any type in three words or in a box, and its type.
    rxtrace_part_existential,
    /// An enumeration whose case determines its payload; `argument` is the layout of the enumeration.
    rxtrace_part_enumeration,
    /// A pointer to memory that is not counted.
    rxtrace_part_pointer,
    /// A pointer to a task, which is not counted.
    rxtrace_part_continuation,
    /// `argument` bytes in which every word that refers to an object is a counted reference.
    rxtrace_part_owned,
    /// `argument` bytes whose references are not known by type.
    rxtrace_part_unknown,
} rxtrace_part_kind;

typedef struct rxtrace_part {
    rxtrace_part_kind kind;
    int32_t argument;
    size_t offset;
    /// The number of the field's name; -1 for the value itself.
    int32_t label;
} rxtrace_part;

/// Where a value of one type holds references.
typedef struct rxtrace_layout {
    const rxtrace_part *_Nullable parts;
    /// For an enumeration: the layout of each case with a payload.
    const int32_t *_Nullable cases;
    int32_t part_count, case_count;
    size_t size, stride;
    /// For an enumeration: its type.
    uintptr_t metadata;
} rxtrace_layout;

typedef enum rxtrace_shape_kind {
    /// `layout` from the object's address on.
    rxtrace_shape_fields,
    /// The count at byte 16, elements of `layout` from byte `start` on.
    rxtrace_shape_array,
    /// A hash table: its bitmap of used buckets begins at byte `start`. Keys have the layout `layout` and values the
    /// layout `values`. Either is -1 if there are no references in them; `values` is -1 for a set.
    rxtrace_shape_table,
    /// A subject's observers: a count, then a reference and a number for each.
    rxtrace_shape_observers,
    /// `layout`, then elements from byte `start` on that the type does not describe.
    rxtrace_shape_buffer,
    /// A box of an error: its type is in the object.
    rxtrace_shape_error,
    /// Nothing is known from byte `start` on: every word may be a reference.
    rxtrace_shape_unknown,
} rxtrace_shape_kind;

/// How the memory of an object of one type is read.
typedef struct rxtrace_shape {
    rxtrace_shape_kind kind;
    int32_t layout, values;
    int32_t key_label, value_label;
    /// Whether all objects of the type have this shape. The reader then requests it only once.
    bool is_shared;
    size_t start;
} rxtrace_shape;

/// Describes types. It is called while the heap is read. It may allocate, but it may release only objects that it has
/// created itself.
typedef struct rxtrace_type_source {
    void *_Nonnull context;
    rxtrace_shape (*_Nonnull shape)(void *_Nonnull context, uintptr_t metadata, uintptr_t object);
    /// The number of the layout of values of a type. Answers are kept while the heap is open.
    int32_t (*_Nonnull number)(void *_Nonnull context, uintptr_t type);
    /// The number of the same layout within a property: its labels begin with that property's label.
    int32_t (*_Nonnull number_within)(void *_Nonnull context, uintptr_t type, int32_t label);
    /// The layout with that number. Its parts and cases stay in memory until `context` is deallocated.
    rxtrace_layout (*_Nonnull layout)(void *_Nonnull context, int32_t number);
} rxtrace_type_source;

typedef enum rxtrace_root_place {
    rxtrace_root_global,
    rxtrace_root_stack,
    /// The node itself: a task keeps itself until it has ended.
    rxtrace_root_task,
} rxtrace_root_place;

/// A location outside the heap that may hold an object.
typedef struct rxtrace_root {
    /// The address at which the reference is stored.
    uintptr_t address;
    int32_t node;
    rxtrace_root_place place;
} rxtrace_root;

typedef struct rxtrace_heap rxtrace_heap;

/// Returns an empty heap reader, which the caller must close. Its data is stored outside the heap that it reads, so
/// that reading does not change the heap.
rxtrace_heap *_Nonnull rxtrace_heap_open(void);
void rxtrace_heap_close(rxtrace_heap *_Nonnull heap);

/// Begins a reading with the segments that are currently loaded.
void rxtrace_heap_begin(rxtrace_heap *_Nonnull heap);
/// Discards the results of the reading, and keeps the descriptions of types.
void rxtrace_heap_forget(rxtrace_heap *_Nonnull heap);

/// Finds the allocator's extents in a range of known gibibytes and adds them. Returns the end of the last one, or `to`.
uintptr_t rxtrace_heap_add_extents(rxtrace_heap *_Nonnull heap, rxtrace_allocator_query _Nonnull query,
    const size_t *_Nonnull mib, uintptr_t from, uintptr_t to);

/// Creates a node for every live object, except for objects in large blocks. A large block can begin anywhere in its
/// first page, and only references show where. O(b) for b blocks.
void rxtrace_heap_find_objects(rxtrace_heap *_Nonnull heap);
/// Creates a node for every possible object at the beginning of a large block: for every address in the block's first
/// page at which the words look like an object. Some are words of earlier objects. Only references show at which of
/// these addresses the block begins. O(l) for l large blocks.
void rxtrace_heap_find_large_objects(rxtrace_heap *_Nonnull heap);
/// Creates a root for every word between two addresses that points to the beginning of a block. `are_pointers` states
/// that every word that looks like a pointer is one: such a word shows where a large block begins even if the block is
/// not an object.
void rxtrace_heap_find_roots(rxtrace_heap *_Nonnull heap, uintptr_t from, uintptr_t to, rxtrace_root_place place,
    bool are_pointers);
/// Does the same for the stack of another thread, which may end at any moment. The stack is copied by the system, and
/// what is no longer mapped, or may not be copied, has no roots.
void rxtrace_heap_find_roots_on_stack(rxtrace_heap *_Nonnull heap, uintptr_t from, uintptr_t to);
/// Creates a root for every task except the current one.
void rxtrace_heap_find_tasks(rxtrace_heap *_Nonnull heap);
/// Records the references of every node, and marks the words that cannot be references. Creates nodes for blocks that
/// are not objects when a pointer to them is found. O(n) for n words.
void rxtrace_heap_find_references(rxtrace_heap *_Nonnull heap, const rxtrace_type_source *_Nonnull types);
/// The number of results that type sources have computed so far. Computing a result changes the heap while it is read.
size_t rxtrace_heap_answers(const rxtrace_heap *_Nonnull heap);

const rxtrace_graph *_Nonnull rxtrace_heap_graph(const rxtrace_heap *_Nonnull heap);
const rxtrace_root *_Nullable rxtrace_heap_roots(const rxtrace_heap *_Nonnull heap, size_t *_Nonnull count);
/// The node of the block that begins at an address, which is an object in general; -1 if it has no node.
int32_t rxtrace_heap_object_at(const rxtrace_heap *_Nonnull heap, uintptr_t address);
/// Writes the addresses of at most `limit` blocks that begin with a word, and returns their number. No reference needs
/// to lead to such a block, and some of the blocks may have been freed. O(b) for b blocks.
size_t rxtrace_heap_blocks_beginning_with(
    const rxtrace_heap *_Nonnull heap, uintptr_t word, uintptr_t *_Nonnull addresses, size_t limit);

/// The segments of the program and its libraries, as they were loaded when the reading began.
const rxtrace_segment *_Nullable rxtrace_heap_segments(const rxtrace_heap *_Nonnull heap, size_t *_Nonnull count);
/// The loaded segment that contains an address, or NULL.
const rxtrace_segment *_Nullable rxtrace_heap_segment_at(const rxtrace_heap *_Nonnull heap, uintptr_t address);
/// Whether `size` bytes at an address can be read, because they are in a loaded image or in one extent of the
/// allocator.
bool rxtrace_heap_is_readable(const rxtrace_heap *_Nonnull heap, uintptr_t address, size_t size);

/// Returns an address in a form that no reference has, and the address for such a form.
///
/// A list of addresses leaves its words in memory after it was freed. A type that precedes a small number looks like an
/// object there, and the words after it look like references.
static inline uintptr_t rxtrace_disguised(uintptr_t address) { return address ^ 0x5555555555555555; }

/// A collection of the standard library: the object that stores its elements.
typedef struct rxtrace_collection {
    /// Both are stored as `rxtrace_disguised` returns them.
    uintptr_t disguised_address, disguised_type;
    /// The number of elements; -1 if the collection is no longer at this address.
    int64_t count;
    /// The number of elements that it has room for. It never changes while the collection exists. 0 before the first
    /// reading.
    int64_t capacity;
    /// Whether it is an array, which stores its capacity in another form than sets and dictionaries.
    bool is_array;
    /// Zeros. Padding would keep earlier content of the memory, such as a part of an address.
    uint8_t unused[7];
} rxtrace_collection;

/// Reads the current counts of collections. Some of them may have been freed: the kernel reads the memory, so that no
/// fault occurs. O(n).
///
/// @return Whether the system lets this process read its own memory this way.
bool rxtrace_collections_read(rxtrace_collection *_Nonnull collections, size_t count);

/// Whether the metadata of a type that objects have is at an address.
bool rxtrace_heap_is_object_type(rxtrace_heap *_Nonnull heap, uintptr_t address);
/// Whether the metadata of a type that values have is at an address.
bool rxtrace_heap_is_type(rxtrace_heap *_Nonnull heap, uintptr_t address);
