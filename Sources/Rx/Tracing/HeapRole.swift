/// The part that an object of `Rx` plays in keeping other objects alive.
///
/// `RxTrace` reads the role of each object on the way to a leaked one, and names the mistake by it. A class without a
/// role is an implementation detail, and reports leave it out.
package enum HeapRole: Sendable {
    /// A subject or relay without memory. It keeps its observers until they are disposed.
    case subject
    /// A subject or relay that keeps its latest value.
    case currentValue
    /// A subject or relay that keeps elements for later subscribers.
    case replay
    /// The part of a subject or operator that stores elements for later subscribers, in its property `memory`.
    case memory
    /// The connection of `share` or `multicast`. It keeps observers, as a subject does.
    case connection
    /// A subscription of `groupBy`. It keeps the subject of each key in its property `subjects`.
    case groupTable
    /// A scheduler. It keeps the work that is scheduled on it.
    case scheduler
    /// A disposable or a bag that users create.
    case disposable
    /// Scheduled work that keeps itself until it is due or disposed.
    case timer

    /// Whether users know the class by its name.
    package var isPublic: Bool {
        switch self {
        case .subject, .currentValue, .replay, .scheduler, .disposable: true
        case .memory, .connection, .groupTable, .timer: false
        }
    }

    /// Whether the object keeps elements for later subscribers.
    package var keepsElements: Bool {
        switch self {
        case .currentValue, .replay, .memory: true
        case .subject, .connection, .groupTable, .scheduler, .disposable, .timer: false
        }
    }

    /// The names of the disposables that users create, as resources are counted under them.
    package static let publicDisposables: Set<String> = Set(
        [
            BooleanDisposable.self, CompositeDisposable.self, DisposeBag.self, RefCountDisposable.self,
            ScheduledDisposable.self, SerialDisposable.self, SingleAssignmentDisposable.self,
        ].map { _typeName($0, qualified: false) })

    /// The stored property that holds the elements or groups; `nil` for other roles.
    package var property: String? {
        switch self {
        case .memory: "memory"
        case .groupTable: "subjects"
        default: nil
        }
    }
}

/// A class of `Rx` that has a role.
package protocol HeapRoleBearer: AnyObject {
    static var heapRole: HeapRole { get }
}

extension AsyncSubject: HeapRoleBearer { package static var heapRole: HeapRole { .subject } }
extension PublishSubject: HeapRoleBearer { package static var heapRole: HeapRole { .subject } }
extension PublishRelay: HeapRoleBearer { package static var heapRole: HeapRole { .subject } }
extension BehaviorSubject: HeapRoleBearer { package static var heapRole: HeapRole { .currentValue } }
extension BehaviorRelay: HeapRoleBearer { package static var heapRole: HeapRole { .currentValue } }
extension ReplaySubject: HeapRoleBearer { package static var heapRole: HeapRole { .replay } }
extension ReplayRelay: HeapRoleBearer { package static var heapRole: HeapRole { .replay } }

extension RememberingObservers: HeapRoleBearer { package static var heapRole: HeapRole { .memory } }
extension ReplayGate: HeapRoleBearer { package static var heapRole: HeapRole { .memory } }
extension ShareConnection: HeapRoleBearer { package static var heapRole: HeapRole { .connection } }
extension Multicast: HeapRoleBearer { package static var heapRole: HeapRole { .connection } }
extension Grouping: HeapRoleBearer { package static var heapRole: HeapRole { .groupTable } }

extension ConcurrentDispatchQueueScheduler: HeapRoleBearer { package static var heapRole: HeapRole { .scheduler } }
extension OperationQueueScheduler: HeapRoleBearer { package static var heapRole: HeapRole { .scheduler } }
extension SerialDispatchQueueScheduler: HeapRoleBearer { package static var heapRole: HeapRole { .scheduler } }
extension VirtualTimeScheduler: HeapRoleBearer { package static var heapRole: HeapRole { .scheduler } }

extension BooleanDisposable: HeapRoleBearer { package static var heapRole: HeapRole { .disposable } }
extension CompositeDisposable: HeapRoleBearer { package static var heapRole: HeapRole { .disposable } }
extension DisposeBag: HeapRoleBearer { package static var heapRole: HeapRole { .disposable } }
extension RefCountDisposable: HeapRoleBearer { package static var heapRole: HeapRole { .disposable } }
extension ScheduledDisposable: HeapRoleBearer { package static var heapRole: HeapRole { .disposable } }
extension SerialDisposable: HeapRoleBearer { package static var heapRole: HeapRole { .disposable } }
extension SingleAssignmentDisposable: HeapRoleBearer { package static var heapRole: HeapRole { .disposable } }

extension PeriodicItem: HeapRoleBearer { package static var heapRole: HeapRole { .timer } }
extension TimedItem: HeapRoleBearer { package static var heapRole: HeapRole { .timer } }
