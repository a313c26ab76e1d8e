// What Swift cannot say itself: thread-local storage, parking, a loop over Swift closures, and an optimiser barrier.
#pragma once
#include "CCounters.h"
#include "CProbes.h"
#include "CRun.h"
#include "CThread.h"
