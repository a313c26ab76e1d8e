extension InfallibleType {
    /// This sequence, subscribed to once for all subscribers, while there are any.
    ///
    ///     let shared = query.share(replay: 1)
    ///
    /// - Parameters:
    ///   - replay: how many of the latest elements each subscriber gets first.
    ///   - scope: how long those are remembered.
    @inlinable
    public func share(replay: Int = 0, scope: SubjectLifetimeScope = .whileConnected) -> Infallible<Element> {
        Infallible(raw: asObservable().share(replay: replay, scope: scope))
    }
}
