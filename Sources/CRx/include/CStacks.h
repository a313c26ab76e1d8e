#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// The maximum number of calls in a recorded stack.
enum { rx_stack_depth = 64 };

/// Identifies a recorded stack. Equal stacks have equal identifiers. 0 means no stack.
typedef uint32_t rx_stack;

/// Writes the return addresses of the current call stack, innermost first, starting with the return address of the
/// function that called this one. Returns the number of addresses.
///
/// Follows frame pointers, only within this thread's stack, with two loads per frame. Code that was compiled without
/// frame pointers ends the walk, or hides its caller.
uint32_t rx_stack_walk(uintptr_t *_Nonnull addresses, uint32_t limit);

/// Records a stack, innermost call first, with at most `rx_stack_depth` calls. Returns 0 if there are no calls, or no
/// space for another stack.
rx_stack rx_stack_store(const uintptr_t *_Nonnull addresses, uint32_t count);

/// Copies a recorded stack's return addresses, innermost first. Returns the number of addresses.
uint32_t rx_stack_addresses(rx_stack stack, uintptr_t *_Nonnull addresses, uint32_t limit);

/// Returns the path of the program or library with code at an address, and the offset of the address in it. Returns
/// NULL if there is no such image.
const char *_Nullable rx_image_of(uintptr_t address, uintptr_t *_Nonnull offset);

/// Sets whether errors are recorded with the calls that threw them: the latest 64 errors of the process. They are kept
/// alive, so that no other error takes the same address. Turning it off discards them.
///
/// Until it is first turned on, a throw has no additional cost. After that, the cost is one load and one comparison.
void rx_throws_record(bool on);

/// Writes the return addresses of the calls that threw the error in `box`, innermost first. Returns the number of
/// addresses, or 0 if the error is not recorded.
size_t rx_throw_addresses(const void *_Nonnull box, uintptr_t *_Nonnull addresses, size_t limit);

/// Does the same as `rx_throw_addresses`, for the last typed throw (`throws(Failure)`) on this thread of the error type
/// with this metadata. Such an error has no box yet.
size_t rx_typed_throw_addresses(const void *_Nonnull type, uintptr_t *_Nonnull addresses, size_t limit);
