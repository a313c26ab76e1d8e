import Rx

/// The part that an object of `Rx` plays in keeping other objects alive.
enum HeapRole {
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
        switch type {
        case is any SubjectRole.Type: self = .subject
        case is any CurrentValueRole.Type: self = .currentValue
        case is any ReplayRole.Type: self = .replay
        case is any MemoryRole.Type: self = .memory
        case is any ConnectionRole.Type: self = .connection
        case is any GroupTableRole.Type: self = .groupTable
        case is any SchedulerRole.Type: self = .scheduler
        case is any DisposableRole.Type: self = .disposable
        case is any TimerRole.Type: self = .timer
        default: return nil
        }
    }

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

    /// The names of the disposables that users create, as resources are counted under them.
    static let publicDisposables: Set<String> = {
        let types: [any DisposableRole.Type] = [
            BooleanDisposable.self, CompositeDisposable.self, DisposeBag.self, RefCountDisposable.self,
            ScheduledDisposable.self, SerialDisposable.self, SingleAssignmentDisposable.self,
        ]
        return Set(types.map { _typeName($0, qualified: false) })
    }()
}
