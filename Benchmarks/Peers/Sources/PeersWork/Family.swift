/// A workload that every leg implements with its library, with the same result.
///
/// The raw value is the workload's name in IDs. *n* is the number of operations of a round.
public enum Family: String, CaseIterable, Sendable {
    // Sources: *n* elements of one subscription, or *n* subscriptions to one element.
    case create = "source/create"
    case just = "source/just"
    case range = "source/range"
    // Chains and single operators: *n* elements sent into a subject.
    case map = "chain/map"
    case filter = "chain/filter"
    case mapFilter = "chain/map-filter?operators=12"
    case text = "chain/map-text"
    case scan = "operator/scan"
    case buffer = "operator/buffer?count=10"
    case groupBy = "operator/group-by?keys=10"
    // Subjects: *n* elements sent to each observer.
    case publish = "subject/publish?observers=1"
    case publishToMany = "subject/publish?observers=100"
    case behavior = "subject/behavior"
    // Several inputs or outputs: *n* elements sent, alternating between the inputs.
    case merge = "joint/merge?sources=2"
    case withLatestFrom = "joint/with-latest-from"
    case combineLatest = "joint/combine-latest?sources=2"
    case zip = "joint/zip?sources=2"
    case share = "joint/share?observers=2"
    case shareReplay = "joint/share-replay?observers=2"
    case flatMapJust = "joint/flat-map/just"
    case flatMapRange = "joint/flat-map/range"
    case flatMapLatest = "joint/flat-map-latest"
    // Subscriptions: *n* subscriptions.
    case single = "subscribe/single"
    case subscribe = "subscribe/map-filter"
    case subjectOnce = "subscribe/new-subject"
    case twelve = "subscribe/assembled?operators=12"
    case manyObservers = "subscribe/observers-of-one"
    // Schedulers and clocks.
    case schedule = "scheduler/schedule-serial"
    case observeOn = "scheduler/observe-on-serial"
    case subscribeOn = "scheduler/subscribe-on-serial"
    case recursion = "scheduler/recursion"
    case virtualTime = "scheduler/virtual-time"
    case debounce = "scheduler/debounce"
    case delay = "scheduler/delay"

    /// The number of operations in a round of a measurement. It is so large that the fixed cost of a round, such as
    /// making subjects and starting a task, adds almost nothing to an operation.
    public var operations: Int {
        switch self {
        case .just, .single, .subscribe, .subjectOnce, .twelve, .manyObservers, .delay, .virtualTime:
            1_000
        case .publishToMany: 100
        case .subscribeOn: 500
        default: 10_000
        }
    }

    /// The decision that the figures of the workload inform.
    public var decides: String {
        switch self {
        case .create, .just, .range: "Which library makes elements at the least cost."
        case .map, .filter, .mapFilter, .text: "Which library's chains cost least beside the loop they replace."
        case .scan, .buffer, .groupBy: "Which library keeps state between elements at the least cost."
        case .publish, .publishToMany, .behavior: "Which library sends to observers at the least cost."
        case .merge, .withLatestFrom, .combineLatest, .zip, .share, .shareReplay:
            "Which library puts streams together and apart at the least cost."
        case .flatMapJust, .flatMapRange, .flatMapLatest: "Which library's inner sequences cost least."
        case .single, .subscribe, .subjectOnce, .twelve, .manyObservers:
            "Which library suits streams that live for a moment."
        case .schedule, .observeOn, .subscribeOn, .recursion: "Which library changes threads at the least cost."
        case .virtualTime, .debounce, .delay: "Which library keeps time at the least cost."
        }
    }
}
