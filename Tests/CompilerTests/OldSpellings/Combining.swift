import Rx
import RxLegacy

// The functions that combine two to eight sequences, with the selector in parentheses and as a trailing closure.

let one = Observable.of(1)

func zipping() {
    show("zip", zip(one, one, { $0 + $1 }))
    show("zip", zip(one, one) { $0 + $1 })
    show("zip", zip(one, one, one, { $0 + $1 + $2 }))
    show("zip", zip(one, one, one) { $0 + $1 + $2 })
    show("zip", zip(one, one, one, one, { [$0, $1, $2, $3].count }))
    show("zip", zip(one, one, one, one) { [$0, $1, $2, $3].count })
    show("zip", zip(one, one, one, one, one, { [$0, $1, $2, $3, $4].count }))
    show("zip", zip(one, one, one, one, one) { [$0, $1, $2, $3, $4].count })
    show("zip", zip(one, one, one, one, one, one, { [$0, $1, $2, $3, $4, $5].count }))
    show("zip", zip(one, one, one, one, one, one) { [$0, $1, $2, $3, $4, $5].count })
    show("zip", zip(one, one, one, one, one, one, one, { [$0, $1, $2, $3, $4, $5, $6].count }))
    show("zip", zip(one, one, one, one, one, one, one) { [$0, $1, $2, $3, $4, $5, $6].count })
    show("zip", zip(one, one, one, one, one, one, one, one, { [$0, $1, $2, $3, $4, $5, $6, $7].count }))
    show("zip", zip(one, one, one, one, one, one, one, one) { [$0, $1, $2, $3, $4, $5, $6, $7].count })
}

func combiningLatest() {
    show("combineLatest", combineLatest(one, one, { $0 + $1 }))
    show("combineLatest", combineLatest(one, one) { $0 + $1 })
    show("combineLatest", combineLatest(one, one, one, { $0 + $1 + $2 }))
    show("combineLatest", combineLatest(one, one, one) { $0 + $1 + $2 })
    show("combineLatest", combineLatest(one, one, one, one, { [$0, $1, $2, $3].count }))
    show("combineLatest", combineLatest(one, one, one, one) { [$0, $1, $2, $3].count })
    show("combineLatest", combineLatest(one, one, one, one, one, { [$0, $1, $2, $3, $4].count }))
    show("combineLatest", combineLatest(one, one, one, one, one) { [$0, $1, $2, $3, $4].count })
    show("combineLatest", combineLatest(one, one, one, one, one, one, { [$0, $1, $2, $3, $4, $5].count }))
    show("combineLatest", combineLatest(one, one, one, one, one, one) { [$0, $1, $2, $3, $4, $5].count })
    show("combineLatest", combineLatest(one, one, one, one, one, one, one, { [$0, $1, $2, $3, $4, $5, $6].count }))
    show("combineLatest", combineLatest(one, one, one, one, one, one, one) { [$0, $1, $2, $3, $4, $5, $6].count })
    show(
        "combineLatest",
        combineLatest(one, one, one, one, one, one, one, one, { [$0, $1, $2, $3, $4, $5, $6, $7].count }))
    show(
        "combineLatest",
        combineLatest(one, one, one, one, one, one, one, one) { [$0, $1, $2, $3, $4, $5, $6, $7].count })
    show("combineLatest", [one, one].combineLatest({ $0.count }))
    show("combineLatest", [one, one].combineLatest { $0.count })
}
