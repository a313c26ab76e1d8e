#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// A source location. The path consists of `base`, `directory` and `file`, without the parts before an absolute part. A
/// part is NULL if it is not specified. The texts stay valid.
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

/// The result of looking up the lines at an address of this process.
typedef enum {
    /// The lines are not known.
    rx_lines_unknown,
    /// The lines were found.
    rx_lines_found,
    /// The lines may be in a place that this code does not read: in a separate debug information file, or compressed.
    rx_lines_elsewhere,
} rx_lines_answer;

/// Reads source locations and names from the files of this process's images. `CRxTrace` has one, and links it when the
/// program starts. A program without `RxTrace` has none.
typedef struct {
    rx_lines_answer (*_Nonnull lines_at)(uintptr_t address, rx_line *_Nonnull line);
    const char *_Nullable (*_Nonnull function_at)(uintptr_t address, const char *_Nullable *_Nonnull name_of_image);
    bool (*_Nonnull image_is_read)(uintptr_t address);
} rx_image_reader;

/// Makes the functions below use a reader, or none. Returns the reader that they used before.
const rx_image_reader *_Nullable rx_image_reader_link(const rx_image_reader *_Nullable reader);

/// Finds the source location of the instruction at an address of this process. Do not pass the return address, which is
/// after the call. `rx_lines_elsewhere` without a reader.
rx_lines_answer rx_lines_at(uintptr_t address, rx_line *_Nonnull line);

/// Returns the mangled name of the function at an address of this process, and the file name of its image, or NULL if
/// the image's file does not contain the name, or without a reader. Both texts stay valid.
const char *_Nullable rx_function_at(uintptr_t address, const char *_Nullable *_Nonnull name_of_image);

/// Returns whether `rx_lines_at` and `rx_function_at` provide all available information about the image of an address.
bool rx_image_is_read(uintptr_t address);
