import class Foundation.NSObject

/// The reactive extensions of a type or an object, available as `rx`.
///
///     extension Reactive where Base: Player {
///         var started: Observable<Void> { base.starts.asObservable() }
///     }
///     _ = player.rx.started.subscribe(onNext: { print("playing") })
///
/// For an object, each settable property is available under its own name as a `Binder`:
@dynamicMemberLookup
public struct Reactive<Base> {
    /// The object that these reactive extensions belong to. Held strongly.
    public let base: Base

    /// Creates the reactive extensions of `base`.
    @inlinable
    public init(_ base: Base) { self.base = base }

    /// Returns a binder that sets the property on the main queue while the object is alive. It does not keep the object
    /// alive.
    public subscript<Property>(dynamicMember property: ReferenceWritableKeyPath<Base, Property>) -> Binder<Property>
    where Base: AnyObject {
        Binder(base, scheduler: MainScheduler()) { base, value in base[keyPath: property] = value }
    }
}

extension Reactive: Sendable where Base: Sendable {}

/// A type with reactive extensions. Adopt it with an empty extension, and extend `Reactive` to add members to `rx`.
///
///     extension Player: ReactiveCompatible {}
public protocol ReactiveCompatible {
    /// The type that the reactive extensions extend. By default, this type itself.
    associatedtype ReactiveBase

    /// The reactive extensions of the type.
    static var rx: Reactive<ReactiveBase>.Type { get set }

    /// The reactive extensions of the object.
    var rx: Reactive<ReactiveBase> { get set }
}

// The setters do nothing. They exist so that mutating members of `Reactive` can be called on `rx`.
extension ReactiveCompatible {
    /// The reactive extensions of the type.
    @inlinable
    public static var rx: Reactive<Self>.Type {
        get { Reactive<Self>.self }
        set {}
    }

    /// The reactive extensions of the object.
    @inlinable
    public var rx: Reactive<Self> {
        get { Reactive(self) }
        set {}
    }
}

/// Every `NSObject` has reactive extensions.
extension NSObject: ReactiveCompatible {}
