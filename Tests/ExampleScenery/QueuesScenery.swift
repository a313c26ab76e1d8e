import Rx
import RxTest

/// Work to run on queues.
struct QueuesScenery: Scenery {
    let scheduler = TestScheduler.ofMilliseconds
    let lines = Observable.of("1", "2")
    let images = Observable.of("large", "larger")
    let urls = Observable.of("one", "two")
    let page = 1
    func parse(_ line: String) -> Int? { Int(line) }
    func shrink(_ image: String) -> String { "small \(image)" }
    func load(_ url: String) -> String { "page \(url)" }
}
