/// A round trip (open something, use it, close it) with its expectation: whether it leaks, and how a report should
/// describe its leak.
public struct LeakScenario: Sendable {
    /// The name in reports: `self-in-own-bag/leak`.
    public let name: String
    /// The round trip.
    public let body: Body
    /// The expected result of a detector.
    public let expected: Expectation
    /// The maximum number of repetitions, without the warm-up.
    public let maximumRuns: Int

    /// Creates a scenario from a name, a round trip and an expectation.
    ///
    /// - Parameter maximumRuns: An exact leak is found within 40 runs; a leak hidden by noise needs more.
    public init(_ name: String, expected: Expectation, maximumRuns: Int = 160, body: Body) {
        self.name = name
        self.body = body
        self.expected = expected
        self.maximumRuns = maximumRuns
    }

    /// A round trip, with or without suspension.
    public enum Body: Sendable {
        /// Runs on the caller's thread.
        case synchronous(@Sendable () -> Void)
        /// Runs in the caller's task.
        case asynchronous(@Sendable () async -> Void)
    }

    /// The expected result of a detector for a round trip.
    public enum Expectation: Sendable, Equatable {
        /// It leaves nothing behind, except objects that the first runs made.
        case clean
        /// It fills a collection up to a limit.
        case bounded
        /// It leaves scheduled work behind, with the text that the report must contain about it.
        case waiting(names: [String])
        /// It leaks, with the required certainty, and the types, fields or closures that the report must name.
        case leak(Grade, names: [String])
    }

    /// The certainty of a report about the holder of a leak.
    public enum Grade: String, Sendable, Equatable {
        /// Every reference on the path is accounted for.
        case proven
        /// The best available explanation, although some references on the path may not be accounted for.
        case likely
    }
}

/// A mistake that leaks, and the same code without it.
public struct PlantedLeak: Sendable {
    /// The common name of the leak and its twin: `self-in-own-bag`.
    public let name: String
    /// The mistake, in one sentence.
    public let mistake: String
    /// The remedy, in one sentence.
    public let remedy: String
    /// The round trip with the mistake.
    public let leak: LeakScenario
    /// The round trip without it.
    public let twin: LeakScenario

    /// Creates a mistake, which `body` makes if its argument is true.
    init(
        _ name: String, mistake: String, remedy: String, grade: LeakScenario.Grade, names: [String],
        twin: LeakScenario.Expectation = .clean, maximumRuns: Int = 40,
        body: @escaping @Sendable (_ leaking: Bool) -> Void
    ) {
        self.init(
            name, mistake: mistake, remedy: remedy, leak: .leak(grade, names: names), twin: twin,
            maximumRuns: maximumRuns,
            leakBody: .synchronous { body(true) }, twinBody: .synchronous { body(false) })
    }

    /// Creates a mistake that leaves work waiting.
    init(
        _ name: String, mistake: String, remedy: String, waitingNames: [String],
        body: @escaping @Sendable (_ leaking: Bool) -> Void
    ) {
        self.init(
            name, mistake: mistake, remedy: remedy, leak: .waiting(names: waitingNames), twin: .clean, maximumRuns: 40,
            leakBody: .synchronous { body(true) }, twinBody: .synchronous { body(false) })
    }

    /// Creates a mistake in asynchronous code.
    init(
        _ name: String, mistake: String, remedy: String, grade: LeakScenario.Grade, names: [String],
        body: @escaping @Sendable (_ leaking: Bool) async -> Void
    ) {
        self.init(
            name, mistake: mistake, remedy: remedy, leak: .leak(grade, names: names), twin: .clean, maximumRuns: 40,
            leakBody: .asynchronous { await body(true) }, twinBody: .asynchronous { await body(false) })
    }

    private init(
        _ name: String, mistake: String, remedy: String, leak: LeakScenario.Expectation, twin: LeakScenario.Expectation,
        maximumRuns: Int,
        leakBody: LeakScenario.Body, twinBody: LeakScenario.Body
    ) {
        self.name = name
        self.mistake = mistake
        self.remedy = remedy
        self.leak = LeakScenario("\(name)/leak", expected: leak, maximumRuns: maximumRuns, body: leakBody)
        self.twin = LeakScenario("\(name)/twin", expected: twin, body: twinBody)
    }
}

extension PlantedLeak {
    /// The whole gallery.
    public static let all: [PlantedLeak] = [
        selfInOwnBag, eachOthersBags, undisposedInterval, sharedForever, relayOutlivesScreen, subjectInGlobal,
        unretainedReplay,
        endlessTask, unboundedCache,
        privateRows, methodReference, notificationToken, unboundedReplay, groupSubscription, lazyHandler,
        capturedVariable, wizardStep,
        storedTask,
    ]

    /// Mistakes in circumstances that easily mislead a detector: work on other threads, noise, saw-teeth, waiting work,
    /// tasks.
    ///
    /// Each has a twin in the same circumstances without the mistake. The twin must not be reported.
    public static let circumstances: [PlantedLeak] = [
        queueWorker, detachedTask, fulfilledExpectation, noisyPool, flushedCache, longLivedBag, hourTimer, lateTimer,
        everyOtherRound, abandonedValue, longSleep,
    ]
}
