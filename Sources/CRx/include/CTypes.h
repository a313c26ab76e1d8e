#pragma once
#include <stddef.h>
#include <stdint.h>
#if defined(__APPLE__)
#include <objc/runtime.h>
#endif

/// The type that a resource is counted under. The first types are for resources without a name: `rx_unnamed + kind`.
typedef uint32_t rx_type;

enum {
    rx_unnamed = 1,
    rx_kinds = 8,
    /// The type of the subscriber's own sink.
    rx_subscribe = rx_unnamed + rx_kinds,
    /// Counted, but not resources: work that schedulers have accepted and not finished, and periodic timers that run.
    rx_pending_work,
    rx_pending_timers,
    rx_named,
    /// The kind of these two types.
    rx_no_kind = 255,
};

/// The parts of a type. Resources with equal parts have the same type.
typedef struct {
    /// The metadata of the resource's class.
    const void *_Nullable metadata;
    /// The name of the operator that the resource belongs to: zero-terminated UTF-8 that is never freed. Compared by
    /// address: equal names at two addresses are two types.
    const char *_Nullable operator_name;
    /// The metadata of the class that feeds the resource.
    const void *_Nullable source;
    uint32_t kind;
} rx_type_parts;

/// Returns the type with these parts, and creates it if necessary. Returns `rx_unnamed + kind` after `rx_types_limit`
/// types were created.
///
/// A lookup takes no lock.
rx_type rx_type_of(
    const void *_Nullable metadata, const char *_Nullable operator_name, const void *_Nullable source, uint32_t kind);

/// Returns the metadata of an object's class.
static inline const void *_Nullable rx_class_of(const void *_Nonnull object) {
#if defined(__APPLE__)
    return (const void *)object_getClass((id)object);
#else
    // It is the first word of every Swift object.
    return *(const void *const *)object;
#endif
}

enum { rx_classes_size = 1024 };
/// The last lookup at each place: the class's metadata in 48 bits, the kind in 4 bits, and the type in 12 bits.
extern uint64_t rx_classes[];

static inline uint32_t rx_class_place(const void *_Nullable metadata) {
    return (uint32_t)((uintptr_t)metadata >> 4) % rx_classes_size;
}

rx_type rx_remember_class(const void *_Nullable metadata, uint32_t kind);

/// Does the same as `rx_type_of`, for resources that are named only by their class. Needs no call if the class was
/// looked up before.
static inline rx_type rx_type_of_class(const void *_Nullable metadata, uint32_t kind) {
    uint64_t entry = __atomic_load_n(&rx_classes[rx_class_place(metadata)], __ATOMIC_ACQUIRE);
    int known = entry >> 12 == ((uint64_t)(uintptr_t)metadata << 4 | kind);
    return __builtin_expect(known, 1) ? entry & 0xFFF : rx_remember_class(metadata, kind);
}

/// Returns the parts of a type that `rx_type_of` has returned.
rx_type_parts rx_parts_of(rx_type type);

/// Returns the type of a sink that belongs to an observable of this type.
rx_type rx_make_sink_type(rx_type type);

extern rx_type rx_sink_types[];
/// Does the same as `rx_make_sink_type`, which it calls once per type.
static inline rx_type rx_sink_type_of(rx_type type) {
    // Acquire: a thread that counts by a type may read its parts.
    rx_type sink = __atomic_load_n(&rx_sink_types[type], __ATOMIC_ACQUIRE);
    return __builtin_expect(sink != 0, 1) ? sink : rx_make_sink_type(type);
}

/// Returns an upper bound: all existing types are less than this.
rx_type rx_types_end(void);

/// The part that a class plays in keeping objects alive. `rx_role_of` returns it, which `Rx` defines for other modules.
typedef enum {
    rx_role_none, rx_role_subject, rx_role_current_value, rx_role_replay, rx_role_memory, rx_role_connection,
    rx_role_group_table, rx_role_scheduler, rx_role_disposable, rx_role_timer, rx_role_unknown
} rx_role;
