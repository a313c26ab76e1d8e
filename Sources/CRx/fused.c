#include "CFused.h"
#include <stdbool.h>
#include <stdlib.h>

// Swift's calling convention, as clang provides it in C. A closure over generic types takes its value and returns its
// result by address, regardless of the types. So one loop can call all such closures.
#define SWIFT __attribute__((swiftcall))
#define CONTEXT __attribute__((swift_context))
#define RESULT __attribute__((swift_indirect_result))
#define ERROR __attribute__((swift_error_result))

typedef SWIFT void (*rx_transform)(
    RESULT void *result, const void *value, CONTEXT const void *context, ERROR void **error);
typedef SWIFT void (*rx_deliver)(const void *value, const void *receiver, CONTEXT const void *context);
typedef SWIFT bool (*rx_predicate)(const void *value, CONTEXT const void *context, ERROR void **error);

// The offset of the frame in a sink of fused operators. It is the same for all such sinks.
static size_t rx_fused_frame_offset;
#define FRAME_OFFSET __atomic_load_n(&rx_fused_frame_offset, __ATOMIC_RELAXED)

#define RARE(condition) __builtin_expect(!!(condition), 0)

// Bit 0 of the flags, read again after each call. A byte cannot be read in halves, so a plain load is sufficient.
// Unlike an atomic load, it is folded into the test, which saves a load for each closure. ThreadSanitizer gets the
// atomic load.
#if __has_feature(thread_sanitizer)
#define STOPPED(flags) (__atomic_load_n(flags, __ATOMIC_RELAXED) & 1)
#else
#define STOPPED(flags) (*(flags) & 1)
#endif

// Keeps the compiler from replacing the pointer with a dozen precomputed pointers: decision 2.
#define OPAQUE(pointer) __asm__ volatile("" : "+r"(pointer))

// One stage: a transform, then a predicate. A stage with neither ends the loop. The common pair runs straight through.
// Each stage of the loop has a separate place for the result of its transform, so that the destination needs no
// register. Only three registers survive a call into Swift, and they hold the stages, the value and the flags.
#define STAGE(number)                                                                                      \
    if (!RARE(stages[number].transform == NULL)) {                                                         \
        ((rx_transform)stages[number].transform)(places[number], value, stages[number].transform_context, &thrown); \
        if (RARE(thrown != NULL)) goto failed;                                                             \
        if (RARE(STOPPED(flags))) return;                                                                  \
        value = places[number];                                                                            \
    } else if (RARE(stages[number].predicate == NULL)) goto deliver;                                       \
    if (!RARE(stages[number].predicate == NULL)) {                                                         \
        bool passes = ((rx_predicate)stages[number].predicate)(value, stages[number].predicate_context, &thrown); \
        if (RARE(thrown != NULL)) goto failed;                                                             \
        if (!passes) return;                                                                               \
        if (RARE(STOPPED(flags))) return;                                                                  \
    }

enum { stages_in_loop = 6 };

// Aligned to a cache line: otherwise the position of the code changes the time by a few percent.
__attribute__((aligned(64)))
static SWIFT void rx_fused(const void *value, const void *sink, CONTEXT const void *context) {
    (void)context;
    const rx_fused_frame *frame = (const rx_fused_frame *)((const char *)sink + FRAME_OFFSET);
    _Alignas(16) char places[stages_in_loop + 1][rx_stage_value_bytes];
    const rx_stage *stages = frame->stages;
    const uint8_t *flags = frame->flags;
    void *thrown = NULL;
    // Unrolled, so that the branch predictor learns the target of each call site (decision 2).
    for (;;) {
        STAGE(0) STAGE(1) STAGE(2) STAGE(3) STAGE(4) STAGE(5)
        stages += stages_in_loop;
        OPAQUE(stages);
        // All stages since the first were predicates only. The value is still in the first place, which is about to be
        // overwritten.
        if (RARE(value == places[0])) value = __builtin_memcpy(places[stages_in_loop], value, rx_stage_value_bytes);
    }
deliver:
    // Called here, because the code that delivers to the sink calls the loop directly: no Swift function runs before or
    // after the loop.
    ((rx_deliver)frame->deliver)(value, frame->receiver, frame->deliver_context);
    return;
failed:
    frame->fail(sink, thrown);
}

rx_stage *rx_stages_make(size_t count) {
    rx_stage *stages = calloc(count, sizeof *stages);
    if (stages == NULL) abort();
    return stages;
}

void rx_stages_free(rx_stage *stages) { free(stages); }

const void *rx_fused_next(void) { return (const void *)rx_fused; }

void rx_fused_set_frame_offset(size_t offset) { __atomic_store_n(&rx_fused_frame_offset, offset, __ATOMIC_RELAXED); }
