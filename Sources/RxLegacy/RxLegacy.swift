import Rx

// The names of versions 1 to 4. Each is deprecated, and each forwards to the current API of `Rx` without additional
// cost or behaviour. (The names of version 5 are in `Rx` itself.) A project imports this module together with `Rx`
// while it migrates to the current names.
//
// The following spellings are no longer supported. Use the given replacements:
//
// - `case .Next(let x):` and `case .Error(let e):` as patterns. Only a case of an enum can bind a value in a pattern.
//   Write `.next`, `.error`. (`.Next(x)`, `.Error(e)` and `.Completed` create events. `case .Completed:` works as a
//   pattern, and so do `.Next(1)` and `.Error(e)` when they are compared and bind nothing. A `switch` over such
//   patterns needs a `default`.)
// - `case .error(let e):` as a pattern of a `SingleEvent`, which is a `Result`. Write `.failure`. (`single(.error(e))`
//   works.)
// - A constant `let pause: RxTimeInterval = 0.3`: `RxTimeInterval` is not a `Double`. Write `.milliseconds(300)`, or
//   declare the constant as a `Double`.
// - `E` in the `where` clause of a declaration that implements `subscribe`, or that refers to the `E` of a sequence:
//   write `Element`. (`Observable<Int>.E` and `extension ObservableType where E == Int` work.)
// - `[a, b].zip { … }`, which would hide Swift's `zip` in extensions of collections: write `Observable.zip([a, b]) { …
//   }`.
// - `rx_text`, `rx_tap` and all other names for user-interface classes, because no module here depends on a
//   user-interface framework.
// - `rx_observe(Type.self, "key.path")`, which needs the Objective-C runtime: write `rx.observe(\.property)` from
//   `RxFoundation`. That module also has `rx_notification`, `rx_deallocated`, `rx_response`, `rx_data`, `rx_JSON` and
//   `Logging.URLRequests`.
// - `toArray()` and `ignoreElements()` stored without a type annotation have their current result types. The old type
//   is chosen only if the following code fits only the old type.
// - `throttle` of versions 1 and 2 waited for a pause. Under its old spelling it is the current `throttle`. To wait for
//   a pause, write `debounce`.
// - A variable as an observer, as in version 1: set its `value`. (`Variable.subscribe` and operators on a variable
//   work.)
