// What Swift cannot say itself: thread-local storage, parking and an optimiser barrier.
#pragma once
#include "CThread.h"
#include "CProbes.h"
