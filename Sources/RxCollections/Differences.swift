import Rx

extension ObservableType where Element: Collection {
    /// Returns the changes from each list to the next as one ``ListDifference`` per list. The first difference is
    /// relative to an empty list.
    ///
    ///     let lists = Observable.of(["a", "b"], ["b", "c"])
    ///     _ = lists.differences(by: \.self, unchanged: ==)
    ///         .subscribe(onNext: { print($0.removals, $0.insertions) })  // [] [0, 1], [0] [1]
    ///
    /// If a list does not differ from the previous list, the difference is empty. Each subscription begins with an
    /// empty list, so each view needs a separate subscription to the differences. Views can share the lists.
    ///
    /// - Parameters:
    ///   - identity: returns a value that stays the same when the content of an element changes. It is called once for
    ///     each element of each list, on the thread that sends the list. Elements of one list that have the same
    ///     identity are distinguished by their order.
    ///   - areAlike: returns whether an element has the same content in both lists.
    /// - Complexity: For each list O(*n* + *m*), in the sizes of the list and the previous list, if few elements have
    ///   moved, and otherwise O((*n* + *m*) log *n*). A fixed number of allocations per list, plus the allocations of
    ///   `identity`. Two allocations per subscription.
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

    /// Returns the changes from each list to the next. An element has changed if it is not equal to its previous value.
    ///
    ///     let lists = Observable.of([Song(1, "Intro")], [Song(2, "Blue"), Song(1, "Intro (live)")])
    ///     _ = lists.differences(by: \.id)
    ///         .subscribe(onNext: { print($0.insertions, $0.updates.map(\.after)) })  // [0] [], [0] [1]
    ///
    /// Otherwise it works like ``differences(by:unchanged:)``.
    ///
    /// - Complexity: The same as ``differences(by:unchanged:)``.
    @inlinable
    public func differences<ID: Hashable>(
        by identity: @escaping (Element.Element) -> ID
    ) -> Observable<ListDifference<Element.Element>> where Element.Element: Equatable {
        differences(by: identity, unchanged: ==)
    }

    /// Returns the changes from each list of sections to the next as one ``SectionedListDifference`` per list. The
    /// first difference is relative to an empty list.
    ///
    ///     let lists = Observable.of(
    ///         [ListSection("A", items: ["Ada"])], [ListSection("A", items: ["Ada", "Alan"])])
    ///     _ = lists.differences(by: \.self, items: \.self)
    ///         .subscribe(onNext: { print($0.sectionInsertions, $0.insertions.map(\.item)) })  // [0] [], [] [1]
    ///
    /// Items are identified across sections, so an item can move from one section to another.
    ///
    /// - Parameters:
    ///   - section: returns a value that stays the same when the content of a header changes.
    ///   - item: returns a value that stays the same when the content of an item changes, even if the item moves to
    ///     another section.
    /// - Complexity: For each list O(*n* + *m*), in the numbers of sections and items of the list and the previous
    ///   list, if few have moved, and otherwise O((*n* + *m*) log *n*). A fixed number of allocations per section. Two
    ///   allocations per subscription.
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
    /// Returns the changes from each list to the next, for elements that are `Identifiable`.
    ///
    ///     _ = Observable.just([Song(1, "Intro")]).differences()
    ///         .subscribe(onNext: { print($0.insertions) })  // [0]
    ///
    /// - Complexity: The same as ``differences(by:unchanged:)``.
    @inlinable
    public func differences() -> Observable<ListDifference<Element.Element>> {
        differences(by: \.id)
    }
}
