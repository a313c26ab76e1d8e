// What the search for leaks cannot say in Swift: the heap's objects and who refers to them, a watch over what is
// allocated, and what a signal sets off.
#pragma once
#include "CHeap.h"
#include "CHeapReader.h"
#include "CHeapWatch.h"
#include "CObjectGraph.h"
#include "CSignals.h"
