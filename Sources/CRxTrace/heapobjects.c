#if defined(__linux__)
#define _GNU_SOURCE
#endif
#include "heapreader.h"

#if defined(__linux__)
#include <sys/uio.h>
#include <unistd.h>

// Returns false for an object that is deinitialised, or is being deinitialised.
bool rxtrace_heap_count_references(const rxtrace_heap *heap, uintptr_t object, intptr_t *strong) {
    uintptr_t bits = word_at(object + 8);
    *strong = -1;
    if (lives_for_ever(bits)) return true;
    if (has_side_table(bits)) {
        // The low bits contain the address of the side table, without its three lowest bits, which are 0.
        uintptr_t table = bits << 3 & address_mask;
        if (!rxtrace_heap_is_in_extent(heap, table, 32) || word_at(table) != object) return false;
        bits = word_at(table + 16);
    }
    if (bits == 0 || is_deinitialising(bits) || is_address(bits)) return false;
    *strong = (intptr_t)(bits >> 33 & 0x3fffffff) + 1;
    return true;
}

void rxtrace_heap_add_node(rxtrace_heap *heap, int32_t block, rxtrace_node node) {
    rxtrace_graph *graph = &heap->graph;
    size_t count = (size_t)graph->node_count + 1;
    if (count > graph->node_room)
        graph->nodes = rxtrace_heap_grown(graph->nodes, &graph->node_room, count, sizeof node);
    graph->nodes[graph->node_count++] = node;
    heap->node_of_block[block] = graph->node_count;
}

static void find_object(rxtrace_heap *heap, uintptr_t address, size_t room, int32_t block) {
    uintptr_t metadata = word_at(address);
    int64_t size = rxtrace_heap_instance_size(heap, metadata);
    intptr_t references;
    if (size < 0 || (size_t)size > room || !rxtrace_heap_count_references(heap, address, &references)) return;
    rxtrace_heap_add_node(heap, block, (rxtrace_node){address, room, metadata, references});
}

void rxtrace_heap_find_objects(rxtrace_heap *heap) {
    heap->node_of_block =
        heap->block_count == 0 ? NULL : rxtrace_heap_zeroes((size_t)heap->block_count * sizeof *heap->node_of_block);
    for (size_t index = 0; index < heap->extents.count; index++) {
        block_extent extent = heap->extents.items[index];
        if (extent.is_open || extent.block_size < 16) continue;
        int32_t block = extent.first_block;
        for (uintptr_t address = extent.start; address + extent.block_size <= extent.end;
            address += extent.block_size, block++) {
            find_object(heap, address, extent.block_size, block);
        }
    }
}

bool rxtrace_heap_begin_block(rxtrace_heap *heap, uintptr_t address, bool is_certain) {
    int32_t page = page_at(heap, address);
    if (page <= 0 || address % large_alignment != 0) return false;
    block_extent *extent = &heap->extents.items[page - 1];
    if (!extent->is_open || address - extent->start >= 1 << page_bits) return false;
    find_object(heap, address, extent->end - address, extent->first_block);
    if (!is_certain && heap->node_of_block[extent->first_block] == 0) return false;
    extent->start = address;
    extent->block_size = extent->end - address;
    extent->is_open = false;
    return true;
}

void rxtrace_heap_find_large_objects(rxtrace_heap *heap) {
    for (size_t index = 0; index < heap->extents.count; index++) {
        block_extent extent = heap->extents.items[index];
        if (!extent.is_open) continue;
        for (uintptr_t address = extent.start; address < extent.start + (1 << page_bits); address += large_alignment) {
            find_object(heap, address, extent.end - address, extent.first_block);
        }
    }
}

