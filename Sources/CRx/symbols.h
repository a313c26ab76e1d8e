// The symbols of a file by their addresses.
#pragma once
#include "CSymbols.h"
#include "dwarf.h"

// From an ELF symbol table of 64 bits and its names, which are used for as long as the result is: for ever. NULL if it
// defines nothing.
const rx_symbols *rx_symbols_make(rx_bytes table, rx_bytes names, uintptr_t bias);
