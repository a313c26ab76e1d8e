#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// How many calls a recorded stack holds at most.
enum { rx_stack_depth = 64 };

/// Names a recorded stack: equal stacks have equal names. 0: none.
typedef uint32_t rx_stack;

/// Writes the return addresses of the calls that led here, innermost first, from where the function that called this
/// will return to; how many there were.
///
/// Follows frame pointers, within this thread's stack only: two loads a frame. Code that was compiled without them ends
/// the walk, or hides its caller.
uint32_t rx_stack_walk(uintptr_t *_Nonnull addresses, uint32_t limit);

/// Records calls, innermost first: at most `rx_stack_depth`. 0 if there are none, or there is no room for more stacks.
rx_stack rx_stack_store(const uintptr_t *_Nonnull addresses, uint32_t count);

/// Copies a recorded stack's return addresses, innermost first; how many there are.
uint32_t rx_stack_addresses(rx_stack stack, uintptr_t *_Nonnull addresses, uint32_t limit);

/// The path of the program or library that holds code at an address, and how far into it the address lies; NULL if none
/// does.
const char *_Nullable rx_image_of(uintptr_t address, uintptr_t *_Nonnull offset);

/// Whether errors are remembered with the calls that threw them: the latest 64 of the process. They are kept alive
/// meanwhile, so that no other error takes one's address. Turning it off forgets them.
///
/// Until it is first turned on, nothing stands in the way of a throw; afterwards, one load and a comparison do.
void rx_throws_record(bool on);

/// Writes the return addresses of the calls that threw the error in `box`, innermost first; how many there are, 0 if it
/// is not remembered.
size_t rx_throw_addresses(const void *_Nonnull box, uintptr_t *_Nonnull addresses, size_t limit);

/// As `rx_throw_addresses`, of the last typed throw (`throws(Failure)`) on this thread of the error type with this
/// metadata: such an error has no box yet.
size_t rx_typed_throw_addresses(const void *_Nonnull type, uintptr_t *_Nonnull addresses, size_t limit);
