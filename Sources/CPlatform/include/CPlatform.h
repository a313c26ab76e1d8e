// What Swift cannot say itself: thread-local storage, parking, a loop over Swift closures, an optimiser barrier, performance events, requests to valgrind.
#pragma once
#include "CCallgrind.h"
#include "CCounters.h"
#include "CPerformance.h"
#include "CProbes.h"
#include "CRun.h"
#include "CThread.h"
