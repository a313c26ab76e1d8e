#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// A function or variable of a file; one without a name stands for none.
typedef struct rx_symbol {
    uintptr_t address;
    size_t size;
    /// Mangled; lives as long as the symbols do.
    const char *_Nullable name;
    bool is_variable;
} rx_symbol;

typedef struct rx_symbols rx_symbols;

/// The defined symbols of an ELF file whose addresses are moved by `bias`; NULL if it has none. O(n log n) for n symbols.
///
/// They live for ever, outside the heap, and the file stays mapped: names are read where they stand.
const rx_symbols *_Nullable rx_symbols_read(const char *_Nonnull path, uintptr_t bias);
/// The symbol that an address lies in. O(log n).
rx_symbol rx_symbol_at(const rx_symbols *_Nonnull symbols, uintptr_t address);
/// The first symbol of a name. O(n).
rx_symbol rx_symbol_named(const rx_symbols *_Nonnull symbols, const char *_Nonnull name);
