import Dispatch
import Foundation
import Rx
import Synchronization
#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Requests as sequences of one element.
///
/// Each subscription makes a task of its own and starts it; disposing the subscription cancels the task. So a request
/// that is subscribed to twice is sent twice, unless `share(replay: 1)` joins the subscribers. Events come on the
/// session's delegate queue.
extension Reactive where Base: URLSession {
    /// The response to `request`, whatever its status, and its body; then completion.
    ///
    ///     _ = session.rx.response(request: request).subscribe(onNext: { response, data in
    ///         print(response.statusCode, data.count)  // 200 14
    ///     })
    ///
    /// Fails with the error of the session (a `URLError`), with `RxCocoaURLError.nonHTTPResponse` if the answer did not
    /// come over HTTP, and with `RxCocoaURLError.unknown` if there was no answer at all.
    ///
    /// - Complexity: The allocations of a subscription are mostly those of the session's task.
    public func response(request: URLRequest) -> Observable<(response: HTTPURLResponse, data: Data)> {
        let session = base
        return .create { observer in
            let log = RequestLog(ifWantedFor: request)
            let requestTask = RequestTask()
            let task = session.dataTask(with: request) { data, response, error in
                guard requestTask.end() else { return }
                log?.requestEnded(data, response, error)
                if let error { return observer.onError(error) }
                guard let response else { return observer.onError(RxCocoaURLError.unknown) }
                guard let response = response as? HTTPURLResponse else {
                    return observer.onError(RxCocoaURLError.nonHTTPResponse(response: response))
                }
                observer.onNext((response, data ?? Data()))
                observer.onCompleted()
            }
            task.resume()
            return Disposables.create { requestTask.cancel(task) }
        }
    }

    /// The body of the response to `request`, if its status is in 200..<300; then completion.
    ///
    ///     _ = session.rx.data(request: request).subscribe(onNext: { print($0.count) })  // 14
    ///
    /// Fails with `RxCocoaURLError.httpRequestFailed` for any other status, and as `response(request:)` does.
    ///
    /// - Complexity: As `response(request:)` and `map(_:)`.
    public func data(request: URLRequest) -> Observable<Data> {
        response(request: request).map { response, data in
            guard 200..<300 ~= response.statusCode else {
                throw RxCocoaURLError.httpRequestFailed(response: response, data: data)
            }
            return data
        }
    }

    /// The body of the response to `request` as `JSONSerialization` reads it, if its status is in 200..<300; then
    /// completion.
    ///
    ///     _ = session.rx.json(request: request).compactMap { $0 as? [String: Any] }
    ///         .subscribe(onNext: { print($0["name"] ?? "-") })  // Ada
    ///
    /// Fails with `RxCocoaURLError.deserializationError` if the body is not JSON, and as `data(request:)` does. For a
    /// `Decodable` type, `data(request:).decode(type:decoder:)` is shorter.
    ///
    /// - Parameters:
    ///   - request: sent once for each subscriber.
    ///   - options: how to read it, `.fragmentsAllowed` for example.
    /// - Complexity: As `data(request:)`, beside what reading takes.
    public func json(request: URLRequest, options: JSONSerialization.ReadingOptions = []) -> Observable<Any> {
        data(request: request).map { data in
            do { return try JSONSerialization.jsonObject(with: data, options: options) } catch {
                throw RxCocoaURLError.deserializationError(error: error)
            }
        }
    }

    /// The JSON that a GET of `url` answers with; then completion. Fails as `json(request:)` does.
    ///
    ///     _ = session.rx.json(url: url).subscribe(onNext: { print($0) })  // ["name": "Ada"]
    ///
    /// - Complexity: As `json(request:options:)`.
    public func json(url: URL) -> Observable<Any> { json(request: URLRequest(url: url)) }
}

/// Decides, for one task of a session, between its end and its cancellation.
///
/// On Linux, Foundation traps if it gets to cancelling a task that it has forgotten, which it does once the task's
/// handler has returned. So a task whose handler has been called is not cancelled, and a handler that is called while
/// its task is being cancelled does not return before that is done. Without this, a
/// program that cancels requests around their end traps.
final class RequestTask: Sendable {
    private enum Phase: UInt8, AtomicRepresentable { case running, cancelling, ended }

    private let phase = Atomic<Phase>(.running)
    private let cancelled = Guarded<URLSessionTask?>(nil)
    /// Signalled once `cancel(_:)` has asked for the cancellation.
    private let asked = DispatchSemaphore(value: 0)

    /// Cancels the task, unless its handler has been called.
    func cancel(_ task: URLSessionTask) {
        guard phase.compareExchange(expected: .running, desired: .cancelling, ordering: .relaxed).exchanged else {
            return
        }
        task.cancel()
        cancelled.withLock { $0 = task }
        asked.signal()
    }

    /// To be called first by the task's handler: `false` if it has been called before, and is to do nothing.
    func end() -> Bool {
        switch phase.exchange(.ended, ordering: .relaxed) {
        case .running: return true
        case .cancelling:
            asked.wait()
            awaitCancellation()
            return true
        case .ended: return false
        }
    }

    private func awaitCancellation() {
        let task = cancelled.withLock { task in
            defer { task = nil }
            return task
        }
        #if !canImport(Darwin)
            guard let task else { return }
            // The cancellation may have to wait for a look into the cache, on a queue of the lowest priority; its error
            // tells that it is there. Until then a task that has failed by itself has another one. The wait is no more
            // than a moment, or seconds on a machine where a compiler has all processors: the limit is there so that
            // another Foundation cannot make this hang. The pauses leave the processor to that queue, and make it
            // unlikely that the error is read in the very moment in which it is replaced, which no lock guards.
            let limit = ContinuousClock.now + .seconds(10)
            while (task.error as? URLError)?.code != .cancelled, ContinuousClock.now < limit {
                Thread.sleep(forTimeInterval: 0.0001)
            }
            // That error is set first, the rest follows on the same queue. Another call does nothing but wait for that.
            task.cancel()
        #else
            withExtendedLifetime(task) {}
        #endif
    }
}
