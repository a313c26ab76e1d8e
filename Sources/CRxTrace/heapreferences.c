#include "heapreader.h"
#include "CRegistry.h"

#if defined(__linux__)
#include <string.h>

// The location of a reference: the number of the field's name, and the position in a collection.
typedef struct spot { int32_t label, index; } spot;

static const spot nowhere = {-1, -1};

static void add_edge(rxtrace_heap *heap, int32_t target, spot spot, bool is_typed, uintptr_t function) {
    rxtrace_graph *graph = &heap->graph;
    size_t count = (size_t)graph->edge_count + 1;
    if (count > graph->edge_room)
        graph->edges = rxtrace_heap_grown(graph->edges, &graph->edge_room, count, sizeof *graph->edges);
    graph->edges[graph->edge_count++] = (rxtrace_edge){
        .target = target, .label = spot.label, .index = spot.index, .is_typed = is_typed, .function = function};
}

// MARK: Words

static void reference(rxtrace_heap *heap, uintptr_t bits, spot spot, uintptr_t function) {
    size_t size;
    int32_t block = block_at(heap, bits & address_mask, &size);
    if (block < 0 && rxtrace_heap_begin_block(heap, bits & address_mask, false))
        block = block_at(heap, bits & address_mask, &size);
    if (block < 0 || heap->node_of_block[block] == 0) return;
    int32_t node = heap->node_of_block[block] - 1;
    if (heap->graph.nodes[node].metadata != 0) add_edge(heap, node, spot, true, function);
}

static void lent_reference(rxtrace_heap *heap, uintptr_t bits, spot spot) {
    int32_t before = heap->graph.edge_count;
    reference(heap, bits, spot, 0);
    if (heap->graph.edge_count > before) heap->graph.edges[before].is_lent = true;
}

// Records an unsafe pointer, whose type does not state that it owns its target. The pointer is recorded only if the
// target is not an object; the target is then read.
static void pointer(rxtrace_heap *heap, uintptr_t bits, spot spot) {
    rxtrace_heap_begin_block(heap, bits & address_mask, true);
    int32_t node = rxtrace_heap_node_at(heap, bits);
    if (node >= 0 && heap->graph.nodes[node].metadata == 0) add_edge(heap, node, spot, false, 0);
}

// A weak reference points to the block that the runtime has allocated for all weak references to one object. It keeps
// that block, and not the object.
static void weak_reference(rxtrace_heap *heap, uintptr_t bits, spot spot) {
    int32_t node = rxtrace_heap_node_at(heap, bits);
    if (node < 0 || heap->graph.nodes[node].metadata != 0) return;
    heap->graph.nodes[node].references = rxtrace_of_weak_references;
    add_edge(heap, node, spot, true, 0);
}

// The code of a closure, if the word before its context looks like the address of code; 0 otherwise.
static uintptr_t function_before(const rxtrace_heap *heap, uintptr_t address, uintptr_t start) {
    if (address <= start) return 0;
    uintptr_t code = word_at(address - 8);
    const rxtrace_segment *segment = rxtrace_heap_segment_at(heap, code);
    return segment != NULL && segment->is_executable ? code : 0;
}

// Foreign memory is memory of C code. libdispatch inverts all bits of the references from timers to their owners
// (`du_owner_wref` in its event_internal.h).
static void scan_words(rxtrace_heap *heap, uintptr_t start, uintptr_t end, spot spot, bool is_foreign) {
    for (uintptr_t address = start; address + 8 <= end; address += 8) {
        uintptr_t bits = word_at(address);
        int32_t node = rxtrace_heap_node_at(heap, bits);
        if (node < 0 && is_foreign) node = rxtrace_heap_node_at(heap, ~bits);
        if (node >= 0) add_edge(heap, node, spot, false, function_before(heap, address, start));
    }
}

// MARK: Values

