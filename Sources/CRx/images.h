// The images of this process, the files that they were loaded from, and the symbols of those.
#pragma once
// Before the first header of the system.
#if defined(__linux__) && !defined(_GNU_SOURCE)
#define _GNU_SOURCE
#endif
#include "CImages.h"
#include "lines.h"
#include <stdbool.h>
#include <stddef.h>

// Sorts items by the number of eight bytes that each begins with; equal ones stay in their order. O(n) for each byte in
// which numbers differ, never more than eight. As much memory of the system again meanwhile; `false`, and nothing is
// moved, where there is none.
bool rx_sort(void *items, size_t count, size_t size);

// From an ELF symbol table of 64 bits and its names, which are used for as long as the result is: for ever. NULL if it
// defines nothing.
const rx_symbols *rx_symbols_make(rx_bytes table, rx_bytes names, uintptr_t bias);

#if defined(__linux__) && __SIZEOF_POINTER__ == 8
#include <link.h>

// Tells one build from another: the build id, or the hash of the program headers where there is none.
typedef struct {
    uint8_t bytes[20];
    uint8_t count;
    bool is_build_id;
} rx_image_identity;

rx_image_identity rx_identity_of_loaded(uintptr_t bias, const ElfW(Phdr) *parts, size_t count);

bool rx_identities_equal(const rx_image_identity *one, const rx_image_identity *other);

typedef enum { rx_image_without_lines, rx_image_has_lines, rx_image_lines_elsewhere } rx_image_lines;

typedef struct {
    rx_image_lines lines;
    rx_line_sections sections;
    // The symbol table with what is not exported, or that of what is where there is no other.
    rx_bytes symbols, symbol_names;
} rx_image_file;

// Maps the file, read-only and for good, if it is the one that was loaded, and finds its sections; any file where
// `loaded` is NULL.
rx_image_file rx_image_open(const char *path, const rx_image_identity *loaded);

// An image that was asked for, kept for as long as the process lives: texts in its file are handed out.
typedef struct {
    uintptr_t bias;
    rx_image_identity identity;
    const rx_line_table *lines;
    // The answer about lines if there is no table.
    rx_lines_answer without;
    const rx_symbols *symbols;
    char name[128];
} rx_loaded_image;

// The image that holds an address; NULL, and what to answer of its lines, where none is known. From any thread.
const rx_loaded_image *rx_loaded_image_at(uintptr_t address, rx_lines_answer *without);
#endif
