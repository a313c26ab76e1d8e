import Rx

// Every number of sources, two to eight, in every form, in one table per family. The tests treat all forms alike.

/// `Observable.combineLatest`.
enum LatestOfObservables {
    static var selecting: [([Observable<Int>]) -> Observable<[Int]>] {
        [
            { s in Observable.combineLatest(s[0], s[1]) { [$0, $1] } },
            { s in Observable.combineLatest(s[0], s[1], s[2]) { [$0, $1, $2] } },
            { s in Observable.combineLatest(s[0], s[1], s[2], s[3]) { [$0, $1, $2, $3] } },
            { s in Observable.combineLatest(s[0], s[1], s[2], s[3], s[4]) { [$0, $1, $2, $3, $4] } },
            { s in Observable.combineLatest(s[0], s[1], s[2], s[3], s[4], s[5]) { [$0, $1, $2, $3, $4, $5] } },
            { s in Observable.combineLatest(s[0], s[1], s[2], s[3], s[4], s[5], s[6]) { [$0, $1, $2, $3, $4, $5, $6] }
            },
            { s in
                Observable.combineLatest(s[0], s[1], s[2], s[3], s[4], s[5], s[6], s[7]) {
                    [$0, $1, $2, $3, $4, $5, $6, $7]
                }
            },
        ]
    }

    static var tuples: [([Observable<Int>]) -> Observable<[Int]>] {
        [
            { s in Observable.combineLatest(s[0], s[1]).map { [$0.0, $0.1] } },
            { s in Observable.combineLatest(s[0], s[1], s[2]).map { [$0.0, $0.1, $0.2] } },
            { s in Observable.combineLatest(s[0], s[1], s[2], s[3]).map { [$0.0, $0.1, $0.2, $0.3] } },
            { s in Observable.combineLatest(s[0], s[1], s[2], s[3], s[4]).map { [$0.0, $0.1, $0.2, $0.3, $0.4] } },
            { s in
                Observable.combineLatest(s[0], s[1], s[2], s[3], s[4], s[5]).map {
                    [$0.0, $0.1, $0.2, $0.3, $0.4, $0.5]
                }
            },
            { s in
                Observable.combineLatest(s[0], s[1], s[2], s[3], s[4], s[5], s[6]).map {
                    [$0.0, $0.1, $0.2, $0.3, $0.4, $0.5, $0.6]
                }
            },
            { s in
                Observable.combineLatest(s[0], s[1], s[2], s[3], s[4], s[5], s[6], s[7]).map {
                    [$0.0, $0.1, $0.2, $0.3, $0.4, $0.5, $0.6, $0.7]
                }
            },
        ]
    }
}

/// `Observable.zip`.
enum ZippedObservables {
    static var selecting: [([Observable<Int>]) -> Observable<[Int]>] {
        [
            { s in Observable.zip(s[0], s[1]) { [$0, $1] } },
            { s in Observable.zip(s[0], s[1], s[2]) { [$0, $1, $2] } },
            { s in Observable.zip(s[0], s[1], s[2], s[3]) { [$0, $1, $2, $3] } },
            { s in Observable.zip(s[0], s[1], s[2], s[3], s[4]) { [$0, $1, $2, $3, $4] } },
            { s in Observable.zip(s[0], s[1], s[2], s[3], s[4], s[5]) { [$0, $1, $2, $3, $4, $5] } },
            { s in Observable.zip(s[0], s[1], s[2], s[3], s[4], s[5], s[6]) { [$0, $1, $2, $3, $4, $5, $6] } },
            { s in Observable.zip(s[0], s[1], s[2], s[3], s[4], s[5], s[6], s[7]) { [$0, $1, $2, $3, $4, $5, $6, $7] }
            },
        ]
    }

    static var tuples: [([Observable<Int>]) -> Observable<[Int]>] {
        [
            { s in Observable.zip(s[0], s[1]).map { [$0.0, $0.1] } },
            { s in Observable.zip(s[0], s[1], s[2]).map { [$0.0, $0.1, $0.2] } },
            { s in Observable.zip(s[0], s[1], s[2], s[3]).map { [$0.0, $0.1, $0.2, $0.3] } },
            { s in Observable.zip(s[0], s[1], s[2], s[3], s[4]).map { [$0.0, $0.1, $0.2, $0.3, $0.4] } },
            { s in Observable.zip(s[0], s[1], s[2], s[3], s[4], s[5]).map { [$0.0, $0.1, $0.2, $0.3, $0.4, $0.5] } },
            { s in
                Observable.zip(s[0], s[1], s[2], s[3], s[4], s[5], s[6]).map {
                    [$0.0, $0.1, $0.2, $0.3, $0.4, $0.5, $0.6]
                }
            },
            { s in
                Observable.zip(s[0], s[1], s[2], s[3], s[4], s[5], s[6], s[7]).map {
                    [$0.0, $0.1, $0.2, $0.3, $0.4, $0.5, $0.6, $0.7]
                }
            },
        ]
    }
}

