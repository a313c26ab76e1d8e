// Parts of the search for leaks that Swift cannot express: the objects of the heap and their references, a watch over
// allocations, the symbols and lines of the program, and the handling of signals.
#pragma once
#include "CHeapReader.h"
#include "CHeapWatch.h"
#include "CImages.h"
#include "CObjectGraph.h"
#include "CRoles.h"

/// Makes `signal` write its number, as one byte, to `descriptor`, and then call the previous handler, if there is one.
/// A default action of the system, such as ending the program, no longer takes place.
///
/// The handler never waits for the descriptor: a byte that does not fit is dropped. A forked child does not write.
/// Returns 0, or the system's error number.
int rxtrace_signal_install(int signal, int descriptor);

/// Undoes `rxtrace_signal_install`. If other code has installed a handler on top, which may call this one, this handler
/// stays and only forwards.
void rxtrace_signal_remove(int signal);
