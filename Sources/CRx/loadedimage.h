// The images of this process, their files read once.
#pragma once
#include "imagefile.h"
#include "symbols.h"

// An image that was asked for, kept for as long as the process lives: texts in its file are handed out.
typedef struct {
    uintptr_t bias;
    rx_image_identity identity;
    const rx_line_table *lines;
    // What is answered of lines if there is no table.
    rx_lines_answer without;
    const rx_symbols *symbols;
    char name[128];
} rx_loaded_image;

// The image that holds an address; NULL, and what to answer of its lines, where none is known. From any thread.
const rx_loaded_image *rx_loaded_image_at(uintptr_t address, rx_lines_answer *without);