static rxtrace_layout layout_of_number(rxtrace_heap *heap, int32_t number) {
    size_t index = (size_t)number;
    if (index >= heap->layouts.count || !heap->layouts.items[index].is_known) {
        rxtrace_layout layout = heap->types->layout(heap->types->context, number);
        heap->answers++;
        RESERVE(heap->layouts, index + 1);
        if (heap->layouts.count <= index) heap->layouts.count = index + 1;
        heap->layouts.items[index] = (known_layout){layout, true};
    }
    return heap->layouts.items[index].layout;
}

// The layout of a type, within the property with that label unless the label is negative.
static rxtrace_layout layout_of_type(rxtrace_heap *heap, uintptr_t type, int32_t label) {
    // Addresses have 48 bits.
    uintptr_t key = type | (uintptr_t)(label + 1) << 48;
    int64_t number = rx_word_map_find(&heap->known_layouts, key);
    if (number == 0) {
        number = 1
            + (label < 0 ? heap->types->number(heap->types->context, type)
                         : heap->types->number_within(heap->types->context, type, label));
        heap->answers++;
        rxtrace_word_map_add(&heap->known_layouts, key, number);
    }
    return layout_of_number(heap, (int32_t)number - 1);
}

static uint32_t flags_of_type(uintptr_t type) { return half_at(word_at(type - 8) + 80); }

static void scan_value(rxtrace_heap *heap, const rxtrace_layout *layout, uintptr_t address, spot spot);

static void scan_existential(rxtrace_heap *heap, uintptr_t place, spot spot) {
    uintptr_t type = word_at(place + 24);
    if (!rxtrace_heap_is_type(heap, type)) return;
    // A value that does not fit into three words is stored in a box.
    if ((flags_of_type(type) & 0x20000) != 0) return reference(heap, word_at(place), spot, 0);
    bool isWithin = spot.label >= 0 && spot.label < UINT16_MAX;
    rxtrace_layout layout = layout_of_type(heap, type, isWithin ? spot.label : -1);
    // The labels of the layout begin with that of the property already.
    if (isWithin) spot.label = -1;
    scan_value(heap, &layout, place, spot);
}

typedef unsigned (*tag_witness)(const void *value, uintptr_t type);
typedef void (*payload_witness)(void *value, uintptr_t type);

// Works on a copy of the value, because reading the payload changes the value. The cases with a payload have the lowest
// tags.
static void scan_enumeration(rxtrace_heap *heap, const rxtrace_layout *layout, uintptr_t place, spot spot) {
    if (layout->metadata == 0 || layout->size == 0) return;
    _Alignas(16) char room[256];
    copy_room *taken = layout->size + 8 <= sizeof room ? NULL : rxtrace_heap_take_room(heap, layout->size + 8);
    void *copy = taken == NULL ? room : taken->bytes;
    memcpy(copy, (const void *)place, layout->size);
    uintptr_t witnesses = word_at(layout->metadata - 8);
    unsigned tag = ((tag_witness)word_at(witnesses + 88))(copy, layout->metadata);
    if (tag < (unsigned)layout->case_count) {
        ((payload_witness)word_at(witnesses + 96))(copy, layout->metadata);
        rxtrace_layout payload = layout_of_number(heap, layout->cases[tag]);
        scan_value(heap, &payload, (uintptr_t)copy, spot);
    }
    if (taken != NULL) rxtrace_heap_give_room(heap, taken);
}

static void scan_owned(rxtrace_heap *heap, uintptr_t place, size_t size, spot spot) {
    for (uintptr_t address = place; address + 8 <= place + size; address += 8) {
        reference(heap, word_at(address), spot, function_before(heap, address, place));
    }
}

