extension ObservableType {
    /// `elements` first, then this sequence.
    ///
    ///     _ = Observable.of(3).startWith(1, 2).subscribe(onNext: { print($0) })  // 1, 2, 3
    ///
    /// They are delivered before this sequence is subscribed to. No allocation per subscription, no cost per element.
    @inlinable
    public func startWith(_ elements: Element...) -> Observable<Element> {
        let source = asObservable()
        return SourceObservable { sink in
            for var element in elements where !sink.isStopped { sink.emit(&element) }
            if !sink.isStopped { source.attach(sink) }
        }
    }
}
