import CRx
import CRxTrace

/// The counts and the registry of `Rx`, as Swift types. They are empty in a program without `Rx`, and in a program
/// whose `Rx` is built without tracing.
package enum TracedResources {
    /// Whether this program contains `Rx`, built with tracing.
    package static let areCounted = rx_counts_resources()

    /// Whether nothing hinders a search for leaks: `Rx` is built with tracing, or is not part of this program.
    package static let areCountedOrAbsent = areCounted || !HeapRole.areKnown

    // MARK: Types

    /// The number of live resources, without pending work. O(t) for *t* threads and each type.
    package static var total: Int {
        (1..<rx_types_end()).reduce(0) { kind(ofType: $1) == nil ? $0 : $0 + rx_counted($1) }
    }

    /// The number of live resources of each type, by the number of the type. O(t) for *t* threads and each type;
    /// one allocation.
    package static func countsByType() -> [Int] { (0..<rx_types_end()).map { $0 == 0 ? 0 : rx_counted($0) } }

    /// The kind of a type; `nil` for a type that is counted but is not a resource.
    package static func kind(ofType type: UInt32) -> TracedKind? {
        TracedKind(rawValue: Int(rx_parts_of(type).kind))
    }

    /// The name by which users know a type: `map<Int, String>`, `DisposeBag`.
    package static func name(ofType type: UInt32) -> String {
        let parts = rx_parts_of(type)
        let operatorName = parts.operator_name.map { trimmed(String(cString: $0)) }
        guard let metadata = parts.metadata else {
            return operatorName ?? kind(ofType: type).map { "\($0)" } ?? "work"
        }
        guard let operatorName else { return _typeName(aClass(at: metadata), qualified: false) }
        // Several kinds of sink have a name, but their element types are not known here.
        guard let result = elementType(at: metadata) else { return operatorName }
        guard let source = parts.source.flatMap(elementType), source != result else {
            return "\(operatorName)<\(result)>"
        }
        return "\(operatorName)<\(source), \(result)>"
    }

    /// A function's name without its parameters, except for operators that only a parameter distinguishes: `map`,
    /// `take(until:)`.
    static func trimmed(_ function: String) -> String {
        guard let parenthesis = function.firstIndex(of: "(") else { return function }
        let name = String(function[..<parenthesis])
        guard ["observe", "subscribe", "take", "skip"].contains(name) else { return name }
        let label = function[parenthesis...].dropFirst().prefix { $0 != ":" && $0 != ")" }
        return label.isEmpty || label == "_" ? name : "\(name)(\(label):)"
    }

    private static func aClass(at metadata: UnsafeRawPointer) -> AnyClass {
        // `metadata` was an `AnyClass` when the type was made; classes are never unloaded.
        unsafeBitCast(metadata, to: AnyClass.self)
    }

    private static func elementType(at metadata: UnsafeRawPointer) -> String? {
        // The metadata of a type is its value.
        rx_element_type(metadata).map { _typeName(unsafeBitCast($0, to: Any.Type.self), qualified: false) }
    }

    // MARK: Work

    /// The pending work of schedulers at this moment.
    package static var pendingWork: PendingWork {
        PendingWork(pieces: rx_counted(UInt32(rx_pending_work)), timers: rx_counted(UInt32(rx_pending_timers)))
    }

    /// A piece of work, or a timer, that is pending in a scheduler.
    struct Waiting {
        let item: rx_resource
        let isTimer: Bool
        /// The remaining wait in seconds; 0 if the work is due as soon as a thread is free.
        let seconds: Double
    }

    /// The pending work that is registered: delayed work at every level, and all work that was scheduled while
    /// stacks were recorded.
    static var waitingWork: [Waiting] {
        let now = rx_hundredths_now()
        var waiting: [Waiting] = []
        forEachRegistered { item in
            guard item.type == UInt32(rx_pending_work) || item.type == UInt32(rx_pending_timers) else { return }
            let left = item.due > now ? Double(item.due - now) / 100 : 0
            waiting.append(Waiting(item: item, isTimer: item.type == UInt32(rx_pending_timers), seconds: left))
        }
        return waiting
    }

    // MARK: The registry

    /// Calls `body` with each registered resource and each registered piece of work. Resources are registered while
    /// stacks are recorded, and delayed work always. O(n) for the largest number of registered things so far.
    ///
    /// Resources that other threads make or release at the same time may be missed.
    package static func forEachRegistered(_ body: (rx_resource) -> Void) {
        var resource = rx_resource()
        for slot in 0..<rx_registry_end() where rx_registry_read(slot, &resource) { body(resource) }
    }

    /// The calls of a recorded stack; `nil` for none.
    package static func callStack(_ stack: UInt32) -> CallStack? {
        guard stack != 0 else { return nil }
        return CallStack(
            addresses: [UInt](unsafeUninitializedCapacity: Int(rx_stack_depth)) { buffer, count in
                // Not empty, as it has a capacity.
                count = Int(rx_stack_addresses(stack, buffer.baseAddress.unsafelyUnwrapped, UInt32(rx_stack_depth)))
            })
    }
}
