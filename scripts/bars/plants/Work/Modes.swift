// plant: Two of three processes take half as many steps again, the others 1 % more.
// twin: The processes draw lots, and nothing comes of it.
// expected: slower, levels
// exit: 1
// all:
// planted:
private let count = Int.random(in: 0..<3) == 0 ? 2_020 : 3_000
// twin:
private let count = Int.random(in: 0..<3) == 3 ? 3_000 : 2_000
// base:
private let count = 2_000
// all:

/// Some thousand steps.
public func modes() -> Int { steps(count) }
