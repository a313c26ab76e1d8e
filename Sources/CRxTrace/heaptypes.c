#include "heapreader.h"

#if defined(__linux__)
// Tells words that refer to types from all others, before anything is read through them (docs/ABI/TypeMetadata.rst in
// the Swift repository).

static bool is_in_image(const rxtrace_heap *heap, uintptr_t address) {
    return rxtrace_heap_segment_at(heap, address) != NULL;
}

bool rxtrace_heap_is_readable(const rxtrace_heap *heap, uintptr_t address, size_t size) {
    if (address <= 4096 || address >> 47 != 0) return false;
    return (is_in_image(heap, address) && is_in_image(heap, address + size - 1)) ||
           rxtrace_heap_is_in_extent(heap, address, size);
}

// Whether the description of a class (16), struct (17) or enumeration (18) lies at an address.
static bool is_descriptor(const rxtrace_heap *heap, uintptr_t address, uint32_t kind) {
    return (address & 3) == 0 && is_in_image(heap, address) && is_in_image(heap, address + 47) &&
           (half_at(address) & 0x1f) == kind;
}

static bool may_be_type(uintptr_t address) { return (address & 7) == 0 && address >= 4096 && address >> 47 == 0; }

static int64_t read_instance_size(rxtrace_heap *heap, uintptr_t address) {
    if (!rxtrace_heap_is_readable(heap, address, 48)) return -1;
    uint32_t size;
    switch (word_at(address)) {
    case 0:
        size = half_at(address + 24);
        return is_descriptor(heap, word_at(address + 40), 16) && size >= 16 ? size : -1;
    // Contexts, errors and tasks have types of the program's and the runtime's own; boxes of generic types are
    // described when they are met.
    case 0x400: return is_in_image(heap, address) ? 16 : -1;
    case 0x500: return rxtrace_heap_is_type(heap, word_at(address + 16)) ? 24 : -1;
    case 0x501:
    case 0x502: return is_in_image(heap, address) ? 24 : -1;
    default: return -1;
    }
}

int64_t rxtrace_heap_instance_size(rxtrace_heap *heap, uintptr_t metadata) {
    // Most words are no address at all, and need not be remembered.
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
    // The value witnesses stand before the type.
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
