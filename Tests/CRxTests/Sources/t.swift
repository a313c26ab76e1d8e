@inline(never) func next(_ x: Int) -> Int { x &+ 1 }
@inline(__always) func twice(_ x: Int) -> Int { next(x) &* 2 }
@_silgen_name("sum") public func sum(_ x: Int) -> Int {
    twice(x) &+ 7
}