static void scan_part(rxtrace_heap *heap, const rxtrace_part *part, uintptr_t place, spot spot) {
    uintptr_t bits;
    rxtrace_layout layout;
    switch (part->kind) {
    case rxtrace_part_strong: return reference(heap, word_at(place), spot, 0);
    case rxtrace_part_weak: return weak_reference(heap, word_at(place), spot);
    case rxtrace_part_lent: return lent_reference(heap, word_at(place), spot);
    case rxtrace_part_string:
        bits = word_at(place);
        // Bit 61 is set if the string has no object.
        if ((bits >> 61 & 1) == 0) reference(heap, bits & 0x0fffffffffffffff, spot, 0);
        return;
    case rxtrace_part_function:
        if (word_at(place) != 0) reference(heap, word_at(place + 8), spot, word_at(place));
        return;
    case rxtrace_part_existential: return scan_existential(heap, place, spot);
    case rxtrace_part_enumeration:
        layout = layout_of_number(heap, part->argument);
        return scan_enumeration(heap, &layout, place, spot);
    case rxtrace_part_pointer: return pointer(heap, word_at(place), spot);
    case rxtrace_part_continuation: return scan_words(heap, place, place + 8, spot, false);
    case rxtrace_part_owned: return scan_owned(heap, place, (size_t)part->argument, spot);
    case rxtrace_part_unknown:
        return scan_words(heap, (place + 7) & ~(uintptr_t)7, place + (size_t)part->argument, spot, false);
    }
}

// The depth of the recursion is the depth to which types nest, not data. A label of the enclosing value takes
// precedence over the labels of its parts. An enumeration passes no label on: the labels of its cases already begin
// with the name of the field.
static void scan_value(rxtrace_heap *heap, const rxtrace_layout *layout, uintptr_t address, spot outer) {
    for (int32_t index = 0; index < layout->part_count; index++) {
        const rxtrace_part *part = &layout->parts[index];
        bool isLabelled = outer.label >= 0 || part->kind == rxtrace_part_enumeration;
        scan_part(heap, part, address + part->offset, (spot){isLabelled ? outer.label : part->label, outer.index});
    }
}

// MARK: Objects

static void scan_array(rxtrace_heap *heap, const rxtrace_node *node, const rxtrace_shape *shape) {
    rxtrace_layout layout = layout_of_number(heap, shape->layout);
    if (layout.stride == 0 || shape->start >= node->size) return;
    // The storage contains the count, which may not have been written yet.
    uintptr_t count = word_at(node->address + 16), most = (node->size - shape->start) / layout.stride;
    if (count > most) count = most;
    for (uintptr_t index = 0; index < count; index++) {
        scan_value(heap, &layout, node->address + shape->start + index * layout.stride, (spot){-1, (int32_t)index});
    }
}

static void scan_column(rxtrace_heap *heap, const rxtrace_node *node, int32_t number, uintptr_t start, uintptr_t bitmap,
    uintptr_t buckets, int32_t label) {
    if (number < 0) return;
    rxtrace_layout layout = layout_of_number(heap, number);
    uintptr_t end = node->address + node->size;
    if (start < node->address || start > end || layout.stride * buckets > end - start) return;
    for (uintptr_t bucket = 0; bucket < buckets; bucket++) {
        if ((word_at(bitmap + bucket / 64 * 8) >> bucket % 64 & 1) == 0) continue;
        scan_value(heap, &layout, start + bucket * layout.stride, (spot){label, (int32_t)bucket});
    }
}

// Follows the layout of `__RawDictionaryStorage` and `__RawSetStorage` of the standard library.
static void scan_table(rxtrace_heap *heap, const rxtrace_node *node, const rxtrace_shape *shape) {
    uint8_t scale = *(const uint8_t *)(node->address + 32);
    if (scale >= 40) return;
    uintptr_t buckets = (uintptr_t)1 << scale;
    if (shape->start + buckets / 8 > node->size) return;
    uintptr_t bitmap = node->address + shape->start;
    scan_column(heap, node, shape->layout, word_at(node->address + 48), bitmap, buckets, shape->key_label);
    if (shape->values >= 0)
        scan_column(heap, node, shape->values, word_at(node->address + 56), bitmap, buckets, shape->value_label);
}

