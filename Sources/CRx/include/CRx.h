// Parts of the core that Swift cannot express: a loop over Swift closures, thread-local storage and parking, counters
// that no thread waits for, and, for tracing, stacks, throws and source locations.
#pragma once
#include "CRegistry.h"
#include "CFused.h"
#include "CLines.h"
