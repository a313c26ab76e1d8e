#include "heapreader.h"

#if defined(__linux__)
// The second word of every Swift object, laid out as in RefCount.h of the Swift repository: 31 bits of unowned
// references from bit 1 on, bit 32 while it deinitialises, 30 bits of strong references less one from bit 33 on, bit 63
// if the counts are kept elsewhere.
//
// False for an object that is gone or going; `*strong` is -1 for one that lives for ever.
bool rxtrace_heap_count_references(const rxtrace_heap *heap, uintptr_t object, intptr_t *strong) {
    uintptr_t bits = word_at(object + 8);
    *strong = -1;
    if ((bits & 0xffffffff) == 0xffffffff) return true;
    if (bits >> 63 == 1) {
        // The address of the side table, less its three lowest bits, which are 0.
        uintptr_t table = bits << 3 & address_mask;
        if (!rxtrace_heap_is_in_extent(heap, table, 32) || word_at(table) != object) return false;
        bits = word_at(table + 16);
    }
    if (bits == 0 || (bits >> 32 & 1) == 1) return false;
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

int32_t rxtrace_heap_node_at(rxtrace_heap *heap, uintptr_t bits) {
    uintptr_t address = bits & address_mask;
    size_t size;
    int32_t block = block_at(heap, address, &size);
    if (block < 0 && rxtrace_heap_begin_block(heap, address, false)) block = block_at(heap, address, &size);
    if (block < 0) return -1;
    if (heap->node_of_block[block] == 0) {
        // An object that is gone holds nothing.
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

const rxtrace_graph *rxtrace_heap_graph(const rxtrace_heap *heap) { return &heap->graph; }

// MARK: Roots

void rxtrace_heap_find_roots(rxtrace_heap *heap, uintptr_t from, uintptr_t to, rxtrace_root_place place) {
    for (uintptr_t address = (from + 7) & ~(uintptr_t)7; address + 8 <= to; address += 8) {
        int32_t node = rxtrace_heap_node_at(heap, word_at(address));
        if (node >= 0) APPEND(heap->roots, (rxtrace_root){address, node, place});
    }
}

void rxtrace_heap_find_tasks(rxtrace_heap *heap) {
    const rxtrace_node *nodes = heap->graph.nodes;
    for (int32_t node = 0; node < heap->graph.node_count; node++) {
        if (nodes[node].metadata == 0 || word_at(nodes[node].metadata) != 0x502) continue;
        APPEND(heap->roots, (rxtrace_root){nodes[node].address, node, rxtrace_root_task});
    }
}

const rxtrace_root *rxtrace_heap_roots(const rxtrace_heap *heap, size_t *count) {
    *count = heap->roots.count;
    return heap->roots.items;
}
#endif
