import Dispatch
import Rx

// A typical application, in Swift 6 mode. Half of the test is that this file compiles without a
// warning.

/// A view.
@MainActor
final class Label: ReactiveCompatible {
    var text = ""
    var isHidden = false
    var changes = 0

    func show(_ text: String) { self.text = text }
}

extension Reactive where Base: Label {
    var title: Binder<String> {
        Binder(base) { label, text in
            label.text = text
            label.changes += 1
        }
    }
}

/// A control that the user types into.
@MainActor
final class Field: ReactiveCompatible {
    fileprivate let edits = PublishRelay<String?>()
    var text: String? = ""

    func type(_ text: String) {
        self.text = text
        edits.accept(text)
    }
}

extension Reactive where Base: Field {
    @MainActor var text: ControlProperty<String?> {
        ControlProperty(values: base.edits.startWith(base.text), valueSink: Binder(base) { $0.text = $1 })
    }
}

/// Sends requests to a server. Its answers arrive on a background queue.
final class SearchService: Sendable {
    struct Failure: Error {}

    func search(_ text: String) -> Single<[String]> {
        Single.create { single in
            let work = DispatchWorkItem {
                if text == "fail" { single(.failure(Failure())) } else { single(.success(["\(text) 1", "\(text) 2"])) }
            }
            DispatchQueue.global().async(execute: work)
            return Disposables.create { work.cancel() }
        }
    }

    func ticks(_ count: Int) -> Observable<Int> {
        Observable.create { observer in
            DispatchQueue.global().async {
                for tick in 1...count { observer.onNext(tick) }
                observer.onCompleted()
            }
            return Disposables.create()
        }
    }
}

@MainActor
final class SearchModel {
    let query = BehaviorRelay(value: "")
    let reload = PublishRelay<Void>()
    let results: Driver<[String]>
    let failed: Signal<String>
    let count = BehaviorRelay<Int?>(value: nil)

    private(set) var requests = 0
    private let service: SearchService
    private let bag = DisposeBag()

    init(service: SearchService) {
        self.service = service
        let failures = PublishRelay<String>()
        failed = failures.asSignal()
        results = query.asDriver()
            .distinctUntilChanged()
            .flatMapLatest { text in
                service.search(text)
                    .do(onError: { failures.accept("\($0)") })
                    .asDriver(onErrorJustReturn: [])
            }
        results.map(\.count).drive(count).disposed(by: bag)
        reload.withLatestFrom(query)
            .subscribe(
                with: self,
                onNext: { model, text in
                    model.requests += 1
                    model.query.accept(text)
                }
            )
            .disposed(by: bag)
        query.skip(1).subscribe(onNext: { [weak self] _ in self?.requests += 1 }).disposed(by: bag)
    }
}

@MainActor
final class SearchScreen {
    let title = Label()
    let status = Label()
    let field = Field()
    let model: SearchModel
    private(set) var rows: [String] = []
    private(set) var log: [String] = []
    private var latest: String?
    private let bag = DisposeBag()
    var onFinish: (() -> Void)?

    init(model: SearchModel) { self.model = model }

    func bind() {
        field.rx.text.orEmpty.changed.bind(to: model.query).disposed(by: bag)
        model.query.asDriver().drive(title.rx.title).disposed(by: bag)
        // Without a driver. If a failure already waits in the main queue, a driver would deliver the query after it.
        model.query.bind(to: status.rx.text).disposed(by: bag)
        model.query.asDriver().map(\.isEmpty).drive(status.rx.isHidden).disposed(by: bag)
        model.query.bind(onNext: title.show).disposed(by: bag)
        model.query.bind(with: self) { screen, text in screen.latest = text }.disposed(by: bag)
        model.query.bind(to: Binder(self) { screen, text in screen.log.append("query \(text)") }).disposed(by: bag)

        model.results.drive(onNext: { [weak self] rows in self?.rows = rows }).disposed(by: bag)
        model.results.drive(with: self, onNext: { screen, rows in screen.log.append("\(rows.count) rows") }).disposed(
            by: bag)
        model.results.filter { !$0.isEmpty }.drive(onNext: { [unowned self] _ in finish() }).disposed(by: bag)
        model.failed.emit(onNext: { [weak self] in self?.log.append($0) }).disposed(by: bag)
        model.failed.emit(to: status.rx.text).disposed(by: bag)
        model.failed.emit(with: self, onNext: { screen, _ in screen.finish() }).disposed(by: bag)
    }

    private func finish() { onFinish?() }

    /// Does work on a background scheduler, and shows the result on the screen.
    func count(to limit: Int, then done: @escaping () -> Void) {
        model.ticks(limit)
            .observe(on: SerialDispatchQueueScheduler(qos: .utility))
            .map { @Sendable tick in tick * tick }
            .observe(on: MainScheduler.instance)
            .subscribe(onNext: { [weak self] square in self?.log.append("\(square)") }, onCompleted: done)
            .disposed(by: bag)
    }

    /// Sends a request whose answer arrives on a background queue.
    func load(_ text: String, then done: @escaping () -> Void) {
        model.search(text)
            .observe(on: MainScheduler.instance)
            .subscribe(
                onSuccess: { [weak self] rows in
                    self?.rows = rows
                    done()
                },
                onFailure: { [weak self] error in
                    self?.status.text = "\(error)"
                    done()
                }
            )
            .disposed(by: bag)
    }

    /// Sends a request, and awaits its answer in a task.
    func load(_ text: String) async throws { rows = try await model.search(text).value }
}

extension SearchModel {
    func ticks(_ limit: Int) -> Observable<Int> { service.ticks(limit) }
    func search(_ text: String) -> Single<[String]> { service.search(text) }
}
