extension ObservableType {
    /// Delivers a value, the value that follows from it, and so on while a condition holds.
    ///
    ///     _ = Observable.generate(initialState: 1, condition: { $0 < 9 }, iterate: { $0 * 2 })
    ///         .subscribe(onNext: { print($0) })  // 1, 2, 4, 8
    ///
    /// If `condition` or `iterate` throws, the sequence ends with that error.
    ///
    /// - Parameters:
    ///   - initialState: the first value.
    ///   - condition: whether to deliver a value; if `false`, the sequence completes.
    ///   - scheduler: the scheduler that sends the values, one in each turn.
    ///   - iterate: returns the value after a delivered one.
    /// - Complexity: Two allocations per subscription on the current thread, none per element; on other schedulers the
    ///   allocations of a turn for each element.
    @_alwaysEmitIntoClient
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
                if !sink.isStopped { sink.emitEnd() }
            } catch {
                if !sink.isStopped { sink.emitEnd(error) }
            }
            return .over
        }
    }
}
