// The state of a heap reader. Three files implement it: heapmemory.c has the map of addresses; heapobjects.c has types,
// nodes and roots; heapreferences.c has edges.
#pragma once
#include "CHeapReader.h"

/// A piece of the allocator's memory that is divided into blocks of one size.
typedef struct block_extent {
    uintptr_t start, end;
    size_t block_size;
    /// The number of its first block, among the blocks of all extents.
    int32_t first_block;
    /// Whether it is one large block, and the address in its first page at which the block begins is not known yet.
    bool is_open;
} block_extent;

/// jemalloc begins a large block at any multiple of a cache line, so that large blocks do not compete for the same sets
/// of a cache (`cache_oblivious` in its INSTALL.md). Blocks of its bins are not larger than `bins_end`
/// (`SC_SMALL_MAXCLASS` for pages of 4 KiB).
enum { large_alignment = 64, bins_end = 14336 };

/// A growing array.
#define LIST(type) struct { type *items; size_t count, room; }

/// A hash table that maps nonzero words to numbers. A word that is not in the table has the number 0.
typedef struct word_map {
    struct word_entry { uintptr_t word; int64_t number; } *entries;
    size_t count, room;
} word_map;

typedef struct known_layout {
    rxtrace_layout layout;
    bool is_known;
} known_layout;

/// Memory for the copy of a value. A value can contain another value that is copied too, so unused rooms form a stack:
/// the room that was returned last is used first.
typedef struct copy_room {
    struct copy_room *next;
    /// The size in bytes, including this header.
    size_t size;
    _Alignas(16) char bytes[];
} copy_room;

enum { page_bits = 12, leaf_bits = 18, address_bits = 48 };

struct rxtrace_heap {
    rxtrace_graph graph;
    LIST(block_extent) extents;
    LIST(rxtrace_segment) segments;
    LIST(rxtrace_root) roots;
    LIST(rxtrace_shape) shapes;
    LIST(known_layout) layouts;
    int32_t block_count;
    /// The number of each block's node plus 1; 0 for a block without a node.
    int32_t *node_of_block;
    /// The minimum size in bytes of an object, by the address of its type; -1 for a word that is not a type of objects.
    word_map sizes;
    /// 1 for the address of a value's type, -1 for a word that is not such an address.
    word_map value_types;
    /// For a type of objects: the number of its shape plus 1. For a type of values: the number of its layout plus 1.
    word_map known_shapes, known_layouts;
    const rxtrace_type_source *types;
    /// The number of results that `types` has computed.
    size_t answers;
    copy_room *free_rooms;
    /// For each gibibyte, a table of its pages: 0 for an unknown page; *n* + 1 for a page of extent *n*; -1 - *n* for a
    /// page of segment *n*. The system provides zeroed memory, which is resident only where something was written.
    int32_t *leaves[1 << (address_bits - leaf_bits - page_bits)];
};

// Inlined even in builds without optimisation, because these functions are called for every word of the heap.
#define INLINE static inline __attribute__((always_inline))

// The second word of every Swift object has the layout of RefCount.h in the Swift repository: from bit 1 on, 31 bits
// with the number of unowned references; bit 32 is set while the object deinitialises; from bit 33 on, 30 bits with the
// number of strong references minus 1; bit 63 is set if the counts are in a side table.
INLINE bool lives_for_ever(uint64_t bits) { return (bits & 0xffffffff) == 0xffffffff; }
INLINE bool has_side_table(uint64_t bits) { return bits >> 63 == 1; }
INLINE bool is_deinitialising(uint64_t bits) { return (bits >> 32 & 1) == 1; }
// An address, read as counts, has 4,096 strong references or more, and 65,536 unowned ones or more. Memory of C code
// that begins with the address of a type often has an address there, and objects have no such counts.
INLINE bool is_address(uint64_t bits) {
    return bits >> 48 == 0 && bits >> 33 >= 1 << 12 && (bits >> 1 & 0x7fffffff) >= 1 << 16;
}

INLINE uintptr_t word_at(uintptr_t address) { return *(const uintptr_t *)address; }
INLINE uint32_t half_at(uintptr_t address) { return *(const uint32_t *)address; }

/// The bits of a word that hold an object's address.
static const uintptr_t address_mask = 0x00fffffffffffff8;

/// Returns zeroed memory from the system. Ends the process if the system has no memory left.
void *rxtrace_heap_zeroes(size_t size);
/// Grows the array of a list's items to room for at least `needed` items, and returns its new address.
void *rxtrace_heap_grown(void *items, size_t *room, size_t needed, size_t size);
#define RESERVE(list, needed)                                                                                          \
    ((list).room < (needed)                                                                                            \
            ? (void)((list).items = rxtrace_heap_grown((list).items, &(list).room, needed, sizeof *(list).items))      \
            : (void)0)
#define APPEND(list, ...) (RESERVE(list, (list).count + 1), (void)((list).items[(list).count++] = __VA_ARGS__))

/// Returns room for the copy of a value. The memory is not from `malloc`, which would change the heap that is read, and
/// would wait for a lock that a stopped thread may hold.
copy_room *rxtrace_heap_take_room(rxtrace_heap *heap, size_t size);
void rxtrace_heap_give_room(rxtrace_heap *heap, copy_room *room);

int64_t rx_word_map_find(const word_map *map, uintptr_t word);
void rxtrace_word_map_add(word_map *map, uintptr_t word, int64_t number);

INLINE int32_t page_at(const rxtrace_heap *heap, uintptr_t address) {
    if (address >> address_bits != 0) return 0;
    const int32_t *leaf = heap->leaves[address >> (leaf_bits + page_bits)];
    return leaf == NULL ? 0 : leaf[address >> page_bits & ((1 << leaf_bits) - 1)];
}

/// Returns the number of the block that begins at an address, and writes its size; -1 if no block begins there.
INLINE int32_t block_at(const rxtrace_heap *heap, uintptr_t address, size_t *size) {
    int32_t page = page_at(heap, address);
    if (page <= 0) return -1;
    const block_extent *extent = &heap->extents.items[page - 1];
    uintptr_t offset = address - extent->start;
    if (address < extent->start || address >= extent->end || extent->is_open || offset % extent->block_size != 0)
        return -1;
    *size = extent->block_size;
    return extent->first_block + (int32_t)(offset / extent->block_size);
}

/// Sets the beginning of the large block around an address, if the address is in the block's first page and the
/// beginning is not known yet. Some words are not pointers, or are pointers to earlier blocks, so an uncertain word
/// must lead to an object. Returns true if the block begins there now.
bool rxtrace_heap_begin_block(rxtrace_heap *heap, uintptr_t address, bool is_certain);

/// Whether `size` bytes from an address on are in one of the allocator's extents.
bool rxtrace_heap_is_in_extent(const rxtrace_heap *heap, uintptr_t address, size_t size);

/// The minimum size in bytes of an object whose type is at an address; -1 if no type of objects is there.
int64_t rxtrace_heap_instance_size(rxtrace_heap *heap, uintptr_t metadata);

/// Returns whether an object is alive, and writes its number of strong references; -1 for an immortal object.
bool rxtrace_heap_count_references(const rxtrace_heap *heap, uintptr_t object, intptr_t *strong);

/// The node of the block that begins at the address in a word. Creates a node for a block that is not an object.
/// Returns -1 if no block begins there, or if the block contains an object that is no longer alive.
int32_t rxtrace_heap_node_at(rxtrace_heap *heap, uintptr_t bits);
void rxtrace_heap_add_node(rxtrace_heap *heap, int32_t block, rxtrace_node node);
