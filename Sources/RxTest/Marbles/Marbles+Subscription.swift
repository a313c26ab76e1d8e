extension Subscription {
    /// The subscription of a diagram: `^` where it begins and `!` where it ends, if it does; `(^!)` if that is at the
    /// same time.
    ///
    ///     print(Subscription(marbles: "-^--!"))  // (210: 240)
    ///
    /// A diagram that cannot be read ends the program with a sentence that names the column at fault.
    ///
    /// - Parameters:
    ///   - tick: the units of virtual time that each tick takes.
    ///   - start: the time at which the diagram begins.
    public init(marbles: String, tick: Int = Marbles.defaultTick, start: TestTime = TestScheduler.Defaults.subscribed) {
        do {
            let marks = try MarbleReader(marbles, for: .subscription).read()
            func time(of mark: Mark) -> TestTime? {
                marks.first { $0.mark == mark }.map { start + $0.place.offset(tick: tick) }
            }
            guard let subscribed = time(of: .subscribe) else {
                preconditionFailure("The marbles '\(marbles)' have no '^': put one where the subscription begins.")
            }
            self.init(subscribed, time(of: .unsubscribe) ?? .max)
        } catch {
            preconditionFailure(error.description)
        }
    }

    /// The subscription as a diagram.
    ///
    ///     print(Subscription(210, 240).marbles())  // -^--!
    public func marbles(tick: Int = Marbles.defaultTick, start: TestTime = TestScheduler.Defaults.subscribed) -> String
    {
        let end = unsubscribe == .max ? [] : [(offset: unsubscribe - start, mark: Mark.unsubscribe)]
        return MarbleWriter.text(of: [(subscribe - start, .subscribe)] + end, tick: tick)
    }
}

extension Sequence where Element == Subscription {
    /// Each subscription as a diagram.
    ///
    ///     print([Subscription(200, 230), Subscription(210)].marbles())  // ["^--!", "-^"]
    public func marbles(
        tick: Int = Marbles.defaultTick, start: TestTime = TestScheduler.Defaults.subscribed
    ) -> [String] {
        map { $0.marbles(tick: tick, start: start) }
    }
}
