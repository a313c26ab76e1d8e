// The images of this process, the files that they were loaded from, and the symbols of those files.
#pragma once
// Must precede the first system header.
#if defined(__linux__) && !defined(_GNU_SOURCE)
#define _GNU_SOURCE
#endif
#include "CImages.h"
#include "lines.h"
#include <stdbool.h>
#include <stddef.h>

// Sorts items by the eight-byte number at the start of each item. Items with equal numbers keep their order. O(n) for
// each byte in which numbers differ, at most eight. Needs the same amount of memory again while it runs. Returns
// `false` and moves nothing if that memory is not available.
bool rxtrace_sort(void *items, size_t count, size_t size);

// Creates symbols from a 64-bit ELF symbol table and its names. Both must stay valid while the result exists, which is
// forever. Returns NULL if the table defines no symbols.
const rxtrace_symbols *rxtrace_symbols_make(rxtrace_bytes table, rxtrace_bytes names, uintptr_t bias);

#if defined(__linux__) && __SIZEOF_POINTER__ == 8
#include <link.h>

// Distinguishes one build from another: the build id, or the hash of the program headers if there is no build id.
typedef struct {
    uint8_t bytes[20];
    uint8_t count;
    bool is_build_id;
} rxtrace_image_identity;

rxtrace_image_identity rxtrace_identity_of_loaded(uintptr_t bias, const ElfW(Phdr) *parts, size_t count);

bool rxtrace_identities_equal(const rxtrace_image_identity *one, const rxtrace_image_identity *other);

typedef enum {
    rxtrace_image_without_lines,
    rxtrace_image_has_lines,
    rxtrace_image_lines_elsewhere,
} rxtrace_image_lines;

typedef struct {
    rxtrace_image_lines lines;
    rxtrace_line_sections sections;
    // The symbol table that includes unexported symbols, or the table of exported symbols if there is no other.
    rxtrace_bytes symbols, symbol_names;
} rxtrace_image_file;

// Maps the file read-only and permanently, and finds its sections, if it is the file that was loaded. Accepts any file
// if `loaded` is NULL.
rxtrace_image_file rxtrace_image_open(const char *path, const rxtrace_image_identity *loaded);

// An image that was looked up. It is kept until the process exits, because callers receive texts in its file.
typedef struct {
    uintptr_t bias;
    rxtrace_image_identity identity;
    const rxtrace_line_table *lines;
    // The answer about lines if there is no table.
    rx_lines_answer without;
    const rxtrace_symbols *symbols;
    char name[128];
} rxtrace_loaded_image;

// Returns the image that contains an address. If no image is known, returns NULL and stores the answer about its lines.
// You can call it from any thread.
const rxtrace_loaded_image *rxtrace_loaded_image_at(uintptr_t address, rx_lines_answer *without);
#endif
