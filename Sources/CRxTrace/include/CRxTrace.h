// Parts of the search for leaks that Swift cannot express: the heap's objects and who refers to them, a watch over what
// is allocated, and what a signal sets off.
#pragma once
#include "CHeapReader.h"
#include "CHeapWatch.h"
#include "CObjectGraph.h"

/// Lets `signal` write its number, as one byte, to `descriptor`, and then do what it did before, unless that was to end
/// the program.
///
/// The descriptor is never waited for: what does not fit is dropped. A forked child does not write. Returns 0, or the
/// system's error number.
int rxtrace_signal_install(int signal, int descriptor);

/// Undoes `rxtrace_signal_install`. Where somebody else has put a handler above, which may call this one, it stays and
/// only passes on.
void rxtrace_signal_remove(int signal);
