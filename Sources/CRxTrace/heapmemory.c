#define _GNU_SOURCE
#include "heapreader.h"
#include "CRegistry.h"

#if defined(__linux__)
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

// MARK: Memory outside the heap

static void *check(void *memory) {
    static const char text[] = "The system has no memory left for a heap snapshot.\n";
    if (memory != NULL) return memory;
    // The message is a constant, because formatting one would need memory.
    if (write(STDERR_FILENO, text, sizeof text - 1) < 0) abort();
    abort();
}

void *rxtrace_heap_zeroes(size_t size) { return check(rx_reserve(size)); }

void *rxtrace_heap_grown(void *items, size_t *room, size_t needed, size_t size) {
    size_t before = *room;
    *room = before * 2 > needed ? before * 2 : needed;
    if (*room < 1024) *room = 1024;
    if (before == 0) return rxtrace_heap_zeroes(*room * size);
    // The system moves pages; no bytes are copied.
    void *moved = mremap(items, before * size, *room * size, MREMAP_MAYMOVE);
    return check(moved == MAP_FAILED ? NULL : moved);
}

static void release(void *memory, size_t size) {
    if (memory != NULL) rx_release(memory, size);
}

#define RELEASE(list)                                                                                                  \
    (release((list).items, (list).room * sizeof *(list).items),                                                        \
        (void)((list).items = NULL, (list).count = (list).room = 0))
#define RELEASE_MAP(map)                                                                                               \
    (release((map).entries, (map).room * sizeof *(map).entries), (void)((map) = (word_map){NULL, 0, 0}))

static size_t slot(uintptr_t word, size_t room) {
    return (size_t)(rx_spread(word) >> 20) & (room - 1);
}

int64_t rx_word_map_find(const word_map *map, uintptr_t word) {
    if (map->room == 0) return 0;
    size_t index = slot(word, map->room);
    while (map->entries[index].word != 0) {
        if (map->entries[index].word == word) return map->entries[index].number;
        index = (index + 1) & (map->room - 1);
    }
    return 0;
}

void rxtrace_word_map_add(word_map *map, uintptr_t word, int64_t number) {
    if (map->count * 2 >= map->room) {
        word_map grown = {NULL, 0, map->room == 0 ? 1024 : map->room * 2};
        grown.entries = rxtrace_heap_zeroes(grown.room * sizeof *grown.entries);
        for (size_t index = 0; index < map->room; index++) {
            if (map->entries[index].word != 0)
                rxtrace_word_map_add(&grown, map->entries[index].word, map->entries[index].number);
        }
        release(map->entries, map->room * sizeof *map->entries);
        *map = grown;
    }
    size_t index = slot(word, map->room);
    while (map->entries[index].word != 0) index = (index + 1) & (map->room - 1);
    map->entries[index] = (struct word_entry){word, number};
    map->count++;
}

copy_room *rxtrace_heap_take_room(rxtrace_heap *heap, size_t size) {
    copy_room *room = heap->free_rooms;
    if (room != NULL && room->size - sizeof *room >= size) {
        heap->free_rooms = room->next;
        return room;
    }
    // Far more than most values need, so that there are few different sizes.
    size_t whole = 1 << 16;
    while (whole - sizeof *room < size) whole *= 2;
    room = rxtrace_heap_zeroes(whole);
    room->size = whole;
    return room;
}

void rxtrace_heap_give_room(rxtrace_heap *heap, copy_room *room) {
    room->next = heap->free_rooms;
    heap->free_rooms = room;
}

// MARK: The map of addresses

static void mark(rxtrace_heap *heap, uintptr_t start, uintptr_t end, int32_t number) {
    for (uintptr_t page = start >> page_bits; page << page_bits < end && page >> (address_bits - page_bits) == 0;
        page++) {
        int32_t **leaf = &heap->leaves[page >> leaf_bits];
        if (*leaf == NULL) *leaf = rxtrace_heap_zeroes(sizeof **leaf << leaf_bits);
        (*leaf)[page & ((1 << leaf_bits) - 1)] = number;
    }
}

