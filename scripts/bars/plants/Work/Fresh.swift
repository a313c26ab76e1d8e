// The work of a new benchmark, see Suite/Added.swift.
// planted:
public func fresh() -> Int { steady() }
// twin:
public func fresh() -> Int { steady() }
