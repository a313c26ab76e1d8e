import Rx

extension Recorded {
    /// Returns the events of a diagram.
    ///
    ///     let events = Recorded.events(marbles: "-a-(b|)", values: ["a": 1, "b": 2])
    ///     print(events)  // [next(1) @ 210, next(2) @ 230, completed @ 230]
    ///
    /// - Parameters:
    ///   - marbles: the diagram.
    ///   - values: the values for the names in the diagram. A missing name stops the program with a message that gives
    ///     the column of the name.
    ///   - error: the error that `#` represents.
    ///   - tick: the units of virtual time per tick.
    ///   - start: the time of the `^` in the diagram, or of the beginning if there is no `^`.
    public static func events<Element>(
        marbles: Marbles, values: [String: Element], error: any Error = TestError(),
        tick: Int = Marbles.defaultTick, start: TestTime = TestScheduler.Defaults.subscribed
    ) -> [Recorded<Event<Element>>] where Value == Event<Element> {
        events(marbles: marbles, value: { values[$0] }, error: error, tick: tick, start: start)
    }

    /// Returns the events of a diagram. Each value is its name.
    ///
    ///     print(Recorded.events(marbles: "-a|"))  // [next(a) @ 210, completed @ 220]
    public static func events(
        marbles: Marbles, error: any Error = TestError(),
        tick: Int = Marbles.defaultTick, start: TestTime = TestScheduler.Defaults.subscribed
    ) -> [Recorded<Event<String>>] where Value == Event<String> {
        events(marbles: marbles, value: { $0 }, error: error, tick: tick, start: start)
    }

    /// Returns the events of a diagram. `value` creates each value from its name.
    ///
    ///     print(Recorded.events(marbles: "-7|", value: { Int($0) }))  // [next(7) @ 210, completed @ 220]
    ///
    /// - Parameters:
    ///   - marbles: the diagram.
    ///   - value: returns the value for a name. If it returns `nil`, the program stops with a message that gives the
    ///     column of the name.
    ///   - tick: the units of virtual time per tick.
    ///   - start: the time of the `^` in the diagram, or of the beginning if there is no `^`.
    public static func events<Element>(
        marbles: Marbles, value: (String) -> Element?, error: any Error = TestError(),
        tick: Int = Marbles.defaultTick, start: TestTime = TestScheduler.Defaults.subscribed
    ) -> [Recorded<Event<Element>>] where Value == Event<Element> {
        marbles.timeline(tick: marbles.tick ?? tick).map { offset, placed in
            switch placed.mark {
            case .next(let name):
                guard let value = value(name) else {
                    preconditionFailure(
                        """
                        Column \(placed.column) of the marbles '\(marbles)' names the value '\(name)', and there \
                        is none of that name: add it to 'values'.
                        """)
                }
                return .next(start + offset, value)
            case .completed: return .completed(start + offset)
            case .error: return .error(start + offset, error)
            case .subscribe, .unsubscribe: preconditionFailure("The events of a diagram have no mark '\(placed.mark)'.")
            }
        }
    }
}

extension Sequence {
    /// Returns the diagram of recorded events. The name of each value is its description.
    ///
    ///     let events = Recorded.events(.next(210, 7), .next(220, 10), .completed(240))
    ///     print(events.marbles())  // -7{10}-|
    ///
    /// - Parameters:
    ///   - tick: the units of virtual time per tick.
    ///   - start: the time at which the diagram begins.
    public func marbles<Value>(
        tick: Int = Marbles.defaultTick, start: TestTime = TestScheduler.Defaults.subscribed
    ) -> Marbles where Element == Recorded<Event<Value>> { marbles(tick: tick, start: start) { "\($0)" } }

    /// Returns the diagram of recorded events. A value in `values` gets its name from there. The name of any other
    /// value is its description.
    ///
    ///     let events = Recorded.events(.next(210, 7), .next(220, 10), .completed(240))
    ///     print(events.marbles(values: ["a": 7, "b": 10]))  // -ab-|
    public func marbles<Value: Equatable>(
        values: [String: Value], tick: Int = Marbles.defaultTick, start: TestTime = TestScheduler.Defaults.subscribed
    ) -> Marbles where Element == Recorded<Event<Value>> {
        // Sorted by name, so that the choice between two names for one value is deterministic.
        let names = values.sorted { $0.key < $1.key }
        return marbles(tick: tick, start: start) { value in names.first { $0.value == value }?.key ?? "\(value)" }
    }

    private func marbles<Value>(tick: Int, start: TestTime, name: (Value) -> String) -> Marbles
    where Element == Recorded<Event<Value>> {
        Marbles(
            map { recorded in
                let mark: Mark =
                    switch recorded.value {
                    case .next(let value): .next(name(value))
                    case .error: .error
                    case .completed: .completed
                    }
                return (recorded.time - start, mark)
            }, tick: tick)
    }
}

extension TestableObserver {
    /// Returns the diagram of `events`.
    public func marbles(tick: Int = Marbles.defaultTick, start: TestTime = TestScheduler.Defaults.subscribed) -> Marbles
    { events.marbles(tick: tick, start: start) }

    /// Returns the diagram of `events`, with the names of `values`.
    public func marbles(
        values: [String: Element], tick: Int = Marbles.defaultTick, start: TestTime = TestScheduler.Defaults.subscribed
    ) -> Marbles where Element: Equatable { events.marbles(values: values, tick: tick, start: start) }
}

extension Subscription {
    /// Creates the subscription of a diagram. `^` marks its beginning, and `!` marks its end, if it ends. `(^!)` means
    /// that both are at the same time.
    ///
    ///     print(Subscription(marbles: "-^--!"))  // (210: 240)
    ///
    /// A diagram that cannot be read stops the program with a message that gives the column of the fault.
    ///
    /// - Parameters:
    ///   - marbles: the diagram.
    ///   - tick: the units of virtual time per tick.
    ///   - start: the time at which the diagram begins.
    public init(marbles: String, tick: Int = Marbles.defaultTick, start: TestTime = TestScheduler.Defaults.subscribed) {
        do {
            let marks = try MarbleReader(marbles, for: .subscription).read()
            func time(of mark: Mark) -> TestTime? {
                marks.first { $0.mark == mark }.map { start + $0.time.offset(tick: tick) }
            }
            guard let subscribed = time(of: .subscribe) else {
                preconditionFailure("The marbles '\(marbles)' have no '^': put one where the subscription begins.")
            }
            self.init(subscribed, time(of: .unsubscribe) ?? .max)
        } catch {
            preconditionFailure(error.description)
        }
    }

    /// Returns the subscription as a diagram.
    ///
    ///     print(Subscription(210, 240).marbles())  // -^--!
    public func marbles(tick: Int = Marbles.defaultTick, start: TestTime = TestScheduler.Defaults.subscribed) -> String
    {
        let end = unsubscribe == .max ? [] : [(offset: unsubscribe - start, mark: Mark.unsubscribe)]
        return MarbleWriter.text(of: [(subscribe - start, .subscribe)] + end, tick: tick)
    }
}

extension Sequence where Element == Subscription {
    /// Returns each subscription as a diagram.
    ///
    ///     print([Subscription(200, 230), Subscription(210)].marbles())  // ["^--!", "-^"]
    public func marbles(
        tick: Int = Marbles.defaultTick, start: TestTime = TestScheduler.Defaults.subscribed
    ) -> [String] { map { $0.marbles(tick: tick, start: start) } }
}