/// `Infallible.combineLatest`.
enum LatestOfInfallibles {
    static var selecting: [([Infallible<Int>]) -> Infallible<[Int]>] {
        [
            { s in Infallible.combineLatest(s[0], s[1]) { [$0, $1] } },
            { s in Infallible.combineLatest(s[0], s[1], s[2]) { [$0, $1, $2] } },
            { s in Infallible.combineLatest(s[0], s[1], s[2], s[3]) { [$0, $1, $2, $3] } },
            { s in Infallible.combineLatest(s[0], s[1], s[2], s[3], s[4]) { [$0, $1, $2, $3, $4] } },
            { s in Infallible.combineLatest(s[0], s[1], s[2], s[3], s[4], s[5]) { [$0, $1, $2, $3, $4, $5] } },
            { s in Infallible.combineLatest(s[0], s[1], s[2], s[3], s[4], s[5], s[6]) { [$0, $1, $2, $3, $4, $5, $6] }
            },
            { s in
                Infallible.combineLatest(s[0], s[1], s[2], s[3], s[4], s[5], s[6], s[7]) {
                    [$0, $1, $2, $3, $4, $5, $6, $7]
                }
            },
        ]
    }

    static var tuples: [([Infallible<Int>]) -> Infallible<[Int]>] {
        [
            { s in Infallible.combineLatest(s[0], s[1]).map { [$0.0, $0.1] } },
            { s in Infallible.combineLatest(s[0], s[1], s[2]).map { [$0.0, $0.1, $0.2] } },
            { s in Infallible.combineLatest(s[0], s[1], s[2], s[3]).map { [$0.0, $0.1, $0.2, $0.3] } },
            { s in Infallible.combineLatest(s[0], s[1], s[2], s[3], s[4]).map { [$0.0, $0.1, $0.2, $0.3, $0.4] } },
            { s in
                Infallible.combineLatest(s[0], s[1], s[2], s[3], s[4], s[5]).map {
                    [$0.0, $0.1, $0.2, $0.3, $0.4, $0.5]
                }
            },
            { s in
                Infallible.combineLatest(s[0], s[1], s[2], s[3], s[4], s[5], s[6]).map {
                    [$0.0, $0.1, $0.2, $0.3, $0.4, $0.5, $0.6]
                }
            },
            { s in
                Infallible.combineLatest(s[0], s[1], s[2], s[3], s[4], s[5], s[6], s[7]).map {
                    [$0.0, $0.1, $0.2, $0.3, $0.4, $0.5, $0.6, $0.7]
                }
            },
        ]
    }
}

/// `Infallible.zip`, which has only the form with a selector.
enum ZippedInfallibles {
    static var selecting: [([Infallible<Int>]) -> Infallible<[Int]>] {
        [
            { s in Infallible.zip(s[0], s[1]) { [$0, $1] } },
            { s in Infallible.zip(s[0], s[1], s[2]) { [$0, $1, $2] } },
            { s in Infallible.zip(s[0], s[1], s[2], s[3]) { [$0, $1, $2, $3] } },
            { s in Infallible.zip(s[0], s[1], s[2], s[3], s[4]) { [$0, $1, $2, $3, $4] } },
            { s in Infallible.zip(s[0], s[1], s[2], s[3], s[4], s[5]) { [$0, $1, $2, $3, $4, $5] } },
            { s in Infallible.zip(s[0], s[1], s[2], s[3], s[4], s[5], s[6]) { [$0, $1, $2, $3, $4, $5, $6] } },
            { s in Infallible.zip(s[0], s[1], s[2], s[3], s[4], s[5], s[6], s[7]) { [$0, $1, $2, $3, $4, $5, $6, $7] }
            },
        ]
    }
}