int32_t rxtrace_heap_node_at(rxtrace_heap *heap, uintptr_t bits) {
    uintptr_t address = bits & address_mask;
    size_t size;
    int32_t block = block_at(heap, address, &size);
    if (block < 0 && rxtrace_heap_begin_block(heap, address, false)) block = block_at(heap, address, &size);
    if (block < 0) return -1;
    if (heap->node_of_block[block] == 0) {
        // The block contains an object that is no longer alive, so it holds nothing.
        int64_t expected = size >= 16 ? rxtrace_heap_instance_size(heap, word_at(address)) : -1;
        if (expected >= 0 && (size_t)expected <= size) return -1;
        rxtrace_heap_add_node(heap, block, (rxtrace_node){address, size, 0, -1});
    }
    return heap->node_of_block[block] - 1;
}

int32_t rxtrace_heap_object_at(const rxtrace_heap *heap, uintptr_t address) {
    size_t size;
    int32_t block = block_at(heap, address, &size);
    return block < 0 ? -1 : heap->node_of_block[block] - 1;
}

size_t rxtrace_heap_blocks_beginning_with(
    const rxtrace_heap *heap, uintptr_t word, uintptr_t *addresses, size_t limit) {
    size_t count = 0;
    for (size_t index = 0; index < heap->extents.count; index++) {
        const block_extent *extent = &heap->extents.items[index];
        if (extent->is_open || extent->block_size < 16) continue;
        for (uintptr_t address = extent->start; address + extent->block_size <= extent->end && count < limit;
            address += extent->block_size) {
            if (word_at(address) == word) addresses[count++] = address;
        }
    }
    return count;
}

const rxtrace_graph *rxtrace_heap_graph(const rxtrace_heap *heap) { return &heap->graph; }

// MARK: Roots

void rxtrace_heap_find_roots(
    rxtrace_heap *heap, uintptr_t from, uintptr_t to, rxtrace_root_place place, bool are_pointers) {
    for (uintptr_t address = (from + 7) & ~(uintptr_t)7; address + 8 <= to; address += 8) {
        if (are_pointers) rxtrace_heap_begin_block(heap, word_at(address), true);
        int32_t node = rxtrace_heap_node_at(heap, word_at(address));
        if (node >= 0) APPEND(heap->roots, (rxtrace_root){address, node, place});
    }
}

void rxtrace_heap_find_roots_on_stack(rxtrace_heap *heap, uintptr_t from, uintptr_t to) {
    uintptr_t words[1024];
    uintptr_t address = (from + 7) & ~(uintptr_t)7;
    while (address + 8 <= to) {
        size_t size = to - address < sizeof words ? (to - address) & ~(uintptr_t)7 : sizeof words;
        struct iovec copy = {words, size};
        struct iovec stack = {(void *)address, size};
        ssize_t bytes = process_vm_readv(getpid(), &copy, 1, &stack, 1, 0);
        if (bytes < 8) return;
        for (size_t index = 0; index < (size_t)bytes / 8; index++) {
            int32_t node = rxtrace_heap_node_at(heap, words[index]);
            if (node >= 0) APPEND(heap->roots, (rxtrace_root){address + 8 * index, node, rxtrace_root_stack});
        }
        address += (uintptr_t)bytes & ~(uintptr_t)7;
    }
}

// A function of the concurrency library; NULL if the program does not load that library.
extern void *swift_task_getCurrent(void) __attribute__((weak));

void rxtrace_heap_find_tasks(rxtrace_heap *heap) {
    const rxtrace_node *nodes = heap->graph.nodes;
    // Not the current task: its local variables belong to the test, or to the search.
    uintptr_t current = swift_task_getCurrent != NULL ? (uintptr_t)swift_task_getCurrent() : 0;
    for (int32_t node = 0; node < heap->graph.node_count; node++) {
        if (nodes[node].metadata == 0 || word_at(nodes[node].metadata) != 0x502) continue;
        if (nodes[node].address == current) continue;
        APPEND(heap->roots, (rxtrace_root){nodes[node].address, node, rxtrace_root_task});
    }
}

const rxtrace_root *rxtrace_heap_roots(const rxtrace_heap *heap, size_t *count) {
    *count = heap->roots.count;
    return heap->roots.items;
}

// MARK: Types

// Distinguishes words that refer to types from all others, before anything is read through them
// (docs/ABI/TypeMetadata.rst in the Swift repository).

