// plant: Each of ten objects is 64 bytes larger.
// twin: The objects' property has another name.
// expected: more bytes
// exit: 1
// all:
final class Row {
    // base:
    let number: Int
    init(_ number: Int) { self.number = number }
    var value: Int { number }
    // planted:
    let number: Int
    let rest: (Int, Int, Int, Int, Int, Int, Int, Int)
    init(_ number: Int) {
        self.number = number
        rest = (number, 0, 0, 0, 0, 0, 0, 0)
    }
    var value: Int { number &+ rest.7 }
    // twin:
    let identifier: Int
    init(_ identifier: Int) { self.identifier = identifier }
    var value: Int { identifier }
    // all:
}

@inline(never) private func make(_ number: Int) -> Row { Row(number) }

/// The sum of the values of ten objects.
public func bytes() -> Int {
    var sum = 0
    for number in 0..<10 { sum &+= make(number).value }
    return sum
}
