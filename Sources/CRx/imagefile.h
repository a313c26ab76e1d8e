// The file that an image was loaded from.
#pragma once
#include "lines.h"
#include <link.h>

// What tells one build from another: its build id, or the hash of its program headers where it has none.
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
