#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Bytes that belong to somebody else; `start` is NULL where there are none.
typedef struct {
    const uint8_t *_Nullable start;
    size_t size;
} rx_bytes;

/// The sections of an image that say where its code was written (DWARF 2 to 5); only `line` is needed for lines, the
/// others for the paths that it spells elsewhere and for inlined functions.
typedef struct {
    rx_bytes line, line_str, str, info, abbrev, str_offsets, addr, ranges, rnglists;
} rx_line_sections;

/// A place in the sources. The texts stand in the sections. The path: `base`, `directory` and `file`, what comes before
/// an absolute one left out; NULL where nothing is said.
typedef struct {
    const char *_Nullable base, *_Nullable directory, *_Nullable file;
    /// From 1; 0: none of the lines.
    uint32_t line;
} rx_source_location;

/// A function that was inlined where an address lies, and where it was called.
typedef struct {
    /// The mangled name, or the plain one of a language without; NULL where nothing is said.
    const char *_Nullable name;
    rx_source_location call;
} rx_inlined_function;

enum { rx_inlined_limit = 32 };

/// Where an instruction was written, and the functions it was inlined through, the innermost first.
typedef struct {
    rx_source_location place;
    uint32_t inlined_count;
    rx_inlined_function inlined[rx_inlined_limit];
} rx_line;

/// One of them; NULL beyond the last.
const rx_inlined_function *_Nullable rx_inlined_at(const rx_line *_Nonnull line, uint32_t index);

/// An index of the line programs, by address.
typedef struct rx_line_table rx_line_table;

/// Reads the line programs once. NULL if no code is in them. The sections are used for as long as the table is.
///
/// O(n) for n bytes. Outside the heap: 48 bytes for each sequence of code.
rx_line_table *_Nullable rx_line_table_make(const rx_line_sections *_Nonnull sections);

void rx_line_table_free(rx_line_table *_Nullable table);

/// How many sequences of code it knows.
size_t rx_line_table_count(const rx_line_table *_Nonnull table);

/// Where the code of a sequence begins, and where it ends.
void rx_line_table_range(
    const rx_line_table *_Nonnull table, size_t index, uint64_t *_Nonnull low, uint64_t *_Nonnull high);

/// Where the instruction at an address of the file was written. `false` if the table does not tell.
bool rx_line_table_find(const rx_line_table *_Nonnull table, uint64_t address, rx_line *_Nonnull line);

/// How much is known of the lines at an address of this process.
typedef enum {
    /// Nothing.
    rx_lines_unknown,
    /// They were found.
    rx_lines_found,
    /// They may stand where this does not read: in a file of debug information beside the image's own, or compressed.
    rx_lines_elsewhere,
} rx_lines_answer;

/// The table of the image that holds an address, and how far from its file's addresses it was loaded; NULL where it has
/// none that this reads.
const rx_line_table *_Nullable rx_lines_table_at(uintptr_t address, uintptr_t *_Nonnull bias);

/// Where the instruction at an address of this process was written; not the return address, which lies behind the call.
///
/// From any thread. The first time for an image its file is mapped and indexed, which takes milliseconds, and kept.
rx_lines_answer rx_lines_at(uintptr_t address, rx_line *_Nonnull line);

/// The mangled name of the function at an address of this process, and its image's file name; NULL where the image's
/// file tells none.
///
/// In a library that was stripped this is the exported function before it. From any thread; both texts stay.
const char *_Nullable rx_function_at(uintptr_t address, const char *_Nullable *_Nonnull name_of_image);

/// Whether `rx_lines_at` and `rx_function_at` are all there is to be asked about the image of an address: some
/// microseconds.
bool rx_image_is_read(uintptr_t address);

/// A program or library in this process.
typedef struct {
    /// From its first byte to behind its last instruction.
    uintptr_t start, end;
    uint8_t build_id[20];
    /// Of its build id; 0: it has none.
    uint8_t build_id_count;
    /// Of its file, absolute if it was found so.
    char path[4096];
} rx_listed_image;

/// Writes the images that are loaded from files, the first `limit` of them; returns how many there are.
///
/// Under the loader's lock: an image that another thread unloads or unmaps meanwhile is not touched.
size_t rx_images_list(rx_listed_image *_Nonnull images, size_t limit);

enum { rx_parameter_limit = 64 };

/// A function as the debug information describes it.
typedef struct {
    /// Its parameters' names, and behind them those of what it captures; none where one of them has no name.
    /// The texts stay.
    const char *_Nullable names[rx_parameter_limit];
    uint32_t count;
    /// Where it is declared.
    rx_source_location place;
} rx_described_function;

/// Finds the description of a function; `false` if there is none.
///
/// - Parameters:
///   - address: of its code, or of what forwards to it.
///   - function: its mangled name.
bool rx_function_described(uintptr_t address, const char *_Nonnull function, rx_described_function *_Nonnull found);

/// One of the names; NULL beyond the last.
const char *_Nullable rx_parameter_name(const rx_described_function *_Nonnull function, uint32_t index);

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
