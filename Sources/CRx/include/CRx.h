// Parts of the core that Swift cannot express: a loop over Swift closures, thread-local storage and parking, counters
// that no thread waits for, and, where resources are traced, stacks, throws, and where code was written.
#pragma once
#include "CImages.h"
#include "CRegistry.h"
#include "CFused.h"
#include "CStacks.h"
#include "CThread.h"
#include "CTypes.h"
