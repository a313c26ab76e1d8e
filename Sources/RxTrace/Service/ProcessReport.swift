import Foundation
import Rx

/// What is alive in a running process at one moment.
///
///     let report = ProcessReport(number: 1)
///     print(report)  // Report 1 of process …, …Z, resources: total …
public struct ProcessReport: Sendable {
    /// Which report of the process it is, from 1.
    public let number: Int
    /// When it was made.
    public let date: Date
    /// The process's identifier.
    public let processIdentifier: Int32
    /// The live reactive resources.
    public let resources: ResourceSnapshot
    /// The live Swift objects by the full names of their types; `nil` if they are not followed, or cannot be.
    public let objects: [String: Int]?

    /// The figures of this moment. From any thread; takes as long as a few snapshots, and stops nobody.
    public init(number: Int) {
        let counter = RxTrace.objectCounter
        let objects = counter?.obstacle == nil ? counter?.liveObjects() : nil
        self.init(
            number: number, date: Date(), processIdentifier: ProcessInfo.processInfo.processIdentifier, resources: ResourceSnapshot(),
            objects: objects.map { objects in
                Dictionary(objects.map { (counter?.name(of: $0.key) ?? "", $0.value) }, uniquingKeysWith: +)
            })
    }

    /// A report of given figures: for tests of what is made of them.
    public init(number: Int, date: Date, processIdentifier: Int32, resources: ResourceSnapshot, objects: [String: Int]?) {
        self.number = number
        self.date = date
        self.processIdentifier = processIdentifier
        self.resources = resources
        self.objects = objects
    }
}

extension ProcessReport: CustomStringConvertible {
    /// A heading with the process and the time in UTC, then a paragraph for each subject; of objects the 20 most frequent types.
    public var description: String {
        """
        Report \(number) of process \(processIdentifier), \(date.ISO8601Format())
        resources: \(resources)
        \(objectLines)
        """
    }

    private var objectLines: String {
        guard let objects else {
            let reason = RxTrace.objectCounter?.obstacle
                ?? "they are not followed. Link 'RxTraceObjects' and set 'RxTrace.followsObjects'."
            return "objects: unavailable, because " + reason
        }
        let most = objects.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(20)
        let heading = "objects: \(objects.values.reduce(0, +)) of \(objects.count) types"
        return ([heading] + most.map { "  \($0.value)  \($0.key)" }).joined(separator: "\n")
    }
}
