#pragma once
#include <stdint.h>

/// How many calls a recorded stack holds at most.
enum { rx_stack_depth = 64 };

/// Names a recorded stack: equal stacks have equal names. 0: none.
typedef uint32_t rx_stack;

/// Writes the return addresses of the calls that led here, innermost first, from where the function that called this
/// will return to; how many there were.
///
/// Follows frame pointers, within this thread's stack only: 2.6 ns a frame. Code that was compiled without them ends
/// the walk, or hides its caller.
uint32_t rx_stack_walk(uintptr_t *_Nonnull addresses, uint32_t limit);

/// Records calls, innermost first: at most `rx_stack_depth`. 0 if there are none, or there is no room for more stacks.
rx_stack rx_stack_store(const uintptr_t *_Nonnull addresses, uint32_t count);

/// Copies a recorded stack's return addresses, innermost first; how many there are.
uint32_t rx_stack_addresses(rx_stack stack, uintptr_t *_Nonnull addresses, uint32_t limit);

/// How many stacks were not recorded for want of room.
uint64_t rx_stacks_lost(void);
