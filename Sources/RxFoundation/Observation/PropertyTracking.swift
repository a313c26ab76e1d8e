import Observation
import Rx

/// Receives a notification when a property changes or when its object is deallocated.
class PropertyListener {
    /// Called when the property changes or the object is deallocated. It runs on the thread that makes the change,
    /// before the change is made.
    func propertyWillChange() { fatalError("A listener overrides propertyWillChange().") }
}

/// The observation of one property of one object, shared by all its listeners.
///
/// The Observation framework reports only one change per request, and a request cannot be cancelled when no listener is
/// left: the object retains the closure of the request until the property changes. Therefore each pair of object and
/// property has one tracking, which later listeners reuse. A property that never changes retains one tracking, however
/// often it is subscribed to.
///
/// The tracking also reports the deallocation of the object, because the closure is released with the object.
final class PropertyTracking: @unchecked Sendable {
    // @unchecked: `state` guards the mutable state, and `object` is atomic. The owner of a key path is responsible for
    // its use.
    private let key: Key
    private let state = Guarded(State())
    private(set) weak var object: AnyObject?

    struct State {
        var isArmed = false
        /// Whether reading the property accesses something that the framework tracks.
        var isObservable = true
        var listeners: [PropertyListener] = []
    }

    private init(key: Key, object: AnyObject) {
        self.key = key
        self.object = object
    }

    deinit {
        let successor = Self.known.withLock { [key] known -> PropertyTracking? in
            // A successor may have replaced this tracking.
            let successor = known[key]?.tracking
            if successor == nil { known[key] = nil }
            return successor
        }
        // Released outside the lock, because its deinitializer takes the lock.
        withExtendedLifetime(successor) {}
    }

    func add(_ listener: PropertyListener) { state.withLock { $0.listeners.append(listener) } }

    /// Whether changes can be detected. The value is known after `arm(_:)` has been called.
    var isObservable: Bool { state.withLock { $0.isObservable } }

    /// Removes a listener in O(s) for *s* listeners.
    func remove(_ listener: PropertyListener) { state.withLock { $0.listeners.removeAll { $0 === listener } } }

    /// Ensures that the next change is detected. Calls the object's getter on this thread.
    ///
    /// - Parameter read: reads the property.
    func arm(_ read: () -> Void) {
        let wasArmed = state.withLock { state in
            defer { state.isArmed = true }
            return state.isArmed
        }
        if wasArmed { return }
        let fuse = Fuse(self)
        withObservationTracking(read) { fuse.blow() }
    }

    fileprivate func foundNothing() { state.withLock { $0.isObservable = false } }

    fileprivate func fire() {
        let listeners = state.withLock { state in
            state.isArmed = false
            return state.listeners
        }
        for listener in listeners { listener.propertyWillChange() }
    }
}

/// The object that the framework retains. Only the observed object, or another object on the key path, keeps it alive.
private final class Fuse: @unchecked Sendable {
    // @unchecked: the framework calls `blow()` once, before it releases the fuse.
    private var tracking: PropertyTracking?

    init(_ tracking: PropertyTracking) { self.tracking = tracking }

    func blow() {
        let tracking = tracking
        self.tracking = nil
        tracking?.fire()
    }

    // If the fuse was not blown, either the object is deallocated or the framework did not track the property.
    deinit {
        guard let tracking else { return }
        if tracking.object == nil { tracking.fire() } else { tracking.foundNothing() }
    }
}

// MARK: Finding an existing tracking

extension PropertyTracking {
    struct Key: Hashable {
        let object: ObjectIdentifier
        let property: AnyKeyPath
    }

    struct Weak { weak var tracking: PropertyTracking? }

    /// The live trackings. Each tracking removes itself.
    private static let known = Guarded<[Key: Weak]>([:])

    /// Returns the existing tracking of a property, or a new one.
    static func of(_ property: AnyKeyPath, in object: AnyObject) -> PropertyTracking {
        let key = Key(object: ObjectIdentifier(object), property: property)
        let (tracking, predecessor) = known.withLock { known -> (PropertyTracking, PropertyTracking?) in
            let tracking = known[key]?.tracking
            // The object is compared because another object may have had the same address before.
            if let tracking, tracking.object === object { return (tracking, nil) }
            let new = PropertyTracking(key: key, object: object)
            known[key] = Weak(tracking: new)
            return (new, tracking)
        }
        // Released outside the lock, because its deinitializer takes the lock.
        withExtendedLifetime(predecessor) {}
        return tracking
    }
}
