#pragma once
#include "CLines.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Bytes that are owned by other code. `start` is NULL if there are no bytes.
typedef struct {
    const uint8_t *_Nullable start;
    size_t size;
} rxtrace_bytes;

/// The sections of an image that contain source locations (DWARF 2 to 5). Lines need only `line`. The other sections
/// are for paths that it stores elsewhere, and for inlined functions.
typedef struct {
    rxtrace_bytes line, line_str, str, info, abbrev, str_offsets, addr, ranges, rnglists;
} rxtrace_line_sections;

/// An index of the line programs, by address.
typedef struct rxtrace_line_table rxtrace_line_table;

/// Reads the line programs once. Returns NULL if they contain no code. The sections must stay valid while the table
/// exists.
///
/// O(n) for n bytes. Uses 48 bytes outside the heap for each sequence of code.
rxtrace_line_table *_Nullable rxtrace_line_table_make(const rxtrace_line_sections *_Nonnull sections);

void rxtrace_line_table_free(rxtrace_line_table *_Nullable table);

/// Returns the number of sequences of code in the table.
size_t rxtrace_line_table_count(const rxtrace_line_table *_Nonnull table);

/// Returns the start and the end of the code of a sequence.
void rxtrace_line_table_range(
    const rxtrace_line_table *_Nonnull table, size_t index, uint64_t *_Nonnull low, uint64_t *_Nonnull high);

/// Finds the source location of the instruction at an address of the file. Returns `false` if the table does not
/// contain it.
bool rxtrace_line_table_find(const rxtrace_line_table *_Nonnull table, uint64_t address, rx_line *_Nonnull line);

/// Returns the table of the image that contains an address, and the offset at which the image was loaded from its
/// file's addresses. Returns NULL if the image has no table that this code can read.
const rxtrace_line_table *_Nullable rxtrace_lines_table_at(uintptr_t address, uintptr_t *_Nonnull bias);

/// Finds the source location of the instruction at an address of this process. Do not pass the return address, which is
/// after the call.
///
/// You can call it from any thread. The first call for an image maps and indexes its file, which takes milliseconds.
/// The index is kept.
rx_lines_answer rxtrace_lines_at(uintptr_t address, rx_line *_Nonnull line);

/// Returns the mangled name of the function at an address of this process, and the file name of its image, or NULL if
/// the image's file does not contain the name.
///
/// In a stripped library, this is the exported function before the address. You can call it from any thread. Both texts
/// stay valid.
const char *_Nullable rxtrace_function_at(uintptr_t address, const char *_Nullable *_Nonnull name_of_image);

/// Returns whether `rxtrace_lines_at` and `rxtrace_function_at` provide all available information about the image of an
/// address.
/// Takes a few microseconds.
bool rxtrace_image_is_read(uintptr_t address);

/// A program or library in this process.
typedef struct {
    /// The range from its first byte to the end of its last instruction.
    uintptr_t start, end;
    uint8_t build_id[20];
    /// The length of its build id, or 0 if it has no build id.
    uint8_t build_id_count;
    /// The path of its file, absolute if it was found as an absolute path.
    char path[4096];
} rxtrace_listed_image;

/// Writes the first `limit` of the images that are loaded from files. Returns the total number of such images.
///
/// Runs under the loader's lock: an image that another thread unloads or unmaps at the same time is not accessed.
size_t rxtrace_images_list(rxtrace_listed_image *_Nonnull images, size_t limit);

enum { rxtrace_parameter_limit = 64 };

/// A function as the debug information describes it.
typedef struct {
    /// The names of its parameters, followed by the names of its captures. Empty if one of them has no name. The texts
    /// stay valid.
    const char *_Nullable names[rxtrace_parameter_limit];
    uint32_t count;
    /// The location of its declaration.
    rx_source_location place;
} rxtrace_described_function;

/// Finds the description of a function. Returns `false` if there is no description.
///
/// - Parameters:
///   - address: an address in its code, or in a thunk that forwards to it.
///   - function: its mangled name.
bool rxtrace_function_described(
    uintptr_t address, const char *_Nonnull function, rxtrace_described_function *_Nonnull found);

/// Returns one of the names, or NULL beyond the last one.
const char *_Nullable rxtrace_parameter_name(const rxtrace_described_function *_Nonnull function, uint32_t index);

/// A function or variable of an image. A symbol without a name means that no symbol was found.
typedef struct rxtrace_symbol {
    uintptr_t address;
    size_t size;
    /// The mangled name, which stays valid.
    const char *_Nullable name;
    bool is_variable;
} rxtrace_symbol;

/// The defined functions and variables of an image, by address.
typedef struct rxtrace_symbols rxtrace_symbols;

/// Returns the symbols of the image that contains an address of this process, or NULL if its file contains no symbols.
/// All lookups share them.
///
/// In a stripped library, these are the exported symbols. You can call it from any thread. The first call for an image
/// maps and indexes its file, which takes milliseconds. The index is kept, and later calls take a few microseconds.
const rxtrace_symbols *_Nullable rxtrace_symbols_at(uintptr_t address);

/// Reads the symbols of a 64-bit ELF file that is not loaded, as if it were loaded at `bias` above its addresses.
/// Returns NULL if it has no symbols.
///
/// O(n log n) for n symbols. They are never freed and take 16 bytes each outside the heap. The file stays mapped,
/// because the names are read in place.
const rxtrace_symbols *_Nullable rxtrace_symbols_read(const char *_Nonnull path, uintptr_t bias);

/// Returns the symbol that contains an address. If several symbols start at one address, returns the last of them in
/// the file. O(log n).
rxtrace_symbol rxtrace_symbol_at(const rxtrace_symbols *_Nonnull symbols, uintptr_t address);

/// Returns the last function that starts at or before an address, regardless of its size. O(log n).
rxtrace_symbol rxtrace_symbol_before(const rxtrace_symbols *_Nonnull symbols, uintptr_t address);

/// Returns the first symbol with a name in the file. O(n).
rxtrace_symbol rxtrace_symbol_named(const rxtrace_symbols *_Nonnull symbols, const char *_Nonnull name);
