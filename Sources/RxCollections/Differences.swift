import Rx

extension ObservableType where Element: Collection {
    /// The changes from each list to the next: one ``ListDifference`` for each list, the first from an empty one.
    ///
    ///     let lists = Observable.of(["a", "b"], ["b", "c"])
    ///     _ = lists.differences(by: \.self, unchanged: ==)
    ///         .subscribe(onNext: { print($0.removals, $0.insertions) })  // [] [0, 1], [0] [1]
    ///
    /// A list that is like the one before yields a difference that is empty. Each subscription begins with an empty
    /// list: a view subscribes to differences of its own, and what views share are the lists.
    ///
    /// - Parameters:
    ///   - identity: what stays the same while an element's content changes; called once for each element of each list,
    ///     on the thread that sends the list. Two elements of one list that share an identity are told apart by their
    ///     order.
    ///   - areAlike: whether an element has the same content before and after.
    /// - Complexity: For each list O(*n* + *m*), in its size and that of the one before, where few elements have moved,
    ///   else O((*n* + *m*) log *n*); a fixed number of allocations, and those of `identity`. Two allocations per
    ///   subscription.
    @inlinable
    public func differences<ID: Hashable>(
        by identity: @escaping (Element.Element) -> ID,
        unchanged areAlike: @escaping (Element.Element, Element.Element) -> Bool
    ) -> Observable<ListDifference<Element.Element>> {
        let empty: (identities: [ID], difference: ListDifference<Element.Element>) = (
            [], ListDifference(elements: [], removals: [], insertions: [], moves: [], updates: [])
        )
        return scan(empty) { last, list in
            let elements = Array(list)
            let identities = elements.map(identity)
            let pairing = Pairing(before: last.identities, after: identities)
            return (
                identities,
                ListDifference(from: last.difference.elements, to: elements, pairing: pairing, unchanged: areAlike)
            )
        }.map(\.difference)
    }

    /// The changes from each list to the next, where an element has changed if it is not equal to what it was.
    ///
    ///     let lists = Observable.of([Song(1, "Intro")], [Song(2, "Blue"), Song(1, "Intro (live)")])
    ///     _ = lists.differences(by: \.id)
    ///         .subscribe(onNext: { print($0.insertions, $0.updates.map(\.after)) })  // [0] [], [0] [1]
    ///
    /// As ``differences(by:unchanged:)`` otherwise.
    ///
    /// - Complexity: As ``differences(by:unchanged:)``.
    @inlinable
    public func differences<ID: Hashable>(
        by identity: @escaping (Element.Element) -> ID
    ) -> Observable<ListDifference<Element.Element>> where Element.Element: Equatable {
        differences(by: identity, unchanged: ==)
    }

    /// The changes from each list of sections to the next: one ``SectionedListDifference`` for each list, the first
    /// from an empty one.
    ///
    ///     let lists = Observable.of(
    ///         [ListSection("A", items: ["Ada"])], [ListSection("A", items: ["Ada", "Alan"])])
    ///     _ = lists.differences(by: \.self, items: \.self)
    ///         .subscribe(onNext: { print($0.sectionInsertions, $0.insertions.map(\.item)) })  // [0] [], [] [1]
    ///
    /// Items move from section to section by their identity.
    ///
    /// - Parameters:
    ///   - section: what stays the same while a header's content changes.
    ///   - item: what stays the same while an item's content changes, in whichever section it is.
    /// - Complexity: For each list O(*n* + *m*), in the sections and items of it and of the one before, where few have
    ///   moved, else O((*n* + *m*) log *n*); a fixed number of allocations for each section. Two allocations per
    ///   subscription.
    @inlinable
    public func differences<Header: Equatable, Item: Equatable, SectionID: Hashable, ItemID: Hashable>(
        by section: @escaping (Header) -> SectionID, items item: @escaping (Item) -> ItemID
    ) -> Observable<SectionedListDifference<Header, Item>> where Element.Element == ListSection<Header, Item> {
        let none = IdentifiedSections([], by: section, items: item)
        let empty = (lists: none, difference: SectionedListDifference(from: none, to: none))
        return scan(empty) { last, list in
            let sections = IdentifiedSections(Array(list), by: section, items: item)
            return (sections, SectionedListDifference(from: last.lists, to: sections))
        }.map(\.difference)
    }
}

extension ObservableType where Element: Collection, Element.Element: Identifiable & Equatable {
    /// The changes from each list to the next, where elements have their own identity.
    ///
    ///     _ = Observable.just([Song(1, "Intro")]).differences()
    ///         .subscribe(onNext: { print($0.insertions) })  // [0]
    ///
    /// - Complexity: As ``differences(by:unchanged:)``.
    @inlinable
    public func differences() -> Observable<ListDifference<Element.Element>> {
        differences(by: \.id)
    }
}
