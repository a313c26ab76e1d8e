extension ObservableType {
    /// The same value again and again, without end.
    ///
    ///     _ = Observable.repeatElement(7).take(2).subscribe(onNext: { print($0) })  // 7, 7
    ///
    /// On the current thread it does not give way to code after `subscribe`: something downstream has to end it.
    ///
    /// - Parameters:
    ///   - element: the value.
    ///   - scheduler: where the value is sent, once in each turn.
    /// - Complexity: Two allocations per subscription on the current thread, none per element; elsewhere those of a
    ///   turn for each element.
    @inlinable
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
