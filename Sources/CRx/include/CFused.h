#pragma once
#include <stddef.h>
#include <stdint.h>

/// One stage of fused operators: a transform, then a predicate. Either may be missing. A stage with neither ends the
/// loop. Each is a Swift closure, split into its function and its context.
typedef struct rx_stage {
    const void *_Nullable transform;
    const void *_Nullable transform_context;
    const void *_Nullable predicate;
    const void *_Nullable predicate_context;
} rx_stage;

/// Allocates `count` empty stages.
// Not allocated by Swift's `allocate`, which requests aligned memory on Linux and takes twice as long.
rx_stage *_Nonnull rx_stages_make(size_t count);
void rx_stages_free(rx_stage *_Nonnull stages);

/// The maximum size of a value that is created within the loop, in bytes.
enum { rx_stage_value_bytes = 32 };

/// Fused operators in one subscription: their stages, and the receiver that follows them. Stored within their sink.
typedef struct rx_fused_frame {
    const rx_stage *_Nonnull stages;
    /// Bit 0 is set after their segment has ended.
    const uint8_t *_Nonnull flags;
    /// The receiver, in the same segment, and the Swift closure that delivers to it: (value, receiver) with a context.
    const void *_Nonnull receiver;
    const void *_Nonnull deliver;
    const void *_Nullable deliver_context;
    /// Takes ownership of the error that a closure has thrown.
    void (*_Nonnull fail)(const void *_Nonnull sink, void *_Nonnull error);
} rx_fused_frame;

/// Returns the function of a Swift closure (value, sink) that passes a value through all stages of the sink and
/// delivers the result.
///
/// It delivers nothing if a predicate drops the value, a closure throws, or the segment ends during the loop.
const void *_Nonnull rx_fused_next(void);

/// Sets the offset of the frame from the start of its sink, in bytes. It is the same for all sinks, and must be set
/// before the first event.
void rx_fused_set_frame_offset(size_t offset);
