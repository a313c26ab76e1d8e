#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// `mallctlbymib` of the allocator that this process runs on.
typedef int (*rxtrace_allocator_query)(
    const size_t *_Nonnull mib, size_t length, void *_Nullable old_value, size_t *_Nullable old_size,
    void *_Nullable new_value, size_t new_size);

/// A piece of memory that the allocator deals out in `regions` equal blocks; one, if the piece is a block of its own.
typedef struct rxtrace_extent {
    uintptr_t start;
    size_t size;
    size_t regions;
} rxtrace_extent;

/// Whether the allocator can be asked about the gibibyte that `address` lies in; asked about one that it never used, it
/// ends the process.
bool rxtrace_heap_is_known(rxtrace_allocator_query _Nonnull query, const size_t *_Nonnull mib, uintptr_t address);

/// Whether an extent begins at, or around, a page-aligned address of a known gibibyte, and which.
bool rxtrace_heap_extent_at(rxtrace_allocator_query _Nonnull query, const size_t *_Nonnull mib, uintptr_t address,
    rxtrace_extent *_Nonnull extent);

/// A loaded part of the program or of one of its libraries.
typedef struct rxtrace_segment {
    uintptr_t start;
    uintptr_t end;
    /// Added to the addresses in the image's file.
    uintptr_t bias;
    bool is_writable;
    bool is_executable;
    /// Empty for the program itself.
    const char *_Nonnull path;
} rxtrace_segment;

/// The loaded segments: at most `capacity` are written, as many as there are counted.
size_t rxtrace_segments(rxtrace_segment *_Nonnull segments, size_t capacity);

/// The type that a mangled name stands for, or NULL: generic parameters are those of `context` and are taken from
/// `arguments`.
const void *_Nullable rxtrace_type_by_mangled_name(
    const char *_Nonnull name, size_t length, const void *_Nullable context, const void *_Nullable arguments);

/// The same with the generic parameters that a generic environment describes.
const void *_Nullable rxtrace_type_by_mangled_name_in_environment(
    const char *_Nonnull name, size_t length, const void *_Nonnull environment, const void *_Nullable arguments);

/// A symbol's name as the user would write it, to be freed; NULL if it is not mangled.
char *_Nullable rxtrace_demangle(const char *_Nonnull name);
