// What Swift cannot say itself: thread-local storage and parking, and a loop over Swift closures.
#pragma once
#include "CRun.h"
#include "CThread.h"
