extension PrimitiveSequenceType where Trait == CompletableTrait, Element == Never {
    /// What `second` gives, once this sequence has completed.
    ///
    ///     // What load() returns is made here, and begins when login() is done.
    ///     let page = login().andThen(load())
    ///
    /// `second` is subscribed to at the moment of completion; an error ends everything before that. However many
    /// sequences follow one another and end at once, the stack does not grow.
    @inlinable
    public func andThen<Result>(_ second: Single<Result>) -> Single<Result> {
        PrimitiveSequence(raw: followed(by: second.source))
    }

    /// What `second` gives, if anything, once this sequence has completed.
    ///
    /// `second` is subscribed to at the moment of completion; an error ends everything before that.
    @inlinable
    public func andThen<Result>(_ second: Maybe<Result>) -> Maybe<Result> {
        PrimitiveSequence(raw: followed(by: second.source))
    }

    /// This sequence and, once it has completed, `second`.
    ///
    /// `second` is subscribed to at the moment of completion; an error ends everything before that.
    @inlinable
    public func andThen(_ second: Completable) -> Completable { PrimitiveSequence(raw: followed(by: second.source)) }

    /// The elements of `second`, once this sequence has completed.
    ///
    ///     let rows = open().andThen(rows)
    ///
    /// `second` is subscribed to at the moment of completion; an error ends everything before that.
    @inlinable
    public func andThen<Result>(_ second: Observable<Result>) -> Observable<Result> { followed(by: second) }

    @inlinable
    func followed<Result>(by second: Observable<Result>) -> Observable<Result> {
        // This sequence has no elements, so what type they are of does not matter to the concatenation.
        let both: [ObservableBase] = [source, second]
        return ConcatObservable(feeds: both) {
            IteratorWalk(both.makeIterator(), remaining: 2) {
                unsafeDowncast($0, to: IteratorWalk<IndexingIterator<[ObservableBase]>>.self).iterator.next()
            }
        }
    }
}
