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

/// A person whose name changes.
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

/// Plays music, and tells when it starts.
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

/// What has been read before.
final class Cache {
    subscript(_ key: String) -> Int? { key.isEmpty ? nil : 7 }
    func value(for key: String) -> Maybe<Int> { .just(7) }
}

/// Gives back what it takes when it goes.
final class SearchScreen {
    private let bag = DisposeBag()
    func open() { Observable<Int>.never().subscribe().disposed(by: bag) }
}

/// Something on its way that can be given up.
struct Request {
    func cancel() {}
}

func fetchPage() async throws -> String { "page" }
