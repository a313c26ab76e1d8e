import Foundation
import Paging
import RxCocoa
import RxRelay
import RxSwift
import Typing

/// A type of the app with the name of a type of the library, so that the library's type must be qualified.
struct Observable {
    let planet: String
}

func evenNumbers(upTo limit: Int) -> RxSwift.Observable<Int> {
    RxSwift.Observable.range(start: 1, count: limit).filter { $0.isMultiple(of: 2) }
}

let bag = DisposeBag()

evenNumbers(upTo: 5).toArray().subscribe(onSuccess: { print("even:", $0) }).disposed(by: bag)

let pager = Pager { page in Single.just([page * 2 - 1, page * 2]) }
pager.items.drive(onNext: { print("items:", $0) }).disposed(by: bag)
pager.loadNext.accept(())
pager.loadNext.accept(())

let text = BehaviorRelay(value: "")
text.searches().bind(onNext: { print("search:", $0) }).disposed(by: bag)
[" rx", "rx ", "rxswift"].forEach(text.accept)

let saved = Notification.Name("saved")
NotificationCenter.default.rx.notification(saved)
    .map { _ in Observable(planet: "Saturn") }
    .subscribe(onNext: { print("saved:", $0.planet) })
    .disposed(by: bag)
NotificationCenter.default.post(name: saved, object: nil)