/// `SharedSequence.combineLatest`.
enum LatestOfDrivers {
    static var selecting: [([Driver<Int>]) -> Driver<[Int]>] {
        [
            { s in Driver.combineLatest(s[0], s[1]) { [$0, $1] } },
            { s in Driver.combineLatest(s[0], s[1], s[2]) { [$0, $1, $2] } },
            { s in Driver.combineLatest(s[0], s[1], s[2], s[3]) { [$0, $1, $2, $3] } },
            { s in Driver.combineLatest(s[0], s[1], s[2], s[3], s[4]) { [$0, $1, $2, $3, $4] } },
            { s in Driver.combineLatest(s[0], s[1], s[2], s[3], s[4], s[5]) { [$0, $1, $2, $3, $4, $5] } },
            { s in Driver.combineLatest(s[0], s[1], s[2], s[3], s[4], s[5], s[6]) { [$0, $1, $2, $3, $4, $5, $6] } },
            { s in
                Driver.combineLatest(s[0], s[1], s[2], s[3], s[4], s[5], s[6], s[7]) {
                    [$0, $1, $2, $3, $4, $5, $6, $7]
                }
            },
        ]
    }

    static var tuples: [([Driver<Int>]) -> Driver<[Int]>] {
        [
            { s in Driver.combineLatest(s[0], s[1]).map { [$0.0, $0.1] } },
            { s in Driver.combineLatest(s[0], s[1], s[2]).map { [$0.0, $0.1, $0.2] } },
            { s in Driver.combineLatest(s[0], s[1], s[2], s[3]).map { [$0.0, $0.1, $0.2, $0.3] } },
            { s in Driver.combineLatest(s[0], s[1], s[2], s[3], s[4]).map { [$0.0, $0.1, $0.2, $0.3, $0.4] } },
            { s in
                Driver.combineLatest(s[0], s[1], s[2], s[3], s[4], s[5]).map { [$0.0, $0.1, $0.2, $0.3, $0.4, $0.5] }
            },
            { s in
                Driver.combineLatest(s[0], s[1], s[2], s[3], s[4], s[5], s[6]).map {
                    [$0.0, $0.1, $0.2, $0.3, $0.4, $0.5, $0.6]
                }
            },
            { s in
                Driver.combineLatest(s[0], s[1], s[2], s[3], s[4], s[5], s[6], s[7]).map {
                    [$0.0, $0.1, $0.2, $0.3, $0.4, $0.5, $0.6, $0.7]
                }
            },
        ]
    }
}

/// `SharedSequence.zip`.
enum ZippedDrivers {
    static var selecting: [([Driver<Int>]) -> Driver<[Int]>] {
        [
            { s in Driver.zip(s[0], s[1]) { [$0, $1] } },
            { s in Driver.zip(s[0], s[1], s[2]) { [$0, $1, $2] } },
            { s in Driver.zip(s[0], s[1], s[2], s[3]) { [$0, $1, $2, $3] } },
            { s in Driver.zip(s[0], s[1], s[2], s[3], s[4]) { [$0, $1, $2, $3, $4] } },
            { s in Driver.zip(s[0], s[1], s[2], s[3], s[4], s[5]) { [$0, $1, $2, $3, $4, $5] } },
            { s in Driver.zip(s[0], s[1], s[2], s[3], s[4], s[5], s[6]) { [$0, $1, $2, $3, $4, $5, $6] } },
            { s in Driver.zip(s[0], s[1], s[2], s[3], s[4], s[5], s[6], s[7]) { [$0, $1, $2, $3, $4, $5, $6, $7] } },
        ]
    }

    static var tuples: [([Driver<Int>]) -> Driver<[Int]>] {
        [
            { s in Driver.zip(s[0], s[1]).map { [$0.0, $0.1] } },
            { s in Driver.zip(s[0], s[1], s[2]).map { [$0.0, $0.1, $0.2] } },
            { s in Driver.zip(s[0], s[1], s[2], s[3]).map { [$0.0, $0.1, $0.2, $0.3] } },
            { s in Driver.zip(s[0], s[1], s[2], s[3], s[4]).map { [$0.0, $0.1, $0.2, $0.3, $0.4] } },
            { s in Driver.zip(s[0], s[1], s[2], s[3], s[4], s[5]).map { [$0.0, $0.1, $0.2, $0.3, $0.4, $0.5] } },
            { s in
                Driver.zip(s[0], s[1], s[2], s[3], s[4], s[5], s[6]).map { [$0.0, $0.1, $0.2, $0.3, $0.4, $0.5, $0.6] }
            },
            { s in
                Driver.zip(s[0], s[1], s[2], s[3], s[4], s[5], s[6], s[7]).map {
                    [$0.0, $0.1, $0.2, $0.3, $0.4, $0.5, $0.6, $0.7]
                }
            },
        ]
    }
}

