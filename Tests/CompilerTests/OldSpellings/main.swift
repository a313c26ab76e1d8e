import Rx

// Every deprecated spelling, with its effect as output. `OldSpellingTests` compiles these files, applies the compiler's
// fix-its to them, compiles them again, and compares the two outputs.

enum Planted: Error { case fault }

final class Label { var text = "" }

let failing = Observable<Int>.error(Planted.fault)

func show(_ name: String, _ values: Any...) { print(name, values) }

func show<Source: ObservableConvertibleType>(_ name: String, _ source: Source) {
    source.asObservable().subscribe { print(name, $0) }.dispose()
}

subscribing()
lookingOn()
binding()
creating()
withIndex()
versionFive()
time()
zipping()
combiningLatest()
disposing()
variables()
creatingWithoutClosures()
collections()
events()
schedulers()
seconds()
versionFiveWithoutClosures()
foundation()
