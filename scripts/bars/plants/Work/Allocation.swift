// plant: A call makes eleven objects instead of ten.
// twin: A call makes its ten objects from the last to the first.
// expected: slower, more allocations, more bytes
// exit: 1
// all:
final class Parcel {
    let number: Int
    init(_ number: Int) { self.number = number }
}

@inline(never) private func make(_ number: Int) -> Parcel { Parcel(number) }

/// The sum of the numbers of ten objects.
public func allocation() -> Int {
    var sum = 0
    // base:
    for number in 0..<10 { sum &+= make(number).number }
    // planted:
    sum &+= make(0).number
    for number in 0..<10 { sum &+= make(number).number }
    // twin:
    for number in (0..<10).reversed() { sum &+= make(number).number }
    // all:
    return sum
}
