// What Swift cannot say itself: thread-local storage, parking, a loop over Swift closures, an optimiser barrier, performance events,
// requests to valgrind, stacks, the heap, what signals and throws set off.
#pragma once
#include "CCallgrind.h"
#include "CCounters.h"
#include "CHeap.h"
#include "CHeapReader.h"
#include "CImages.h"
#include "CObjectGraph.h"
#include "CPerformance.h"
#include "CProbes.h"
#include "CRegistry.h"
#include "CRun.h"
#include "CSignals.h"
#include "CStacks.h"
#include "CSymbols.h"
#include "CThread.h"
#include "CThrows.h"
#include "CTypes.h"
