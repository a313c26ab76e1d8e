import struct Foundation.TimeInterval

/// The waits and the number of attempts with which a failed sequence is subscribed to again.
public enum RepeatBehavior: Sendable {
    /// Subscribes again immediately.
    case immediate(maxCount: UInt)
    /// Waits for `time` seconds before each further attempt.
    case delayed(maxCount: UInt, time: TimeInterval)
    /// Waits for `initial` seconds the first time. Each further wait is `multiplier` times as long as the previous one.
    case exponentialDelayed(maxCount: UInt, initial: TimeInterval, multiplier: Double)
    /// Waits for the time that `delayCalculator` returns for the number of the failed attempt, counted from 1.
    case customTimerDelayed(maxCount: UInt, delayCalculator: @Sendable (UInt) -> RxTimeInterval)

    /// The maximum number of attempts, including the first one.
    var maxCount: UInt {
        switch self {
        case .immediate(let count), .delayed(let count, _), .exponentialDelayed(let count, _, _),
            .customTimerDelayed(let count, _):
            count
        }
    }

    /// Returns the time to wait after attempt `number`, counted from 1, has failed; `nil` for no wait.
    func wait(after number: UInt, jitter: Double) -> RxTimeInterval? {
        let span: RxTimeInterval
        switch self {
        case .immediate: return nil
        case .delayed(_, let seconds): span = .rounded(seconds: seconds)
        case .exponentialDelayed(_, let initial, let multiplier):
            var seconds = initial
            // Multiplies repeatedly, because `pow` belongs to Foundation. The loop has a limit, because the span is
            // usually endless by then.
            for _ in 1..<max(1, min(number, 2_000)) { seconds *= multiplier }
            span = .rounded(seconds: seconds)
        case .customTimerDelayed(_, let calculate): span = calculate(number)
        }
        guard jitter > 0 else { return span }
        return .rounded(seconds: span.seconds * (1 - Double.random(in: 0...min(1, jitter))))
    }
}

extension ObservableType {
    /// Subscribes to this sequence again when it fails, as `behavior` specifies.
    ///
    ///     // After 1, 2, 4 and 8 seconds, each up to a fifth shorter.
    ///     let page = load().retry(
    ///         .exponentialDelayed(maxCount: 5, initial: 1, multiplier: 2), jitter: 0.2, scheduler: scheduler
    ///     ) { error in error is NetworkError }
    ///
    /// If all attempts fail, the result ends with the error of the last attempt. With 0 attempts it completes
    /// immediately.
    ///
    /// - Parameters:
    ///   - behavior: the number of attempts, and the times between them.
    ///   - jitter: the largest fraction of a wait, 0 to 1, by which the wait is shortened at random, so that many
    ///     clients do not return at the same moment.
    ///   - scheduler: the scheduler of the waits and of further attempts.
    ///   - shouldRetry: whether to retry after an error; if not, the error ends the sequence.
    /// - Complexity: The same as `retry(when:)`, plus a timer for each wait.
    public func retry(
        _ behavior: RepeatBehavior, jitter: Double = 0, scheduler: any SchedulerType = MainScheduler.instance,
        shouldRetry: @escaping (any Error) -> Bool = { _ in true }
    ) -> Observable<Element> {
        if behavior.maxCount == 0 { return .empty() }
        return retry { (errors: Observable<any Error>) in
            errors.enumerated().concatMap { attempt in
                let number = UInt(attempt.index) + 1
                guard number < behavior.maxCount, shouldRetry(attempt.element) else {
                    return Observable<Int>.error(attempt.element)
                }
                guard let wait = behavior.wait(after: number, jitter: jitter) else { return .just(0) }
                return Observable<Int>.timer(wait, scheduler: scheduler)
            }
        }
    }
}
