// Parts of the leak search that Swift cannot express: the heap's objects and the references to them, a watch over
// allocations, and signal handling.
#pragma once
#include "CHeapReader.h"
#include "CHeapWatch.h"
#include "CObjectGraph.h"

/// Lets `signal` write its number, as one byte, to `descriptor`, and then do what it did before, unless that was to end
/// the program.
///
/// Writing never blocks: a byte that does not fit is dropped. A forked child does not write. Returns 0, or the
/// system's error number.
int rxtrace_signal_install(int signal, int descriptor);

/// Undoes `rxtrace_signal_install`. Where somebody else has put a handler above, which may call this one, it stays and
/// only passes on.
void rxtrace_signal_remove(int signal);
