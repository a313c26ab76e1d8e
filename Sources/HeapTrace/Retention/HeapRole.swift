import CRxTrace

/// The part that an object of `Rx` plays in keeping other objects alive.
package enum HeapRole {
    /// A subject or relay without memory.
    case subject
    /// A subject or relay that keeps its latest value.
    case currentValue
    /// A subject or relay that keeps elements for later subscribers.
    case replay
    /// The part of a subject or operator that stores elements for later subscribers.
    case memory
    /// The connection of `share` or `multicast`.
    case connection
    /// A subscription of `groupBy`.
    case groupTable
    case scheduler
    /// A disposable or a bag that users create.
    case disposable
    /// Scheduled work that keeps itself until it is due or disposed.
    case timer

    /// The role of a class of `Rx`; `nil` for an implementation detail.
    init?(of type: Any.Type) {
        // The value of a type is the address of its metadata.
        switch rx_role_of(unsafeBitCast(type, to: UnsafeRawPointer.self)) {
        case rx_role_subject: self = .subject
        case rx_role_current_value: self = .currentValue
        case rx_role_replay: self = .replay
        case rx_role_memory: self = .memory
        case rx_role_connection: self = .connection
        case rx_role_group_table: self = .groupTable
        case rx_role_scheduler: self = .scheduler
        case rx_role_disposable: self = .disposable
        case rx_role_timer: self = .timer
        default: return nil
        }
    }

    /// Whether this program contains `Rx`, and therefore objects with roles.
    package static let areKnown = {
        let anyClass = unsafeBitCast(HeapSnapshot.self as Any.Type, to: UnsafeRawPointer.self)
        return rx_role_of(anyClass) != rx_role_unknown
    }()

    /// Whether users know the class by its name.
    var isPublic: Bool {
        switch self {
        case .subject, .currentValue, .replay, .scheduler, .disposable: true
        case .memory, .connection, .groupTable, .timer: false
        }
    }

    /// Whether the object keeps elements for later subscribers.
    var keepsElements: Bool {
        switch self {
        case .currentValue, .replay, .memory: true
        case .subject, .connection, .groupTable, .scheduler, .disposable, .timer: false
        }
    }

    /// The stored property that holds the elements or groups; `nil` for other roles.
    var property: String? {
        switch self {
        case .memory: "memory"
        case .groupTable: "subjects"
        default: nil
        }
    }

    /// Whether a disposable that users create has this name, under which resources are counted.
    static func isPublicDisposable(_ name: String) -> Bool {
        // "Name Mangling" (Swift, docs/ABI/Mangling.rst): the module, the class, and `C` for a class.
        _typeByName("2Rx\(name.utf8.count)\(name)C").flatMap(HeapRole.init) == .disposable
    }
}