// Follows the layout of `ObserverList` of the core. The address of an observer that has left is 0.
static void scan_observers(rxtrace_heap *heap, const rxtrace_node *node) {
    uintptr_t count = word_at(node->address + 16), most = node->size < 40 ? 0 : (node->size - 40) / 16;
    for (uintptr_t index = 0; index < (count < most ? count : most); index++) {
        reference(heap, word_at(node->address + 40 + index * 16), (spot){-1, (int32_t)index}, 0);
    }
}

static void scan_error(rxtrace_heap *heap, const rxtrace_node *node) {
    uintptr_t type = word_at(node->address + 16);
    if (!rxtrace_heap_is_type(heap, type)) return;
    uintptr_t mask = flags_of_type(type) & 0xff;
    rxtrace_layout layout = layout_of_type(heap, type, -1);
    scan_value(heap, &layout, node->address + ((32 + mask) & ~mask), nowhere);
}

static rxtrace_shape shape_of(rxtrace_heap *heap, const rxtrace_node *node) {
    int64_t number = rx_word_map_find(&heap->known_shapes, node->metadata);
    if (number != 0) return heap->shapes.items[number - 1];
    rxtrace_shape shape = heap->types->shape(heap->types->context, node->metadata, node->address);
    if (!shape.is_shared) return shape;
    heap->answers++;
    APPEND(heap->shapes, shape);
    rxtrace_word_map_add(&heap->known_shapes, node->metadata, (int64_t)heap->shapes.count);
    return shape;
}

// Returns whether the object of a node still exists. Other threads run while the heap is read, and describing types
// allocates.
static bool is_unchanged(const rxtrace_heap *heap, const rxtrace_node *node) {
    intptr_t references;
    return word_at(node->address) == node->metadata && rxtrace_heap_count_references(heap, node->address, &references);
}

static void scan_object(rxtrace_heap *heap, const rxtrace_node *node) {
    uintptr_t end = node->address + node->size;
    rxtrace_shape shape = shape_of(heap, node);
    rxtrace_layout layout;
    switch (shape.kind) {
    case rxtrace_shape_fields:
    case rxtrace_shape_buffer:
        layout = layout_of_number(heap, shape.layout);
        scan_value(heap, &layout, node->address, nowhere);
        if (shape.kind == rxtrace_shape_buffer)
            scan_words(heap, node->address + ((shape.start + 7) & ~(size_t)7), end, nowhere, false);
        return;
    case rxtrace_shape_array: return scan_array(heap, node, &shape);
    case rxtrace_shape_table: return scan_table(heap, node, &shape);
    case rxtrace_shape_observers: return scan_observers(heap, node);
    case rxtrace_shape_error: return scan_error(heap, node);
    case rxtrace_shape_unknown: return scan_words(heap, node->address + shape.start, end, nowhere, false);
    }
}

void rxtrace_heap_find_references(rxtrace_heap *heap, const rxtrace_type_source *types) {
    rxtrace_graph *graph = &heap->graph;
    heap->types = types;
    for (int32_t index = 0;; index++) {
        size_t count = (size_t)index + 1;
        if (count > graph->start_room)
            graph->edge_start =
                rxtrace_heap_grown(graph->edge_start, &graph->start_room, count, sizeof *graph->edge_start);
        graph->edge_start[index] = graph->edge_count;
        if (index == graph->node_count) break;
        rxtrace_node node = graph->nodes[index];
        if (node.references == rxtrace_of_weak_references) continue;
        if (node.metadata == 0) {
            scan_words(heap, node.address, node.address + node.size, nowhere, true);
        } else if (is_unchanged(heap, &node)) {
            scan_object(heap, &node);
        }
    }
    heap->types = NULL;
    size_t size = (size_t)graph->node_count * sizeof(int32_t);
    if (size == 0) return;
    int32_t *unaccounted = rxtrace_heap_zeroes(size);
    rxtrace_graph_unaccounted(graph, unaccounted);
    rxtrace_graph_refute(graph, unaccounted);
    rx_release(unaccounted, size);
}

size_t rxtrace_heap_answers(const rxtrace_heap *heap) { return heap->answers; }
#endif
