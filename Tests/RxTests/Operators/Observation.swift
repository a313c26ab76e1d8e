import Foundation
import Rx

/// The error that tests plant.
enum Planted: Error { case fault, other }

/// Notes in the order of the events.
final class Notes {
    private(set) var lines: [String] = []

    func add(_ line: String) { lines.append(line) }
}

extension ObservableConvertibleType {
    /// Subscribes and notes each event: `next(1)`, `error(fault)`, `completed`.
    func record(in notes: Notes) -> any Disposable {
        asObservable().subscribe { notes.add($0.debugDescription) }
    }

    /// The events before `subscribe` returns.
    var synchronousEvents: [String] {
        let notes = Notes()
        record(in: notes).dispose()
        return notes.lines
    }
}

extension Observable {
    /// Values, then an end, sent from inside the subscription.
    static func sending(_ values: Element..., then end: Event<Element>? = .completed) -> Observable<Element> {
        create { observer in
            for value in values { observer.onNext(value) }
            if let end { observer.on(end) }
            return Disposables.create()
        }
    }
}

/// Runs an operator on a subject three times, to completion, to an error and to a disposal midway, and releases
/// everything.
///
/// The subscriptions that ended by themselves are not disposed.
func runToEveryEnd<Result: ObservableConvertibleType>(_ apply: (Observable<Int>) -> Result) {
    for end in [Event<Int>.completed, .error(Planted.fault)] {
        let subject = PublishSubject<Int>()
        let subscription = apply(subject).asObservable().subscribe { _ in }
        for value in 1...3 { subject.onNext(value) }
        subject.on(end)
        withExtendedLifetime(subscription) {}
    }
    let subject = PublishSubject<Int>()
    let subscription = apply(subject).asObservable().subscribe { _ in }
    subject.onNext(1)
    subscription.dispose()
    subject.onNext(2)
}

/// Runs an operator on a subject twice, to an error and to a disposal midway, and releases everything. For sequences
/// that stay open when the subject completes.
func runToErrorAndDisposal<Result: ObservableConvertibleType>(_ apply: (Observable<Int>) -> Result) {
    let failing = PublishSubject<Int>()
    let failed = apply(failing).asObservable().subscribe { _ in }
    for value in 1...3 { failing.onNext(value) }
    failing.onError(Planted.fault)
    withExtendedLifetime(failed) {}

    let subject = PublishSubject<Int>()
    let subscription = apply(subject).asObservable().subscribe { _ in }
    subject.onNext(1)
    subscription.dispose()
    subject.onNext(2)
}

/// Runs `body` on a thread with a stack of 512 KiB; four times that under a sanitizer, whose frames are larger.
func onSmallStack<Result>(_ body: @escaping () -> Result) -> Result {
    let handOver = HandOver(body)
    let done = DispatchSemaphore(value: 0)
    let thread = Thread {
        handOver.run()
        done.signal()
    }
    thread.stackSize = 512 * 1024 * (isSanitized ? 4 : 1)
    thread.start()
    done.wait()
    return handOver.result!
}

/// Whether a sanitizer is active in this process. Swift has no condition for that, but each sanitizer brings a separate
/// library.
let isSanitized = (["__tsan_init", "__asan_init"] as [String]).contains { dlsym(nil, $0) != nil }

// @unchecked: the semaphore orders the two threads.
private final class HandOver<Result>: @unchecked Sendable {
    private let body: () -> Result
    private(set) var result: Result?

    init(_ body: @escaping () -> Result) { self.body = body }

    func run() { result = body() }
}
