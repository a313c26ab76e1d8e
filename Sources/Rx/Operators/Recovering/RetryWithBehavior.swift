import struct Foundation.TimeInterval

/// After how long, and how often, a sequence that has failed is subscribed to again.
public enum RepeatBehavior: Sendable {
    /// At once.
    case immediate(maxCount: UInt)
    /// After the same time.
    case delayed(maxCount: UInt, time: TimeInterval)
    /// After `initial` seconds, and after `multiplier` times as long each further time.
    case exponentialDelayed(maxCount: UInt, initial: TimeInterval, multiplier: Double)
    /// After what the function makes of the number of the attempt that has failed, counted from 1.
    case customTimerDelayed(maxCount: UInt, delayCalculator: @Sendable (UInt) -> RxTimeInterval)

    /// The most attempts, the first included.
    var maxCount: UInt {
        switch self {
        case .immediate(let count), .delayed(let count, _), .exponentialDelayed(let count, _, _),
            .customTimerDelayed(let count, _):
            count
        }
    }

    /// How long to wait after attempt `number`, counted from 1, has failed; `nil` for no wait at all.
    func wait(after number: UInt, jitter: Double) -> RxTimeInterval? {
        let span: RxTimeInterval
        switch self {
        case .immediate: return nil
        case .delayed(_, let seconds): span = .rounded(seconds: seconds)
        case .exponentialDelayed(_, let initial, let multiplier):
            var seconds = initial
            // By multiplication, as `pow` is Foundation's; it has an end once the span is endless.
            for _ in 1..<max(1, min(number, 2_000)) { seconds *= multiplier }
            span = .rounded(seconds: seconds)
        case .customTimerDelayed(_, let calculate): span = calculate(number)
        }
        guard jitter > 0 else { return span }
        return .rounded(seconds: span.seconds * (1 - Double.random(in: 0...min(1, jitter))))
    }
}

extension ObservableType {
    /// The elements of this sequence, which is subscribed to again when it fails, as `behavior` says.
    ///
    ///     // After 1, 2, 4 and 8 seconds, each up to a fifth shorter.
    ///     let page = load().retry(
    ///         .exponentialDelayed(maxCount: 5, initial: 1, multiplier: 2), jitter: 0.2, scheduler: scheduler
    ///     ) { error in error is NetworkError }
    ///
    /// If all attempts fail, it ends with the last one's error; with none it completes at once.
    ///
    /// - Parameters:
    ///   - behavior: how many attempts there are in all, and how long to wait between them.
    ///   - jitter: by how much of itself a wait may be shorter, at random: so that many clients do not come back at the
    ///     same moment. 0 to 1.
    ///   - scheduler: where waits are counted and further attempts begin.
    ///   - shouldRetry: whether an error is worth another attempt; one that is not ends the sequence.
    /// - Complexity: As `retry(when:)`, and a timer for each wait.
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
