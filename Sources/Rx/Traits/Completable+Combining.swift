extension PrimitiveSequenceType where Trait == CompletableTrait, Element == Never {
    /// This sequence and, once it has completed, `second`.
    ///
    ///     let moved = copied.concat(deleted)
    ///
    /// `second` is subscribed to at the moment of completion; an error ends everything before that.
    @inlinable
    public func concat(_ second: Completable) -> Completable { PrimitiveSequence(raw: followed(by: second.source)) }

    /// The sequences of `sequence`, one after the other.
    ///
    ///     let saved = Completable.concat(documents.lazy.map { save($0) })
    ///
    /// Each is asked for and subscribed to at the moment the one before it completes; an error ends everything. However
    /// many end at once, the stack does not grow.
    @inlinable
    public static func concat<Completables: Sequence>(_ sequence: Completables) -> Completable
    where Completables.Element == Completable {
        PrimitiveSequence(raw: Observable.concat(sequence.lazy.map(\.source)))
    }

    /// The sequences of `collection`, one after the other.
    ///
    /// Each is asked for and subscribed to at the moment the one before it completes; an error ends everything. However
    /// many end at once, the stack does not grow.
    @inlinable
    public static func concat<Completables: Collection>(_ collection: Completables) -> Completable
    where Completables.Element == Completable {
        PrimitiveSequence(raw: Observable.concat(collection.lazy.map(\.source)))
    }

    /// The sequences `sources`, one after the other.
    ///
    ///     let moved = Completable.concat(copied, checked, deleted)
    @inlinable
    public static func concat(_ sources: Completable...) -> Completable { concat(sources) }

    /// All sequences of `sources` at the same time: completes when all have.
    ///
    ///     let saved = Completable.zip(documents.map { save($0) })
    ///
    /// The first error ends everything. Without any sequence it completes at once.
    @inlinable
    public static func zip<Completables: Collection>(_ sources: Completables) -> Completable
    where Completables.Element == Completable {
        PrimitiveSequence(raw: Observable.merge(sources.map(\.source)))
    }

    /// All `sources` at the same time: completes when all have. The first error ends everything.
    @inlinable
    public static func zip(_ sources: [Completable]) -> Completable {
        PrimitiveSequence(raw: Observable.merge(sources.map(\.source)))
    }

    /// All `sources` at the same time: completes when all have. The first error ends everything.
    @inlinable
    public static func zip(_ sources: Completable...) -> Completable { zip(sources) }
}
