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

/// What became of a value. Two words, so that it comes back in registers.
typedef struct rx_outcome {
    /// Where the value lies; NULL if there is none to deliver.
    const void *_Nullable value;
    /// What a closure threw, owned by the caller.
    void *_Nullable error;
} rx_outcome;

/// Takes a value through all stages of a run; `count` is at least 1.
///
/// The value lies at `value`, in one of the two buffers of `rx_stage_value_bytes` that begin at `buffers`, or is NULL: because a
/// predicate dropped it, because bit 0 of `*flags` was set meanwhile, or because a closure threw; only then there is an error.
rx_outcome rx_run(const rx_stage *_Nonnull stages, size_t count, const void *_Nonnull value, void *_Nonnull buffers,
                  const uint8_t *_Nonnull flags);
