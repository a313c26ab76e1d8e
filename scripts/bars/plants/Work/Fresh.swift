// What a new benchmark measures, see Suite/Added.swift.
// planted:
public func fresh() -> Int { steady() }
// twin:
public func fresh() -> Int { steady() }
