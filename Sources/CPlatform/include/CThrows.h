#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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
