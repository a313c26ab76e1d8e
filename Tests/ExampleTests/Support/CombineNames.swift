/// The public names of Combine in its module interface of macOS 15, grouped by the four tables of the page.
///
/// An operator covers the publisher that it returns (`Publishers.Map`), and a name covers all its overloads.
enum CombineNames {
    static let all = ["Types": types, "Subjects": subjects, "Schedulers": schedulers, "Operators": operators]

    /// From Foundation, only the declarations that extend Combine.
    static let types = words(
        """
        Publisher AnyPublisher eraseToAnyPublisher Future Deferred Just Empty Fail Optional Result Sequence publisher
        Record ConnectablePublisher connect autoconnect ObservableObject objectWillChange
        ObservableObjectPublisher Subscriber AnySubscriber Sink sink Assign assign Completion Demand Subscription
        Subscriptions Cancellable AnyCancellable store CustomCombineIdentifierConvertible CombineIdentifier
        TopLevelDecoder TopLevelEncoder AsyncPublisher AsyncThrowingPublisher Timer NotificationCenter URLSession
        dataTaskPublisher
        """)

    static let subjects = words("Subject PassthroughSubject CurrentValueSubject Published send")

    static let schedulers = words(
        """
        Scheduler ImmediateScheduler DispatchQueue OperationQueue RunLoop SchedulerTimeIntervalConvertible receive
        subscribe
        """)

    static let operators = words(
        """
        map tryMap mapError setFailureType scan tryScan replaceNil replaceEmpty replaceError compactMap tryCompactMap
        filter tryFilter removeDuplicates tryRemoveDuplicates ignoreOutput collect reduce tryReduce count max tryMax
        min tryMin contains tryContains allSatisfy tryAllSatisfy first tryFirst last tryLast output dropFirst drop
        tryDrop prefix tryPrefix append prepend combineLatest merge MergeMany zip flatMap switchToLatest
        assertNoFailure catch tryCatch retry measureInterval debounce delay throttle timeout encode decode multicast
        share makeConnectable autoconnect buffer handleEvents print breakpoint breakpointOnError values
        """)

    private static func words(_ text: String) -> [String] {
        text.split(whereSeparator: \.isWhitespace).map(String.init)
    }
}
