extension ObservableType {
    /// Delivers the same value repeatedly, without end.
    ///
    ///     _ = Observable.repeatElement(7).take(2).subscribe(onNext: { print($0) })  // 7, 7
    ///
    /// On the current thread it does not return to the code after `subscribe`: an operator downstream must end it.
    ///
    /// - Parameters:
    ///   - element: the value.
    ///   - scheduler: the scheduler that sends the value, once in each turn.
    /// - Complexity: Two allocations per subscription on the current thread, none per element; on other schedulers the
    ///   allocations of a turn for each element.
    @_alwaysEmitIntoClient
    public static func repeatElement(
        _ element: Element, scheduler: any ImmediateSchedulerType = CurrentThreadScheduler.instance
    ) -> Observable<Element> {
        SourceObservable(stepping: { () }, on: scheduler) { _, sink in
            var element = element
            sink.emit(&element)
            return .more
        }
    }
}
