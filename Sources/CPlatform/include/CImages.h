#pragma once
#include <stdint.h>

/// The path of the program or library that holds code at an address, and how far into it the address lies; NULL if none
/// does.
const char *_Nullable rx_image_of(uintptr_t address, uintptr_t *_Nonnull offset);
