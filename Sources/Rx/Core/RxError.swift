/// The errors that an operator can fail with on its own account.
public enum RxError: Error {
    /// Something unforeseen.
    case unknown
    /// The object was disposed and cannot be used any more.
    case disposed(object: AnyObject)
    /// A counter went past what an integer holds.
    case overflow
    /// An index lay outside the sequence.
    case argumentOutOfRange
    /// The sequence had no elements, where one is needed.
    case noElements
    /// The sequence had more than one element, where one is needed.
    case moreThanOneElement
    /// The time allowed has passed.
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