static bool is_in_image(const rxtrace_heap *heap, uintptr_t address) {
    return rxtrace_heap_segment_at(heap, address) != NULL;
}

bool rxtrace_heap_is_readable(const rxtrace_heap *heap, uintptr_t address, size_t size) {
    if (address <= 4096 || address >> 47 != 0) return false;
    return (is_in_image(heap, address) && is_in_image(heap, address + size - 1)) ||
           rxtrace_heap_is_in_extent(heap, address, size);
}

// Whether a relative pointer leads into an image. Its lowest bit is set if the pointer is indirect.
static bool leads_into_image(const rxtrace_heap *heap, uintptr_t place) {
    return is_in_image(heap, (place + (uintptr_t)(intptr_t)(int32_t)half_at(place)) & ~(uintptr_t)1);
}

// Whether the descriptor of a class (16), struct (17) or enumeration (18) is at an address. Checks its kind, the
// version 0 in the second byte, and the relative pointers to its context and its name.
static bool is_descriptor(const rxtrace_heap *heap, uintptr_t address, uint32_t kind) {
    return (address & 3) == 0 && is_in_image(heap, address) && is_in_image(heap, address + 47) &&
           (half_at(address) & 0xff1f) == kind && leads_into_image(heap, address + 4) &&
           leads_into_image(heap, address + 8);
}

static bool may_be_type(uintptr_t address) { return (address & 7) == 0 && address >= 4096 && address >> 47 == 0; }

static int64_t read_instance_size(rxtrace_heap *heap, uintptr_t address) {
    if (!rxtrace_heap_is_readable(heap, address, 48)) return -1;
    uint32_t size;
    switch (word_at(address)) {
    case 0:
        size = half_at(address + 24);
        return is_descriptor(heap, word_at(address + 40), 16) && size >= 16 ? size : -1;
    // The types of contexts, errors and tasks are in the images of the program and the runtime. The types of generic
    // boxes are created at run time.
    case 0x400: return is_in_image(heap, address) ? 16 : -1;
    case 0x500: return rxtrace_heap_is_type(heap, word_at(address + 16)) ? 24 : -1;
    case 0x501:
    case 0x502: return is_in_image(heap, address) ? 24 : -1;
    default: return -1;
    }
}

int64_t rxtrace_heap_instance_size(rxtrace_heap *heap, uintptr_t metadata) {
    // Most words are not addresses. Their results are not stored.
    if (!may_be_type(metadata) || page_at(heap, metadata) == 0) return -1;
    int64_t known = rx_word_map_find(&heap->sizes, metadata);
    if (known != 0) return known;
    int64_t size = read_instance_size(heap, metadata);
    rxtrace_word_map_add(&heap->sizes, metadata, size);
    return size;
}

bool rxtrace_heap_is_object_type(rxtrace_heap *heap, uintptr_t address) {
    return rxtrace_heap_instance_size(heap, address) >= 0;
}

static bool read_is_type(rxtrace_heap *heap, uintptr_t address) {
    // The value witnesses precede the type.
    if (!rxtrace_heap_is_readable(heap, address - 8, 32) || !rxtrace_heap_is_readable(heap, word_at(address - 8), 88))
        return false;
    uintptr_t kind = word_at(address);
    switch (kind) {
    case 0: return rxtrace_heap_is_readable(heap, address, 48) && is_descriptor(heap, word_at(address + 40), 16);
    case 0x200: return is_descriptor(heap, word_at(address + 8), 17);
    case 0x201:
    case 0x202: return is_descriptor(heap, word_at(address + 8), 18);
    case 0x203: return true;
    default: return kind >= 0x300 && kind <= 0x308;
    }
}

bool rxtrace_heap_is_type(rxtrace_heap *heap, uintptr_t address) {
    if (!may_be_type(address) || page_at(heap, address) == 0) return false;
    int64_t known = rx_word_map_find(&heap->value_types, address);
    if (known != 0) return known > 0;
    bool is_type = read_is_type(heap, address);
    rxtrace_word_map_add(&heap->value_types, address, is_type ? 1 : -1);
    return is_type;
}
#endif
