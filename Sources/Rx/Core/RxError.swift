/// The errors that the operators themselves report.
public enum RxError: Error {
    /// An unexpected error.
    case unknown
    /// The object was disposed and can no longer be used.
    case disposed(object: AnyObject)
    /// A counter exceeded the range of its integer type.
    case overflow
    /// An index was outside the sequence.
    case argumentOutOfRange
    /// The sequence had no elements, but at least one is required.
    case noElements
    /// The sequence had more than one element, but exactly one is required.
    case moreThanOneElement
    /// The permitted time has passed.
    case timeout
}

// @unchecked: the object of `disposed` is only named in messages.
extension RxError: @unchecked Sendable {}

extension RxError: CustomDebugStringConvertible {
    public var debugDescription: String {
        switch self {
        case .unknown: "Unknown error occurred."
        case .disposed(let object): "Object '\(object)' was already disposed."
        case .overflow: "Arithmetic overflow occurred."
        case .argumentOutOfRange: "Argument out of range."
        case .noElements: "Sequence doesn't contain any elements."
        case .moreThanOneElement: "Sequence contains more than one element."
        case .timeout: "Sequence timeout."
        }
    }
}
