// The functions of an image by their addresses.
#pragma once
#include "dwarf.h"

typedef struct rx_symbol_table rx_symbol_table;

// From an ELF symbol table of 64 bits and its names, which are used for as long as the result is. NULL if no function is in it.
rx_symbol_table *rx_symbol_table_make(rx_bytes symbols, rx_bytes names);

// The name of the last function that begins at or before an address; NULL if there is none.
const char *rx_symbol_table_find(const rx_symbol_table *table, uint64_t address);
