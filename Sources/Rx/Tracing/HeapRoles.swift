// The parts that objects of `Rx` play in keeping other objects alive, as protocols without requirements.
//
// `HeapTrace` reads the role of each object on the path to a leaked object, and uses the roles to name the mistake. The
// compiler checks the classes, and a conformance without requirements adds no machine code. A class without a role is
// an implementation detail, and reports leave it out.

import CRx

/// A subject or relay without memory. It keeps its observers until they are disposed.
package protocol SubjectRole: AnyObject {}

/// A subject or relay that keeps its latest value.
package protocol CurrentValueRole: AnyObject {}

/// A subject or relay that keeps elements for later subscribers.
package protocol ReplayRole: AnyObject {}

/// The part of a subject or operator that stores elements for later subscribers, in its property `memory`.
package protocol MemoryRole: AnyObject {}

/// The connection of `share` or `multicast`. It keeps observers, as a subject does.
package protocol ConnectionRole: AnyObject {}

/// A subscription of `groupBy`. It keeps the subject of each key in its property `subjects`.
package protocol GroupTableRole: AnyObject {}

/// A scheduler. It keeps the work that is scheduled on it.
package protocol SchedulerRole: AnyObject {}

/// A disposable or a bag that users create.
package protocol DisposableRole: AnyObject {}

/// Scheduled work that keeps itself until it is due or disposed.
package protocol TimerRole: AnyObject {}

extension AsyncSubject: SubjectRole {}
extension PublishSubject: SubjectRole {}
extension PublishRelay: SubjectRole {}
extension BehaviorSubject: CurrentValueRole {}
extension BehaviorRelay: CurrentValueRole {}
extension ReplaySubject: ReplayRole {}
extension ReplayRelay: ReplayRole {}

extension RememberingObservers: MemoryRole {}
extension ReplayGate: MemoryRole {}
extension ShareConnection: ConnectionRole {}
extension Multicast: ConnectionRole {}
extension Grouping: GroupTableRole {}

extension ConcurrentDispatchQueueScheduler: SchedulerRole {}
extension OperationQueueScheduler: SchedulerRole {}
extension SerialDispatchQueueScheduler: SchedulerRole {}
extension VirtualTimeScheduler: SchedulerRole {}

extension BooleanDisposable: DisposableRole {}
extension CompositeDisposable: DisposableRole {}
extension DisposeBag: DisposableRole {}
extension RefCountDisposable: DisposableRole {}
extension ScheduledDisposable: DisposableRole {}
extension SerialDisposable: DisposableRole {}
extension SingleAssignmentDisposable: DisposableRole {}

extension PeriodicItem: TimerRole {}
extension TimedItem: TimerRole {}

/// Returns the role of a class. `HeapTrace`, which does not import `Rx`, calls this function by its C name.
@_cdecl("rx_role_of")
func heapRole(ofClassAt metadata: UnsafeRawPointer) -> rx_role {
    // The address of a type's metadata is its value.
    switch unsafeBitCast(metadata, to: Any.Type.self) {
    case is any SubjectRole.Type: rx_role_subject
    case is any CurrentValueRole.Type: rx_role_current_value
    case is any ReplayRole.Type: rx_role_replay
    case is any MemoryRole.Type: rx_role_memory
    case is any ConnectionRole.Type: rx_role_connection
    case is any GroupTableRole.Type: rx_role_group_table
    case is any SchedulerRole.Type: rx_role_scheduler
    case is any DisposableRole.Type: rx_role_disposable
    case is any TimerRole.Type: rx_role_timer
    default: rx_role_none
    }
}

#if TRACE_RESOURCES
    /// Returns true. `HeapTrace` calls it by its C name; without this definition it reads false.
    @_cdecl("rx_counts_resources")
    func countsResources() -> Bool { true }

    /// Returns the type of the elements of a sequence's class; `nil` for other classes. `HeapTrace` calls it by its C
    /// name.
    @_cdecl("rx_element_type")
    func elementType(ofClassAt metadata: UnsafeRawPointer) -> UnsafeRawPointer? {
        (unsafeBitCast(metadata, to: Any.Type.self) as? ObservableBase.Type).map {
            unsafeBitCast($0.elementType, to: UnsafeRawPointer.self)
        }
    }
#endif
