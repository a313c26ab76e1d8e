import Foundation
import Rx

// The types that examples name without declaring them.

struct Point: Equatable {
    var x = 0.0, y = 0.0
}

struct Person {
    var name = "Ada"
    var title = "Countess"
}

struct Session {}

enum NetworkError: Error {
    case offline, timedOut
}

/// Plays music, and tells when it starts.
final class Player {
    let id = 1
    let starts = PublishSubject<Void>()
    var volume = 1.0
    func start() { starts.onNext(()) }
}

/// Shows a text.
final class Label: ReactiveCompatible {
    var text = ""
}

/// Is tapped.
final class Button: ReactiveCompatible {
    let taps = PublishSubject<Void>()
}

/// Holds a text that the user changes.
final class Field: ReactiveCompatible {
    let edits = PublishSubject<String?>()
    var text: String?
}

final class Reader {
    func title(of page: Int) -> String { "page \(page)" }
}

final class Counter {
    var value = 0
}

final class Log {
    func add(_ message: String) {}
}

final class Document {
    static let saved = Notification.Name("Document.saved")
}

/// What has been read before.
final class Cache {
    subscript(_ key: String) -> Int? { key.isEmpty ? nil : 7 }
    func value(for key: String) -> Maybe<Int> { .just(7) }
}

/// Something on its way that can be given up.
struct Request {
    func cancel() {}
}

func fetchPage() async throws -> String { "page" }
