import Foundation
import Rx

// The types that examples name without declaring them.

struct Point: Equatable {
    var x = 0.0, y = 0.0
}

enum NetworkError: Error {
    case offline, timedOut
}

/// Plays music, and tells when it starts.
final class Player {
    let starts = PublishSubject<Void>()
    var volume = 1.0
    func start() { starts.onNext(()) }
}

/// Shows a text.
final class Label {
    var text = ""
}

final class Document {
    static let saved = Notification.Name("Document.saved")
}
