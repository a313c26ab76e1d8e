#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// A function or variable of an image; one without a name stands for none.
typedef struct rx_symbol {
    uintptr_t address;
    size_t size;
    /// Mangled; stays.
    const char *_Nullable name;
    bool is_variable;
} rx_symbol;

/// The defined functions and variables of an image, by address.
typedef struct rx_symbols rx_symbols;

/// The symbols of the image that holds an address of this process, which all lookups share; NULL where its file tells
/// none.
///
/// In a library that was stripped they are the exported ones. From any thread. The first time for an image its file is
/// mapped and indexed, which takes milliseconds, and kept; later some microseconds.
const rx_symbols *_Nullable rx_symbols_at(uintptr_t address);

/// The symbols of an ELF file of 64 bits that nobody has loaded, as if it lay `bias` above its addresses; NULL if it
/// has none.
///
/// O(n log n) for n symbols. They live for ever, outside the heap, 16 bytes each, and the file stays mapped: names are
/// read where they stand.
const rx_symbols *_Nullable rx_symbols_read(const char *_Nonnull path, uintptr_t bias);

/// The symbol that an address lies in; the last in the file of those that begin at one address. O(log n).
rx_symbol rx_symbol_at(const rx_symbols *_Nonnull symbols, uintptr_t address);

/// The last function that begins at or before an address, whatever its size. O(log n).
rx_symbol rx_symbol_before(const rx_symbols *_Nonnull symbols, uintptr_t address);

/// The first symbol of a name in the file. O(n).
rx_symbol rx_symbol_named(const rx_symbols *_Nonnull symbols, const char *_Nonnull name);
