import Dispatch
import Foundation
import Rx
import Synchronization
#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Requests as sequences of one element.
///
/// Each subscription creates and starts a separate task. Disposing the subscription cancels the task. A request that is
/// subscribed to twice is therefore sent twice, unless `share(replay: 1)` shares the subscription. Events are delivered
/// on the delegate queue of the session.
extension Reactive where Base: URLSession {
    /// Delivers the response to `request` and its body, regardless of the status code, then completes.
    ///
    ///     _ = session.rx.response(request: request).subscribe(onNext: { response, data in
    ///         print(response.statusCode, data.count)  // 200 14
    ///     })
    ///
    /// Fails with the error of the session (a `URLError`), with `RxCocoaURLError.nonHTTPResponse` if the response is
    /// not an HTTP response, and with `RxCocoaURLError.unknown` if there was no response.
    ///
    /// - Complexity: Most allocations of a subscription are made by the task of the session.
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

    /// Delivers the body of the response to `request` if its status code is in 200..<300, then completes.
    ///
    ///     _ = session.rx.data(request: request).subscribe(onNext: { print($0.count) })  // 14
    ///
    /// Fails with `RxCocoaURLError.httpRequestFailed` for any other status code, and with the errors of
    /// `response(request:)`.
    ///
    /// - Complexity: The same as `response(request:)` and `map(_:)`.
    public func data(request: URLRequest) -> Observable<Data> {
        response(request: request).map { response, data in
            guard 200..<300 ~= response.statusCode else {
                throw RxCocoaURLError.httpRequestFailed(response: response, data: data)
            }
            return data
        }
    }

    /// Delivers the body of the response to `request`, parsed by `JSONSerialization`, if its status code is in
    /// 200..<300, then completes.
    ///
    ///     _ = session.rx.json(request: request).compactMap { $0 as? [String: Any] }
    ///         .subscribe(onNext: { print($0["name"] ?? "-") })  // Ada
    ///
    /// Fails with `RxCocoaURLError.deserializationError` if the body is not JSON, and with the errors of
    /// `data(request:)`. For a `Decodable` type, `data(request:).decode(type:decoder:)` is shorter.
    ///
    /// - Parameters:
    ///   - request: the request that is sent once for each subscriber.
    ///   - options: the reading options, for example `.fragmentsAllowed`.
    /// - Complexity: The same as `data(request:)`, plus the cost of reading the JSON.
    public func json(request: URLRequest, options: JSONSerialization.ReadingOptions = []) -> Observable<Any> {
        data(request: request).map { data in
            do { return try JSONSerialization.jsonObject(with: data, options: options) } catch {
                throw RxCocoaURLError.deserializationError(error: error)
            }
        }
    }

    /// Delivers the JSON in the response to a GET request for `url`, then completes. Fails like `json(request:)`.
    ///
    ///     _ = session.rx.json(url: url).subscribe(onNext: { print($0) })  // ["name": "Ada"]
    ///
    /// - Complexity: The same as `json(request:options:)`.
    public func json(url: URL) -> Observable<Any> { json(request: URLRequest(url: url)) }
}

/// Resolves the race between the end and the cancellation of a session task.
///
/// On Linux, Foundation traps if it processes the cancellation of a task that it has already forgotten. It forgets a
/// task when the handler of the task has returned. Therefore a task whose handler has been called is not cancelled. A
/// handler that is called while its task is being cancelled does not return before the cancellation has finished.
/// Without this, a program that cancels requests near their end traps.
/// program that cancels requests around their end traps.
final class RequestTask: Sendable {
    private enum Phase: UInt8, AtomicRepresentable { case running, cancelling, ended }

    private let phase = Atomic<Phase>(.running)
    private let cancelled = Guarded<URLSessionTask?>(nil)
    /// Signalled after `cancel(_:)` has requested the cancellation.
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

    /// Records the call of the task's handler. The handler must call this method first. Returns `false` if the handler
    /// has been called before and must do nothing.
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
            // The cancellation may have to wait for a cache lookup on a queue of the lowest priority. When it takes
            // effect, it sets the error of the task to `.cancelled`. Until then, a task that has failed by itself has
            // another error. The wait is short, or takes seconds on a machine whose processors are all busy with a
            // compiler. The limit prevents a hang with another version of Foundation. The pauses leave processor time
            // to that queue. They also make it unlikely that the error is read at the moment when it is replaced,
            // because no lock guards the error.
            let limit = ContinuousClock.now + .seconds(10)
            while (task.error as? URLError)?.code != .cancelled, ContinuousClock.now < limit {
                Thread.sleep(forTimeInterval: 0.0001)
            }
            // The error is set first, and the rest of the cancellation follows on the same queue. A second call of
            // `cancel()` only waits for that.
            task.cancel()
        #else
            withExtendedLifetime(task) {}
        #endif
    }
}
