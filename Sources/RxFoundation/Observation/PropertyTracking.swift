import Observation
import Rx

/// Hears that a property has changed, or that its object is gone.
class PropertyListener {
    /// Something has happened. Called on the thread that did it, before the change is made.
    func propertyWillChange() { fatalError("A listener overrides propertyWillChange().") }
}

/// The observation of one property of one object, on behalf of all its listeners.
///
/// The Observation framework can be asked for one change at a time, and not be told that no listener is left: the
/// closure that it was given stays with the object until the property changes. So there is one tracking for each object
/// and property, which later listeners find again: a property that never changes holds one, however often it was
/// subscribed to.
///
/// It tells of the object's end, too: the closure goes with the object.
final class PropertyTracking: @unchecked Sendable {
    // @unchecked: `state` guards what changes, `object` is atomic by itself, and how a key path is used is its owner's
    // concern.
    private let key: Key
    private let state = Guarded(State())
    private(set) weak var object: AnyObject?

    struct State {
        var isArmed = false
        /// Reading the property touches something that the framework knows.
        var isObservable = true
        var listeners: [PropertyListener] = []
    }

    private init(key: Key, object: AnyObject) {
        self.key = key
        self.object = object
    }

    deinit {
        let successor = Self.known.withLock { [key] known -> PropertyTracking? in
            // A successor may have taken the place.
            let successor = known[key]?.tracking
            if successor == nil { known[key] = nil }
            return successor
        }
        // Let go of outside the lock, which its end takes.
        withExtendedLifetime(successor) {}
    }

    func add(_ listener: PropertyListener) { state.withLock { $0.listeners.append(listener) } }

    /// Whether changes can be noticed at all. Known once `arm(_:)` has been called.
    var isObservable: Bool { state.withLock { $0.isObservable } }

    /// O(s) for *s* listeners.
    func remove(_ listener: PropertyListener) { state.withLock { $0.listeners.removeAll { $0 === listener } } }

    /// Makes sure that the next change is noticed. The object's getter is called for it, on this thread.
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

/// Given to the framework to keep. Only the object, or another that the key path leads to, holds on to it.
private final class Fuse: @unchecked Sendable {
    // @unchecked: the framework blows it once, and that before it lets go of it.
    private var tracking: PropertyTracking?

    init(_ tracking: PropertyTracking) { self.tracking = tracking }

    func blow() {
        let tracking = tracking
        self.tracking = nil
        tracking?.fire()
    }

    // Not blown: either the object is gone, or the framework had no use for it.
    deinit {
        guard let tracking else { return }
        if tracking.object == nil { tracking.fire() } else { tracking.foundNothing() }
    }
}

// MARK: Finding the tracking again

extension PropertyTracking {
    struct Key: Hashable {
        let object: ObjectIdentifier
        let property: AnyKeyPath
    }

    struct Weak { weak var tracking: PropertyTracking? }

    /// The trackings that are alive. They take themselves out.
    private static let known = Guarded<[Key: Weak]>([:])

    /// The tracking of a property: the one that there is, or a new one.
    static func of(_ property: AnyKeyPath, in object: AnyObject) -> PropertyTracking {
        let key = Key(object: ObjectIdentifier(object), property: property)
        let (tracking, predecessor) = known.withLock { known -> (PropertyTracking, PropertyTracking?) in
            let tracking = known[key]?.tracking
            // Compared, because another object may have lived at this address.
            if let tracking, tracking.object === object { return (tracking, nil) }
            let new = PropertyTracking(key: key, object: object)
            known[key] = Weak(tracking: new)
            return (new, tracking)
        }
        // Let go of outside the lock, which its end takes.
        withExtendedLifetime(predecessor) {}
        return tracking
    }
}
