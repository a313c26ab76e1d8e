/// An error of a binding to a user interface.
public enum RxCocoaError: Error {
    /// Something unforeseen.
    case unknown
    /// The object does not allow this now.
    case invalidOperation(object: Any)
    /// No items are bound to the object yet.
    case itemsNotYetBound(object: Any)
    /// The object has no property of this name.
    case invalidPropertyName(object: Any, propertyName: String)
    /// A part of the key path that begins at `sourceObject` is not an object that can be observed.
    case invalidObjectOnKeyPath(object: Any, sourceObject: AnyObject, propertyName: String)
    /// A method could not be intercepted.
    case errorDuringSwizzling
    /// The object is not of the type that is needed.
    case castingError(object: Any, targetType: Any.Type)
}

// @unchecked: the objects are only named in messages.
extension RxCocoaError: @unchecked Sendable {}

extension RxCocoaError: CustomDebugStringConvertible {
    /// The event in words, with the objects' descriptions.
    public var debugDescription: String {
        switch self {
        case .unknown: "Unknown error occurred."
        case .invalidOperation(let object): "The operation is not possible now on '\(object)'."
        case .itemsNotYetBound(let object): "No items are bound to '\(object)' yet."
        case .invalidPropertyName(let object, let propertyName): "'\(object)' has no property '\(propertyName)'."
        case .invalidObjectOnKeyPath(let object, let sourceObject, let propertyName):
            "'\(object)' cannot be observed. It is the value of '\(propertyName)' on the key path of '\(sourceObject)'."
        case .errorDuringSwizzling: "A method could not be intercepted."
        case .castingError(let object, let targetType): "'\(object)' is not a '\(targetType)'."
        }
    }
}
