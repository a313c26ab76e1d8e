extension ObservableType {
    /// All elements in one array, once the sequence completes.
    ///
    ///     _ = Observable.of(1, 2).toArray().subscribe(onSuccess: { print($0) })  // [1, 2]
    ///
    /// An empty sequence gives `[]`, a failed one its error. One allocation per subscription beside the array's
    /// storage.
    @inlinable
    public func toArray() -> Single<[Element]> {
        let array: Observable<[Element]> = link(
            state: [Element](),
            onEnd: { (link: StatefulLink<[Element]>, error) in
                if let error { return link.fail(error) }
                var elements = link.state
                link.state = []
                link.forward(&elements)
                link.complete()
            },
            { address, sink in
                sink.receive(address) { (link: StatefulLink<[Element]>, element: inout Element) in
                    link.state.append(element)
                }
            })
        return Single(raw: array)
    }
}
