import Rx

// The names of versions 1 to 4, each deprecated, each a word for what `Rx` does today: nothing here has a cost or a
// behaviour of its own. (The names of version 5 are in `Rx` itself.) A project imports this module beside `Rx` while it
// changes its spelling.
//
// These spellings cannot be said any more; write the others:
//
// - `case .Next(let x):` and `case .Error(let e):` as patterns. Only a case of an enum can bind a value in a pattern.
//   Write `.next`, `.error`. (`.Next(x)`, `.Error(e)` and `.Completed` make events, and `case .Completed:` works as a
//   pattern, as do `.Next(1)` and `.Error(e)` where they are compared and bind nothing. A `switch` over such patterns
//   needs a `default`.)
// - `case .error(let e):` as a pattern of a `SingleEvent`, which is a `Result`. Write `.failure`. (`single(.error(e))`
//   works.)
// - A constant `let pause: RxTimeInterval = 0.3`: `RxTimeInterval` is no `Double`. Write `.milliseconds(300)`, or call
//   the constant a `Double`.
// - `E` in the `where` clause of a declaration that implements `subscribe`, or names a sequence's `E`: write `Element`.
//   (`Observable<Int>.E` and `extension ObservableType where E == Int` work.)
// - `[a, b].zip { … }`, which would hide Swift's `zip` in extensions of collections: write
//   `Observable.zip([a, b]) { … }`.
// - `rx_text`, `rx_tap` and all that belongs to user-interface classes, which no module here knows.
// - `rx_observe(Type.self, "key.path")`, which needs the Objective-C runtime: write `rx.observe(\.property)` of
//   `RxFoundation`, where `rx_notification`, `rx_deallocated`, `rx_response`, `rx_data`, `rx_JSON` and
//   `Logging.URLRequests` are, too.
// - `toArray()` and `ignoreElements()` stored without a type are of the types they have today. Where only the old type
//   fits what follows, the old one is chosen.
// - `throttle` of versions 1 and 2 waited for a pause. Under its old spelling it is today's `throttle`; for the
//   pause write `debounce`.
// - `Variable.subscribe` and operators on a variable itself work; a variable as an observer, as in version 1, does not:
//   set its `value`.
