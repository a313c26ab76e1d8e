import Rx

extension Recorded {
    /// The events of a diagram.
    ///
    ///     let events = Recorded.events(marbles: "-a-(b|)", values: ["a": 1, "b": 2])
    ///     print(events)  // [next(1) @ 210, next(2) @ 230, completed @ 230]
    ///
    /// - Parameters:
    ///   - values: what the names in the diagram stand for. A name that is missing ends the program with a sentence
    ///     that names its column.
    ///   - error: what `#` stands for.
    ///   - tick: the units of virtual time that each tick takes.
    ///   - start: the time of the diagram's `^`, or else of its beginning.
    public static func events<Element>(
        marbles: Marbles, values: [String: Element], error: any Error = TestError(),
        tick: Int = Marbles.defaultTick, start: TestTime = TestScheduler.Defaults.subscribed
    ) -> [Recorded<Event<Element>>] where Value == Event<Element> {
        events(marbles: marbles, value: { values[$0] }, error: error, tick: tick, start: start)
    }

    /// The events of a diagram whose values are their own names.
    ///
    ///     print(Recorded.events(marbles: "-a|"))  // [next(a) @ 210, completed @ 220]
    public static func events(
        marbles: Marbles, error: any Error = TestError(),
        tick: Int = Marbles.defaultTick, start: TestTime = TestScheduler.Defaults.subscribed
    ) -> [Recorded<Event<String>>] where Value == Event<String> {
        events(marbles: marbles, value: { $0 }, error: error, tick: tick, start: start)
    }

    /// The events of a diagram, with values made from their names.
    ///
    ///     print(Recorded.events(marbles: "-7|", value: { Int($0) }))  // [next(7) @ 210, completed @ 220]
    ///
    /// - Parameter value: the value of a name; `nil`, if there is none, ends the program with a sentence that names its
    ///   column.
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
                        """
                    )
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
    /// The diagram of recorded events. Each value is named by its text.
    ///
    ///     let events = Recorded.events(.next(210, 7), .next(220, 10), .completed(240))
    ///     print(events.marbles())  // -7{10}-|
    ///
    /// - Parameters:
    ///   - tick: the units of virtual time that each tick takes.
    ///   - start: the time at which the diagram begins.
    public func marbles<Value>(
        tick: Int = Marbles.defaultTick, start: TestTime = TestScheduler.Defaults.subscribed
    ) -> Marbles
    where Element == Recorded<Event<Value>> {
        marbles(tick: tick, start: start) { "\($0)" }
    }

    /// The diagram of recorded events. A value that is among `values` has the name that it has there; any other is
    /// named by its text.
    ///
    ///     let events = Recorded.events(.next(210, 7), .next(220, 10), .completed(240))
    ///     print(events.marbles(values: ["a": 7, "b": 10]))  // -ab-|
    public func marbles<Value: Equatable>(
        values: [String: Value], tick: Int = Marbles.defaultTick, start: TestTime = TestScheduler.Defaults.subscribed
    ) -> Marbles where Element == Recorded<Event<Value>> {
        // In the order of names, so that of two names for a value it is always the same one.
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
    /// The diagram of what has arrived, as that of its `events`.
    public func marbles(tick: Int = Marbles.defaultTick, start: TestTime = TestScheduler.Defaults.subscribed) -> Marbles
    {
        events.marbles(tick: tick, start: start)
    }

    /// The diagram of what has arrived, with the names of `values`, as that of its `events`.
    public func marbles(
        values: [String: Element], tick: Int = Marbles.defaultTick, start: TestTime = TestScheduler.Defaults.subscribed
    ) -> Marbles where Element: Equatable {
        events.marbles(values: values, tick: tick, start: start)
    }
}
