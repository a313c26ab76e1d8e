// A heap while it is read. Three files read it: heapmemory.c knows addresses, heapobjects.c types, nodes and roots,
// heapreferences.c edges.
#pragma once
#include "CHeapReader.h"

/// A piece of the allocator's memory that is dealt out in blocks of one size.
typedef struct block_extent {
    uintptr_t start, end;
    size_t block_size;
    /// The number of its first block among all.
    int32_t first_block;
    /// Whether it is one large block of which is not known yet where in the first page it begins.
    bool is_open;
} block_extent;

/// jemalloc lets large blocks begin at any multiple of a cache line, so that they do not meet in the same sets of
/// caches (`cache_oblivious` in its INSTALL.md); blocks of its bins are not larger than `bins_end` (`SC_SMALL_MAXCLASS`
/// for pages of 4 KiB).
enum { large_alignment = 64, bins_end = 14336 };

/// A growing array.
#define LIST(type) struct { type *items; size_t count, room; }

/// Numbers by nonzero words. A missing word has the number 0.
typedef struct word_map {
    struct word_entry { uintptr_t word; int64_t number; } *entries;
    size_t count, room;
} word_map;

typedef struct known_layout {
    rxtrace_layout layout;
    bool is_known;
} known_layout;

/// Memory for the copy of a value. Values nest, and so do their copies: the room that was given back last is taken
/// first.
typedef struct copy_room {
    struct copy_room *next;
    /// With this head.
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
    /// The node that each block is, and 1; 0 for none.
    int32_t *node_of_block;
    /// The least number of bytes of an object of a type; -1 for a word that is not a type of objects.
    word_map sizes;
    /// 1 for the type of a value, -1 for a word that is not one.
    word_map value_types;
    /// For a type of objects: the number of its shape plus 1. For a type of values: the number of its layout plus 1.
    word_map known_shapes, known_layouts;
    const rxtrace_type_source *types;
    /// How many answers of `types` were new.
    size_t answers;
    copy_room *free_rooms;
    /// The kind of each page, for each gibibyte: 0 for unknown pages, the number of an extent plus 1, or minus the
    /// number of a segment minus 1. The memory is zeroed by the system, and resident only where something was written.
    int32_t *leaves[1 << (address_bits - leaf_bits - page_bits)];
};

// In builds without optimisation too: these are asked for every word.
#define INLINE static inline __attribute__((always_inline))

// The second word of every Swift object, laid out as in RefCount.h of the Swift repository: 31 bits of unowned
// references from bit 1 on, bit 32 while it deinitialises, 30 bits of strong references less one from bit 33 on, bit 63
// if the counts are kept elsewhere.
INLINE bool lives_for_ever(uint64_t bits) { return (bits & 0xffffffff) == 0xffffffff; }
INLINE bool has_side_table(uint64_t bits) { return bits >> 63 == 1; }
INLINE bool is_deinitialising(uint64_t bits) { return (bits >> 32 & 1) == 1; }

INLINE uintptr_t word_at(uintptr_t address) { return *(const uintptr_t *)address; }
INLINE uint32_t half_at(uintptr_t address) { return *(const uint32_t *)address; }

/// The bits of a word that hold an object's address.
static const uintptr_t address_mask = 0x00fffffffffffff8;

/// Returns zeroed memory from the system. Ends the process if there is none.
void *rxtrace_heap_zeroes(size_t size);
/// A list's items with room for `needed` ones.
void *rxtrace_heap_grown(void *items, size_t *room, size_t needed, size_t size);
#define RESERVE(list, needed)                                                                                          \
    ((list).room < (needed)                                                                                            \
            ? (void)((list).items = rxtrace_heap_grown((list).items, &(list).room, needed, sizeof *(list).items))      \
            : (void)0)
#define APPEND(list, ...) (RESERVE(list, (list).count + 1), (void)((list).items[(list).count++] = __VA_ARGS__))

/// Room for a value's copy, not of `malloc`: it would change the heap that is read, and wait for a lock that a stopped
/// thread may hold.
copy_room *rxtrace_heap_take_room(rxtrace_heap *heap, size_t size);
void rxtrace_heap_give_room(rxtrace_heap *heap, copy_room *room);

int64_t rx_word_map_find(const word_map *map, uintptr_t word);
void rxtrace_word_map_add(word_map *map, uintptr_t word, int64_t number);

INLINE int32_t page_at(const rxtrace_heap *heap, uintptr_t address) {
    if (address >> address_bits != 0) return 0;
    const int32_t *leaf = heap->leaves[address >> (leaf_bits + page_bits)];
    return leaf == NULL ? 0 : leaf[address >> page_bits & ((1 << leaf_bits) - 1)];
}

/// The number of the block that begins at an address, and its size; else -1.
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

/// Whether memory from an address on is the allocator's.
bool rxtrace_heap_is_in_extent(const rxtrace_heap *heap, uintptr_t address, size_t size);

/// The bytes that an object of the type at an address takes at least; -1 if there is no type of objects.
int64_t rxtrace_heap_instance_size(rxtrace_heap *heap, uintptr_t metadata);

/// Whether an object is alive, and how many references to it are counted; -1 for one that lives for ever.
bool rxtrace_heap_count_references(const rxtrace_heap *heap, uintptr_t object, intptr_t *strong);

/// The node of the block that begins where a word points to, made if need be; -1 for none.
int32_t rxtrace_heap_node_at(rxtrace_heap *heap, uintptr_t bits);
void rxtrace_heap_add_node(rxtrace_heap *heap, int32_t block, rxtrace_node node);
