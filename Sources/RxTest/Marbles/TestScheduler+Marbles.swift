import Rx

extension TestScheduler {
    /// A hot sequence that sends what a diagram shows. Its `^`, or else its beginning, is the tick of subscription,
    /// 200.
    ///
    ///     let scheduler = TestScheduler(initialClock: 0)
    ///     let numbers = scheduler.createHotObservable(marbles: "a^-b|", values: ["a": 1, "b": 2])
    ///     print(scheduler.start { numbers }.events)  // [next(2) @ 220, completed @ 230]
    ///     print(numbers.subscriptions.marbles())     // ["^--!"]
    ///
    /// Events at the beginning or under `^` itself come just before the subscription, which misses them.
    ///
    /// - Parameters:
    ///   - marbles: the diagram.
    ///   - values: what the names in the diagram stand for. A name that is missing ends the program with a sentence
    ///     that names its column.
    ///   - error: what `#` stands for.
    ///   - tick: the units of virtual time that each tick takes.
    ///   - start: the time of the diagram's `^`, or else of its beginning.
    public func createHotObservable<Element>(
        marbles: Marbles, values: [String: Element], error: any Error = TestError(),
        tick: Int = Marbles.defaultTick, start: TestTime = Defaults.subscribed
    ) -> TestableObservable<Element> {
        createHotObservable(Recorded.events(marbles: marbles, values: values, error: error, tick: tick, start: start))
    }

    /// A hot sequence that sends what a diagram shows; its values are their own names.
    ///
    ///     let scheduler = TestScheduler(initialClock: 0)
    ///     let letters = scheduler.createHotObservable(marbles: "-a-b|")
    ///     print(scheduler.start { letters.take(1) }.marbles())  // -(a|)
    public func createHotObservable(
        marbles: Marbles, error: any Error = TestError(), tick: Int = Marbles.defaultTick,
        start: TestTime = Defaults.subscribed
    ) -> TestableObservable<String> {
        createHotObservable(Recorded.events(marbles: marbles, error: error, tick: tick, start: start))
    }

    /// A cold sequence that sends each subscriber what a diagram shows, from its subscription on.
    ///
    ///     let scheduler = TestScheduler(initialClock: 0)
    ///     let numbers = scheduler.createColdObservable(marbles: "-a-(b|)", values: ["a": 1, "b": 2])
    ///     let result = scheduler.start { numbers.concat(numbers) }
    ///     print(result.marbles())                 // -1-21-(2|)
    ///     print(numbers.subscriptions.marbles())  // ["^--!", "---^--!"]
    ///
    /// - Parameters:
    ///   - marbles: the diagram.
    ///   - values: what the names in the diagram stand for. A name that is missing ends the program with a sentence
    ///     that names its column.
    ///   - error: what `#` stands for.
    ///   - tick: the units of virtual time that each tick takes.
    public func createColdObservable<Element>(
        marbles: Marbles, values: [String: Element], error: any Error = TestError(), tick: Int = Marbles.defaultTick
    ) -> TestableObservable<Element> {
        createColdObservable(Recorded.events(marbles: marbles, values: values, error: error, tick: tick, start: 0))
    }

    /// A cold sequence that sends each subscriber what a diagram shows; its values are their own names.
    ///
    ///     let scheduler = TestScheduler(initialClock: 0)
    ///     let letters = scheduler.createColdObservable(marbles: "-a-#")
    ///     print(scheduler.start { letters.retry(2) }.marbles())  // -a--a-#
    public func createColdObservable(
        marbles: Marbles, error: any Error = TestError(), tick: Int = Marbles.defaultTick
    ) -> TestableObservable<String> {
        createColdObservable(Recorded.events(marbles: marbles, error: error, tick: tick, start: 0))
    }
}
