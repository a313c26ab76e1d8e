#pragma once
#include <stddef.h>
#include <stdint.h>

/// One stage of fused operators: a transform, then a predicate; either may be missing. One that has neither ends the
/// loop. Each is a Swift closure taken apart into its function and its context.
typedef struct rx_stage {
    const void *_Nullable transform;
    const void *_Nullable transform_context;
    const void *_Nullable predicate;
    const void *_Nullable predicate_context;
} rx_stage;

/// So many empty stages, in memory of their own.
// Not by Swift's `allocate`, which asks for aligned memory on Linux: that takes twice as long.
rx_stage *_Nonnull rx_stages_make(size_t count);
void rx_stages_free(rx_stage *_Nonnull stages);

/// The bytes that a value made within the loop may take.
enum { rx_stage_value_bytes = 32 };

/// Fused operators in one subscription: their stages, and what comes after them. It lies within their sink.
typedef struct rx_fused_frame {
    const rx_stage *_Nonnull stages;
    /// Bit 0 is set once their segment has ended.
    const uint8_t *_Nonnull flags;
    /// The receiver, of the same segment, and the Swift closure that delivers to it: (value, receiver) with a context.
    const void *_Nonnull receiver;
    const void *_Nonnull deliver;
    const void *_Nullable deliver_context;
    /// Takes over what a closure has thrown.
    void (*_Nonnull fail)(const void *_Nonnull sink, void *_Nonnull error);
} rx_fused_frame;

/// The function of a Swift closure (value, sink) that takes a value through all stages of the sink and delivers
/// the outcome.
///
/// Nothing is delivered if a predicate drops the value, a closure throws or the segment ends meanwhile.
const void *_Nonnull rx_fused_next(void);

/// Tells how many bytes after a sink's beginning its frame lies. The same for all sinks; told before the first event.
void rx_fused_set_frame_offset(size_t offset);
