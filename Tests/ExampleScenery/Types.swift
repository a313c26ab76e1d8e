import Foundation
import Rx

// The types that examples use without declaring them.

struct Point: Equatable {
    var x = 0.0, y = 0.0
}

struct Person {
    var name = "Ada"
    var title = "Countess"
}

/// A person whose name can change.
struct PersonModel {
    let name = BehaviorRelay(value: "Ada")
}

/// A row of a list.
struct Song: Identifiable, Equatable {
    let id: Int
    var title: String

    init(_ id: Int, _ title: String) {
        self.id = id
        self.title = title
    }
}

struct Session {}

enum NetworkError: Error {
    case offline, timedOut
}

/// Plays music, and sends an event when it starts.
final class Player {
    let id = 1
    let starts = PublishSubject<Void>()
    var volume = 1.0
    func start() { starts.onNext(()) }
}

/// Shows a text.
final class Label {
    var text = ""
}

final class Reader {
    func title(of page: Int) -> String { "page \(page)" }
}

final class Counter {
    var value = 0
}

final class Document {
    static let saved = Notification.Name("Document.saved")
}

/// A cache of values that have been read before.
final class Cache {
    subscript(_ key: String) -> Int? { key.isEmpty ? nil : 7 }
    func value(for key: String) -> Maybe<Int> { .just(7) }
}

/// Disposes its subscriptions when it is deallocated.
final class SearchScreen {
    private let bag = DisposeBag()
    func open() { Observable<Int>.never().subscribe().disposed(by: bag) }
}

/// A request in progress, which can be cancelled.
struct Request {
    func cancel() {}
}

func fetchPage() async throws -> String { "page" }
