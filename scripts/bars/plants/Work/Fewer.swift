// plant: A call makes nine objects instead of ten.
// twin: A call makes its ten objects in two loops.
// expected: faster, fewer allocations, fewer bytes
// exit: 0
// all:
final class Note {
    let number: Int
    init(_ number: Int) { self.number = number }
}

@inline(never) private func make(_ number: Int) -> Note { Note(number) }

/// The sum of the numbers below ten, most of them kept in objects.
public func fewer() -> Int {
    var sum = 0
    // base:
    for number in 0..<10 { sum &+= make(number).number }
    // planted:
    for number in 1..<10 { sum &+= make(number).number }
    // twin:
    for number in 0..<5 { sum &+= make(number).number }
    for number in 5..<10 { sum &+= make(number).number }
    // all:
    return sum
}
