#pragma once
#include <stddef.h>
#include <stdint.h>
#if defined(__APPLE__)
#include <objc/runtime.h>
#endif

/// The type that a resource is counted as. The first few types stand for what has no name: `rx_unnamed + kind`.
typedef uint32_t rx_type;

enum {
    rx_unnamed = 1,
    rx_kinds = 8,
    /// The type of the subscriber's own sink.
    rx_subscribe = rx_unnamed + rx_kinds,
    /// Counted, but no resources: work that schedulers have accepted and not done with, and periodic timers
    /// that run.
    rx_pending_work,
    rx_pending_timers,
    rx_named,
    /// The kind of those.
    rx_no_kind = 255,
};

/// The parts of a type: resources of equal parts are of one type.
typedef struct {
    /// The metadata of its class.
    const void *_Nullable metadata;
    /// The name of the operator it belongs to: UTF-8 that lives for ever, up to a zero. By address: equal names at two
    /// of them are two types.
    const char *_Nullable operator_name;
    /// The metadata of the class that feeds it.
    const void *_Nullable source;
    uint32_t kind;
} rx_type_parts;

/// The type of these parts, a new one if there is none; `rx_unnamed + kind` once there are `rx_types_limit`.
///
/// Looking one up takes no lock.
rx_type rx_type_of(
    const void *_Nullable metadata, const char *_Nullable operator_name, const void *_Nullable source, uint32_t kind);

/// The metadata of an object's class.
static inline const void *_Nullable rx_class_of(const void *_Nonnull object) {
#if defined(__APPLE__)
    return (const void *)object_getClass((id)object);
#else
    // It is the first word of every Swift object.
    return *(const void *const *)object;
#endif
}

enum { rx_classes_size = 1024 };

/// The last look-up at each place: the class's metadata in 48 bits, 4 for the kind, and the type in 12.
extern uint64_t rx_classes[];

static inline uint32_t rx_class_place(const void *_Nullable metadata) {
    return (uint32_t)((uintptr_t)metadata >> 4) % rx_classes_size;
}

rx_type rx_remember_class(const void *_Nullable metadata, uint32_t kind);

/// As `rx_type_of`, for resources that their class alone names: without a call where the class was met before.
static inline rx_type rx_type_of_class(const void *_Nullable metadata, uint32_t kind) {
    uint64_t entry = __atomic_load_n(&rx_classes[rx_class_place(metadata)], __ATOMIC_ACQUIRE);
    int known = entry >> 12 == ((uint64_t)(uintptr_t)metadata << 4 | kind);
    return __builtin_expect(known, 1) ? entry & 0xFFF : rx_remember_class(metadata, kind);
}

/// The parts of a type that `rx_type_of` has returned.
rx_type_parts rx_parts_of(rx_type type);

/// Returns the type of a sink that belongs to an observable of this type.
rx_type rx_make_sink_type(rx_type type);

extern rx_type rx_sink_types[];

/// As `rx_make_sink_type`, which it asks once.
static inline rx_type rx_sink_type_of(rx_type type) {
    // Acquired: who counts by a type may read its parts.
    rx_type sink = __atomic_load_n(&rx_sink_types[type], __ATOMIC_ACQUIRE);
    return __builtin_expect(sink != 0, 1) ? sink : rx_make_sink_type(type);
}

/// All types there are so far are less than this.
rx_type rx_types_end(void);
