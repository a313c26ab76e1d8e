#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Bytes that are owned by other code. `start` is NULL if there are no bytes.
typedef struct {
    const uint8_t *_Nullable start;
    size_t size;
} rx_bytes;

/// The sections of an image that contain source locations (DWARF 2 to 5). Lines need only `line`. The other sections
/// are for paths that it stores elsewhere, and for inlined functions.
typedef struct {
    rx_bytes line, line_str, str, info, abbrev, str_offsets, addr, ranges, rnglists;
} rx_line_sections;

/// A source location. The texts are stored in the sections. The path consists of `base`, `directory` and `file`,
/// without the parts before an absolute part. A part is NULL if it is not specified.
typedef struct {
    const char *_Nullable base, *_Nullable directory, *_Nullable file;
    /// Starts at 1, or 0 if there is no line.
    uint32_t line;
} rx_source_location;

/// A function that was inlined at an address, and the location of its call.
typedef struct {
    /// The mangled name, or the plain name in a language without mangling. NULL if it is not specified.
    const char *_Nullable name;
    rx_source_location call;
} rx_inlined_function;

enum { rx_inlined_limit = 32 };

/// The source location of an instruction, and the functions that it was inlined through, innermost first.
typedef struct {
    rx_source_location place;
    uint32_t inlined_count;
    rx_inlined_function inlined[rx_inlined_limit];
} rx_line;

/// Returns one of the inlined functions, or NULL beyond the last one.
const rx_inlined_function *_Nullable rx_inlined_at(const rx_line *_Nonnull line, uint32_t index);

/// An index of the line programs, by address.
typedef struct rx_line_table rx_line_table;

/// Reads the line programs once. Returns NULL if they contain no code. The sections must stay valid while the table
/// exists.
///
/// O(n) for n bytes. Uses 48 bytes outside the heap for each sequence of code.
rx_line_table *_Nullable rx_line_table_make(const rx_line_sections *_Nonnull sections);

void rx_line_table_free(rx_line_table *_Nullable table);

/// Returns the number of sequences of code in the table.
size_t rx_line_table_count(const rx_line_table *_Nonnull table);

/// Returns the start and the end of the code of a sequence.
void rx_line_table_range(
    const rx_line_table *_Nonnull table, size_t index, uint64_t *_Nonnull low, uint64_t *_Nonnull high);

/// Finds the source location of the instruction at an address of the file. Returns `false` if the table does not
/// contain it.
bool rx_line_table_find(const rx_line_table *_Nonnull table, uint64_t address, rx_line *_Nonnull line);

/// The result of looking up the lines at an address of this process.
typedef enum {
    /// The lines are not known.
    rx_lines_unknown,
    /// The lines were found.
    rx_lines_found,
    /// The lines may be in a place that this code does not read: in a separate debug information file, or compressed.
    rx_lines_elsewhere,
} rx_lines_answer;

/// Returns the table of the image that contains an address, and the offset at which the image was loaded from its
/// file's addresses. Returns NULL if the image has no table that this code can read.
const rx_line_table *_Nullable rx_lines_table_at(uintptr_t address, uintptr_t *_Nonnull bias);

/// Finds the source location of the instruction at an address of this process. Do not pass the return address, which is
/// after the call.
///
/// You can call it from any thread. The first call for an image maps and indexes its file, which takes milliseconds.
/// The index is kept.
rx_lines_answer rx_lines_at(uintptr_t address, rx_line *_Nonnull line);

/// Returns the mangled name of the function at an address of this process, and the file name of its image, or NULL if
/// the image's file does not contain the name.
///
/// In a stripped library, this is the exported function before the address. You can call it from any thread. Both texts
/// stay valid.
const char *_Nullable rx_function_at(uintptr_t address, const char *_Nullable *_Nonnull name_of_image);

/// Returns whether `rx_lines_at` and `rx_function_at` provide all available information about the image of an address.
/// Takes a few microseconds.
bool rx_image_is_read(uintptr_t address);

/// A program or library in this process.
typedef struct {
    /// The range from its first byte to the end of its last instruction.
    uintptr_t start, end;
    uint8_t build_id[20];
    /// The length of its build id, or 0 if it has no build id.
    uint8_t build_id_count;
    /// The path of its file, absolute if it was found as an absolute path.
    char path[4096];
} rx_listed_image;

/// Writes the first `limit` of the images that are loaded from files. Returns the total number of such images.
///
/// Runs under the loader's lock: an image that another thread unloads or unmaps at the same time is not accessed.
size_t rx_images_list(rx_listed_image *_Nonnull images, size_t limit);

enum { rx_parameter_limit = 64 };

/// A function as the debug information describes it.
typedef struct {
    /// The names of its parameters, followed by the names of its captures. Empty if one of them has no name. The texts
    /// stay valid.
    const char *_Nullable names[rx_parameter_limit];
    uint32_t count;
    /// The location of its declaration.
    rx_source_location place;
} rx_described_function;

/// Finds the description of a function. Returns `false` if there is no description.
///
/// - Parameters:
///   - address: an address in its code, or in a thunk that forwards to it.
///   - function: its mangled name.
bool rx_function_described(uintptr_t address, const char *_Nonnull function, rx_described_function *_Nonnull found);

/// Returns one of the names, or NULL beyond the last one.
const char *_Nullable rx_parameter_name(const rx_described_function *_Nonnull function, uint32_t index);

/// A function or variable of an image. A symbol without a name means that no symbol was found.
typedef struct rx_symbol {
    uintptr_t address;
    size_t size;
    /// The mangled name, which stays valid.
    const char *_Nullable name;
    bool is_variable;
} rx_symbol;

/// The defined functions and variables of an image, by address.
typedef struct rx_symbols rx_symbols;

/// Returns the symbols of the image that contains an address of this process, or NULL if its file contains no symbols.
/// All lookups share them.
///
/// In a stripped library, these are the exported symbols. You can call it from any thread. The first call for an image
/// maps and indexes its file, which takes milliseconds. The index is kept, and later calls take a few microseconds.
const rx_symbols *_Nullable rx_symbols_at(uintptr_t address);

/// Reads the symbols of a 64-bit ELF file that is not loaded, as if it were loaded at `bias` above its addresses.
/// Returns NULL if it has no symbols.
///
/// O(n log n) for n symbols. They are never freed and take 16 bytes each outside the heap. The file stays mapped,
/// because the names are read in place.
const rx_symbols *_Nullable rx_symbols_read(const char *_Nonnull path, uintptr_t bias);

/// Returns the symbol that contains an address. If several symbols start at one address, returns the last of them in
/// the file. O(log n).
rx_symbol rx_symbol_at(const rx_symbols *_Nonnull symbols, uintptr_t address);

/// Returns the last function that starts at or before an address, regardless of its size. O(log n).
rx_symbol rx_symbol_before(const rx_symbols *_Nonnull symbols, uintptr_t address);

/// Returns the first symbol with a name in the file. O(n).
rx_symbol rx_symbol_named(const rx_symbols *_Nonnull symbols, const char *_Nonnull name);
