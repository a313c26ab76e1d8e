// plant: One of ten objects a call is retained and never released.
// twin: It is retained and released again.
// expected: left behind
// exit: 1
// all:
final class Guest {
    let number: Int
    init(_ number: Int) { self.number = number }
}

@inline(never) private func make(_ number: Int) -> Guest { Guest(number) }

/// The sum of the numbers of ten objects.
public func leak() -> Int {
    var sum = 0
    for number in 0..<9 { sum &+= make(number).number }
    let last = make(9)
    // planted:
    _ = Unmanaged.passRetained(last)
    // twin:
    Unmanaged.passRetained(last).release()
    // all:
    return sum &+ last.number
}
