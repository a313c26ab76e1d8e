// What Swift cannot say itself: thread-local storage and parking.
#pragma once
#include "CThread.h"
