extension ObservableType where Element: FixedWidthInteger, Element.Stride: SignedInteger {
    /// `count` numbers from `start` on.
    @inlinable
    public static func range(start: Element, count: Element) -> Observable<Element> {
        SourceObservable(walking: start ..< start + count)
    }
}