static void find_segments(rxtrace_heap *heap) {
    rxtrace_segment nowhere;
    // A few more than at present, because a library may be loaded in the meantime.
    size_t expected = rxtrace_segments(&nowhere, 0) + 16;
    RESERVE(heap->segments, expected);
    size_t count = rxtrace_segments(heap->segments.items, expected);
    heap->segments.count = count < expected ? count : expected;
    for (size_t index = 0; index < heap->segments.count; index++) {
        mark(heap, heap->segments.items[index].start, heap->segments.items[index].end, -1 - (int32_t)index);
    }
}

// Keeps the shapes and layouts of types, because types do not change. `sizes` and `value_types` are discarded, because
// they also contain addresses that are not types, and a type may be created there later.
void rxtrace_heap_forget(rxtrace_heap *heap) {
    rxtrace_graph *graph = &heap->graph;
    release(graph->nodes, graph->node_room * sizeof *graph->nodes);
    release(graph->edges, graph->edge_room * sizeof *graph->edges);
    release(graph->edge_start, graph->start_room * sizeof *graph->edge_start);
    *graph = (rxtrace_graph){0};
    release(heap->node_of_block, (size_t)heap->block_count * sizeof *heap->node_of_block);
    heap->node_of_block = NULL;
    heap->block_count = 0;
    RELEASE(heap->extents);
    RELEASE(heap->segments);
    RELEASE(heap->roots);
    RELEASE_MAP(heap->sizes);
    RELEASE_MAP(heap->value_types);
    for (size_t index = 0; index < sizeof heap->leaves / sizeof *heap->leaves; index++) {
        // Most entries are NULL, in memory that was never written. Only entries that are set are cleared, so that the
        // memory of the others stays unused.
        if (heap->leaves[index] == NULL) continue;
        release(heap->leaves[index], sizeof *heap->leaves[index] << leaf_bits);
        heap->leaves[index] = NULL;
    }
    while (heap->free_rooms != NULL) {
        copy_room *room = heap->free_rooms;
        heap->free_rooms = room->next;
        release(room, room->size);
    }
}

rxtrace_heap *rxtrace_heap_open(void) { return rxtrace_heap_zeroes(sizeof(rxtrace_heap)); }

void rxtrace_heap_begin(rxtrace_heap *heap) {
    rxtrace_heap_forget(heap);
    find_segments(heap);
}

void rxtrace_heap_close(rxtrace_heap *heap) {
    rxtrace_heap_forget(heap);
    RELEASE(heap->shapes);
    RELEASE(heap->layouts);
    RELEASE_MAP(heap->known_shapes);
    RELEASE_MAP(heap->known_layouts);
    release(heap, sizeof *heap);
}

uintptr_t rxtrace_heap_add_extents(
    rxtrace_heap *heap, rxtrace_allocator_query query, const size_t *mib, uintptr_t from, uintptr_t to) {
    const uintptr_t page = (uintptr_t)1 << page_bits;
    uintptr_t address = from;
    while (address < to) {
        rxtrace_extent found;
        if (!rxtrace_heap_extent_at(query, mib, address, &found)) {
            address += page;
            continue;
        }
        APPEND(heap->extents, (block_extent){
                                  .start = found.start,
                                  .end = found.start + found.size,
                                  .block_size = found.size / found.regions,
                                  .first_block = heap->block_count,
                                  .is_open = found.regions == 1 && found.size > bins_end,
                              });
        mark(heap, found.start, found.start + found.size, (int32_t)heap->extents.count);
        heap->block_count += (int32_t)found.regions;
        address += (found.size + page - 1) & ~(page - 1);
    }
    return address;
}

const rxtrace_segment *rxtrace_heap_segments(const rxtrace_heap *heap, size_t *count) {
    *count = heap->segments.count;
    return heap->segments.items;
}

const rxtrace_segment *rxtrace_heap_segment_at(const rxtrace_heap *heap, uintptr_t address) {
    int32_t page = page_at(heap, address);
    if (page >= 0) return NULL;
    const rxtrace_segment *segment = &heap->segments.items[-1 - page];
    return address >= segment->start && address < segment->end ? segment : NULL;
}

bool rxtrace_heap_is_in_extent(const rxtrace_heap *heap, uintptr_t address, size_t size) {
    int32_t page = page_at(heap, address);
    if (page <= 0) return false;
    const block_extent *extent = &heap->extents.items[page - 1];
    return address < extent->end && extent->end - address >= size;
}
#endif
