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

/// A run in one subscription: its stages, and what comes after them.
typedef struct rx_run_frame {
    const rx_stage *_Nonnull stages;
    const rx_stage *_Nonnull end;
    /// Bit 0 is set once the run's segment has ended.
    const uint8_t *_Nonnull flags;
    /// The receiver, its segment's flags, and the Swift closure that delivers to it: (value, receiver) with a context.
    const void *_Nonnull receiver;
    const uint8_t *_Nonnull receiver_flags;
    const void *_Nonnull deliver;
    const void *_Nullable deliver_context;
} rx_run_frame;

/// Takes a value through all stages of a run, of which there is at least one, and delivers the outcome.
///
/// Nothing is delivered if a predicate drops the value or the segment ends meanwhile. Returns what a closure threw, owned by
/// the caller, or NULL.
void *_Nullable rx_run(const rx_run_frame *_Nonnull frame, const void *_Nonnull value);
