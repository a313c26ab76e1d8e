// What Swift cannot say itself: thread-local storage, parking, a loop over Swift closures, an optimiser barrier, performance events.
#pragma once
#include "CCounters.h"
#include "CPerformance.h"
#include "CProbes.h"
#include "CRun.h"
#include "CSignals.h"
#include "CThread.h"
