#pragma once
#include "CHeap.h"
#include "CObjectGraph.h"

// The heap read into a graph. What is done for each block, word and reference is here; what a type's description says
// is worked out in Swift, once for each type, and told here as layouts and shapes.

/// What lies at one place of a value.
typedef enum rx_part_kind {
    /// A counted reference to an object, in one word whose spare bits may be used otherwise.
    rx_part_strong,
    /// A string's object, or its characters.
    rx_part_string,
    /// A function's address and its context.
    rx_part_function,
    /// A value of any type in three words or in a box, and its type.
    rx_part_existential,
    /// A value whose case says what it carries; `argument` is the layout of the enumeration.
    rx_part_enumeration,
    /// A pointer to memory that is not counted.
    rx_part_pointer,
    /// A pointer to a task, which is not counted.
    rx_part_continuation,
    /// `argument` bytes in which every word that refers to an object is a counted reference.
    rx_part_owned,
    /// `argument` bytes whose references are not known by type.
    rx_part_unknown,
} rx_part_kind;

typedef struct rx_part {
    rx_part_kind kind;
    int32_t argument;
    size_t offset;
    /// The field's name, as a number; -1 for the value itself.
    int32_t label;
} rx_part;

/// Where a value of one type holds references.
typedef struct rx_layout {
    const rx_part *_Nullable parts;
    /// Of an enumeration: the layout of each case that carries something.
    const int32_t *_Nullable cases;
    int32_t part_count, case_count;
    size_t size, stride;
    /// Of an enumeration: its type.
    uintptr_t metadata;
} rx_layout;

typedef enum rx_shape_kind {
    /// `layout` from the object's address on.
    rx_shape_fields,
    /// The count at byte 16, elements of `layout` from byte `start` on.
    rx_shape_array,
    /// A hash table: its bits from byte `start` on; keys of `layout` and values of `values`, -1 for what holds nothing.
    rx_shape_table,
    /// A subject's observers: a count, then a reference and a number for each.
    rx_shape_observers,
    /// `layout`, then elements from byte `start` on that the type does not describe.
    rx_shape_buffer,
    /// A box of an error: its type is in the object.
    rx_shape_error,
    /// Nothing is known from byte `start` on: every word may be a reference.
    rx_shape_unknown,
} rx_shape_kind;

/// How the memory of an object of one type is read.
typedef struct rx_shape {
    rx_shape_kind kind;
    int32_t layout, values;
    int32_t key_label, value_label;
    /// Whether it is that of other objects of the type too.
    bool is_shared;
    size_t start;
} rx_shape;

/// Who knows types. Called while the heap is read: may allocate, but not end any of the heap's objects that it did not
/// make.
typedef struct rx_type_source {
    void *_Nonnull context;
    rx_shape (*_Nonnull shape)(void *_Nonnull context, uintptr_t metadata, uintptr_t object);
    /// The number of the layout of values of a type. Answers are kept as long as the heap is open.
    int32_t (*_Nonnull number)(void *_Nonnull context, uintptr_t type);
    /// What that number stands for: the parts and cases live as long as `context`.
    rx_layout (*_Nonnull layout)(void *_Nonnull context, int32_t number);
} rx_type_source;

typedef enum rx_root_place {
    rx_root_global,
    rx_root_stack,
    /// The node itself: a task keeps itself until it has ended.
    rx_root_task,
} rx_root_place;

/// A place outside the heap that may hold an object.
typedef struct rx_root {
    /// Where the reference stands.
    uintptr_t address;
    int32_t node;
    rx_root_place place;
} rx_root;

typedef struct rx_heap rx_heap;

/// A heap that knows nothing yet; to be closed. All that it notes lies outside the heap that it reads, so that reading
/// does not change that.
rx_heap *_Nonnull rx_heap_open(void);
void rx_heap_close(rx_heap *_Nonnull heap);

/// Begins to read, with the segments that are loaded now.
void rx_heap_begin(rx_heap *_Nonnull heap);
/// Forgets what was found in the heap, and keeps what is known of types.
void rx_heap_forget(rx_heap *_Nonnull heap);

/// Looks for the allocator's extents in a range of known gibibytes, and adds them: the end of the last one, or `to`.
uintptr_t rx_heap_add_extents(rx_heap *_Nonnull heap, rx_allocator_query _Nonnull query, const size_t *_Nonnull mib,
    uintptr_t from, uintptr_t to);

/// Makes a node of every live object. O(b) for b blocks.
void rx_heap_find_objects(rx_heap *_Nonnull heap);
/// Makes roots of all words between two addresses that point to a block.
void rx_heap_find_roots(rx_heap *_Nonnull heap, uintptr_t from, uintptr_t to, rx_root_place place);
/// Makes roots of the tasks that are there.
void rx_heap_find_tasks(rx_heap *_Nonnull heap);
/// Notes what every node holds; blocks that are only pointed to become nodes on the way. O(n) for n words.
void rx_heap_find_references(rx_heap *_Nonnull heap, const rx_type_source *_Nonnull types);
/// How many answers of type sources were new until now. Those change the heap while it is read.
size_t rx_heap_answers(const rx_heap *_Nonnull heap);

const rx_graph *_Nonnull rx_heap_graph(const rx_heap *_Nonnull heap);
const rx_root *_Nullable rx_heap_roots(const rx_heap *_Nonnull heap, size_t *_Nonnull count);
/// The node of the object at an address, if it is alive; else -1.
int32_t rx_heap_object_at(const rx_heap *_Nonnull heap, uintptr_t address);

/// The segments of the program and of its libraries, as they were loaded when the reading began.
const rx_segment *_Nullable rx_heap_segments(const rx_heap *_Nonnull heap, size_t *_Nonnull count);
/// The loaded segment that an address lies in; NULL if there is none.
const rx_segment *_Nullable rx_heap_segment_at(const rx_heap *_Nonnull heap, uintptr_t address);
/// Whether so many bytes can be read, in an image or in a block.
bool rx_heap_is_readable(const rx_heap *_Nonnull heap, uintptr_t address, size_t size);
/// Whether the type of objects lies at an address.
bool rx_heap_is_object_type(rx_heap *_Nonnull heap, uintptr_t address);
/// Whether the type of a value lies at an address.
bool rx_heap_is_type(rx_heap *_Nonnull heap, uintptr_t address);
