// What `Rx` tells about itself and its classes. The functions about classes take the metadata of a class.
#pragma once
#include "CTypes.h"
#include <stdbool.h>

/// Returns whether this program contains `Rx`, built with tracing.
bool rx_counts_resources(void);

/// Returns the part that a class plays in keeping objects alive: `rx_role_none` for implementation details of `Rx` and
/// for classes of other modules, and `rx_role_unknown` in a program without `Rx`.
rx_role rx_role_of(const void *_Nonnull class);

/// Returns the metadata of the element type of a sequence's class; NULL for other classes, and in a program without
/// `Rx`.
const void *_Nullable rx_element_type(const void *_Nonnull class);
