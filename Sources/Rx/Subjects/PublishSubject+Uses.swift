extension PublishSubject {
    /// What the subject sends, where each subscriber counts as a use of what feeds it: the windows and groups of a
    /// sequence.
    @usableFromInline
    func observable(countingIn uses: RefCountDisposable) -> Observable<Element> {
        SourceObservable { sink in
            let observers = self.observers
            let key = observers.makeKey()
            let place = Disposables.create(SubjectSubscription(observers: observers, key: key), uses.retain())
            observers.subscribe(sink, key: key, subscription: place, of: self)
            // Of a subject that has ended: nobody else knows of the use.
            if sink.isStopped { place.dispose() }
        }
    }
}
