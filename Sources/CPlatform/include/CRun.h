#pragma once
#include <stddef.h>
#include <stdint.h>

/// One stage of a run of operators: a transform, then a predicate; either may be missing.
/// Each is a Swift closure taken apart into its function and its context.
typedef struct rx_stage {
    const void *_Nullable transform;
    const void *_Nullable transform_context;
    const void *_Nullable predicate;
    const void *_Nullable predicate_context;
} rx_stage;

/// The bytes that a value made within a run may take.
enum { rx_stage_value_bytes = 32 };

/// Takes a value through all stages of a run; `count` is at least 1.
///
/// Returns where the outcome lies: `value` itself, or one of the two buffers of `rx_stage_value_bytes` that
/// begin at `buffers`. NULL if a predicate dropped it, if a closure threw (then `*error` holds the
/// error, owned by the caller), or if bit 0 of `*flags` was set meanwhile.
const void *_Nullable rx_run(const rx_stage *_Nonnull stages, size_t count, const void *_Nonnull value, void *_Nonnull buffers,
                             const uint8_t *_Nonnull flags, void *_Nullable *_Nonnull error);
