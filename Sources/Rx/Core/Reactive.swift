import class Foundation.NSObject

/// The reactive side of a type or an object: what hangs on `rx`.
///
///     extension Reactive where Base: Player {
///         var started: Observable<Void> { base.starts.asObservable() }
///     }
///     _ = player.rx.started.subscribe(onNext: { print("playing") })
///
/// For an object, each property that can be set is there under its own name as a `Binder`:
///
///     _ = volumes.subscribe(player.rx.volume)
@dynamicMemberLookup
public struct Reactive<Base> {
    /// The object whose reactive side this is. Held strongly.
    public let base: Base

    /// The reactive side of `base`.
    @inlinable
    public init(_ base: Base) { self.base = base }

    /// A binder that sets the property, on the main queue, while the object is alive. It does not keep the object
    /// alive.
    public subscript<Property>(dynamicMember property: ReferenceWritableKeyPath<Base, Property>) -> Binder<Property>
    where Base: AnyObject {
        Binder(base, scheduler: MainScheduler()) { base, value in base[keyPath: property] = value }
    }
}

extension Reactive: Sendable where Base: Sendable {}

/// Something with a reactive side: adopt it with an empty extension, and extend `Reactive` for what hangs there.
///
///     extension Player: ReactiveCompatible {}
public protocol ReactiveCompatible {
    /// The type that the reactive side extends: the type itself, unless another is named.
    associatedtype ReactiveBase

    /// The reactive side of the type.
    static var rx: Reactive<ReactiveBase>.Type { get set }

    /// The reactive side of the object.
    var rx: Reactive<ReactiveBase> { get set }
}

// The setters do nothing: they are there so that members of `Reactive` that mutate can be called on `rx`.
extension ReactiveCompatible {
    /// The reactive side of the type.
    @inlinable
    public static var rx: Reactive<Self>.Type {
        get { Reactive<Self>.self }
        set {}
    }

    /// The reactive side of the object.
    @inlinable
    public var rx: Reactive<Self> {
        get { Reactive(self) }
        set {}
    }
}

/// Every `NSObject` has a reactive side.
extension NSObject: ReactiveCompatible {}
