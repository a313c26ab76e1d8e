extension ObservableType {
    /// A value, what follows from it, and so on for as long as a condition holds.
    ///
    ///     _ = Observable.generate(initialState: 1, condition: { $0 < 9 }, iterate: { $0 * 2 })
    ///         .subscribe(onNext: { print($0) })  // 1, 2, 4, 8
    ///
    /// If `condition` or `iterate` throws, the sequence ends with that error.
    ///
    /// - Parameters:
    ///   - initialState: the first value.
    ///   - condition: whether a value is delivered; if not, the sequence completes.
    ///   - scheduler: where the values are sent, one in each turn.
    ///   - iterate: makes the next value of one that was delivered.
    /// - Complexity: Two allocations per subscription on the current thread, none per element; elsewhere those of a
    ///   turn for each element.
    @inlinable
    public static func generate(
        initialState: Element,
        condition: @escaping (Element) throws -> Bool,
        scheduler: any ImmediateSchedulerType = CurrentThreadScheduler.instance,
        iterate: @escaping (Element) throws -> Element
    ) -> Observable<Element> {
        SourceObservable(stepping: { (value: initialState, isFirst: true) }, on: scheduler) { state, sink in
            do {
                if !state.isFirst { state.value = try iterate(state.value) }
                state.isFirst = false
                if try condition(state.value) {
                    var element = state.value
                    sink.emit(&element)
                    return .more
                }
                // The closures may have disposed the subscription.
                if !sink.isStopped { sink.end(nil) }
            } catch {
                if !sink.isStopped { sink.end(error) }
            }
            return .over
        }
    }
}