/// `Single.zip`.
enum ZippedSingles {
    static var selecting: [([Single<Int>]) -> Single<[Int]>] {
        [
            { s in Single.zip(s[0], s[1]) { [$0, $1] } },
            { s in Single.zip(s[0], s[1], s[2]) { [$0, $1, $2] } },
            { s in Single.zip(s[0], s[1], s[2], s[3]) { [$0, $1, $2, $3] } },
            { s in Single.zip(s[0], s[1], s[2], s[3], s[4]) { [$0, $1, $2, $3, $4] } },
            { s in Single.zip(s[0], s[1], s[2], s[3], s[4], s[5]) { [$0, $1, $2, $3, $4, $5] } },
            { s in Single.zip(s[0], s[1], s[2], s[3], s[4], s[5], s[6]) { [$0, $1, $2, $3, $4, $5, $6] } },
            { s in Single.zip(s[0], s[1], s[2], s[3], s[4], s[5], s[6], s[7]) { [$0, $1, $2, $3, $4, $5, $6, $7] } },
        ]
    }

    static var tuples: [([Single<Int>]) -> Single<[Int]>] {
        [
            { s in Single.zip(s[0], s[1]).map { [$0.0, $0.1] } },
            { s in Single.zip(s[0], s[1], s[2]).map { [$0.0, $0.1, $0.2] } },
            { s in Single.zip(s[0], s[1], s[2], s[3]).map { [$0.0, $0.1, $0.2, $0.3] } },
            { s in Single.zip(s[0], s[1], s[2], s[3], s[4]).map { [$0.0, $0.1, $0.2, $0.3, $0.4] } },
            { s in Single.zip(s[0], s[1], s[2], s[3], s[4], s[5]).map { [$0.0, $0.1, $0.2, $0.3, $0.4, $0.5] } },
            { s in
                Single.zip(s[0], s[1], s[2], s[3], s[4], s[5], s[6]).map { [$0.0, $0.1, $0.2, $0.3, $0.4, $0.5, $0.6] }
            },
            { s in
                Single.zip(s[0], s[1], s[2], s[3], s[4], s[5], s[6], s[7]).map {
                    [$0.0, $0.1, $0.2, $0.3, $0.4, $0.5, $0.6, $0.7]
                }
            },
        ]
    }
}

/// `Maybe.zip`.
enum ZippedMaybes {
    static var selecting: [([Maybe<Int>]) -> Maybe<[Int]>] {
        [
            { s in Maybe.zip(s[0], s[1]) { [$0, $1] } },
            { s in Maybe.zip(s[0], s[1], s[2]) { [$0, $1, $2] } },
            { s in Maybe.zip(s[0], s[1], s[2], s[3]) { [$0, $1, $2, $3] } },
            { s in Maybe.zip(s[0], s[1], s[2], s[3], s[4]) { [$0, $1, $2, $3, $4] } },
            { s in Maybe.zip(s[0], s[1], s[2], s[3], s[4], s[5]) { [$0, $1, $2, $3, $4, $5] } },
            { s in Maybe.zip(s[0], s[1], s[2], s[3], s[4], s[5], s[6]) { [$0, $1, $2, $3, $4, $5, $6] } },
            { s in Maybe.zip(s[0], s[1], s[2], s[3], s[4], s[5], s[6], s[7]) { [$0, $1, $2, $3, $4, $5, $6, $7] } },
        ]
    }

    static var tuples: [([Maybe<Int>]) -> Maybe<[Int]>] {
        [
            { s in Maybe.zip(s[0], s[1]).map { [$0.0, $0.1] } },
            { s in Maybe.zip(s[0], s[1], s[2]).map { [$0.0, $0.1, $0.2] } },
            { s in Maybe.zip(s[0], s[1], s[2], s[3]).map { [$0.0, $0.1, $0.2, $0.3] } },
            { s in Maybe.zip(s[0], s[1], s[2], s[3], s[4]).map { [$0.0, $0.1, $0.2, $0.3, $0.4] } },
            { s in Maybe.zip(s[0], s[1], s[2], s[3], s[4], s[5]).map { [$0.0, $0.1, $0.2, $0.3, $0.4, $0.5] } },
            { s in
                Maybe.zip(s[0], s[1], s[2], s[3], s[4], s[5], s[6]).map { [$0.0, $0.1, $0.2, $0.3, $0.4, $0.5, $0.6] }
            },
            { s in
                Maybe.zip(s[0], s[1], s[2], s[3], s[4], s[5], s[6], s[7]).map {
                    [$0.0, $0.1, $0.2, $0.3, $0.4, $0.5, $0.6, $0.7]
                }
            },
        ]
    }
}
