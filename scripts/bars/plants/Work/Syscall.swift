// plant: A call asks the kernel something, once.
// twin: It would ask in a case that never comes.
// expected: slower
// exit: 1
// all:
import Foundation

/// A thousand steps.
public func syscall() -> Int {
    let value = steps(1_000)
    // planted:
    if getppid() < 0 { return 0 }
    // twin:
    if value == 0, getppid() < 0 { return 0 }
    // all:
    return value
}
