import Foundation
import Rx
import RxFoundation
import WordSearch

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

// If there is a terminal, the program reads single keys, and the terminal does not echo them.
var terminal = termios()
let isTerminal = isatty(0) == 1 && tcgetattr(0, &terminal) == 0
if isTerminal {
    var keyByKey = terminal
    keyByKey.c_lflag &= ~tcflag_t(ICANON | ECHO)
    tcsetattr(0, TCSANOW, &keyByKey)
}
// The keys from standard input, until return or the end of the input.
let keys = Observable<Character>.create { observer in
    Thread.detachNewThread {
        var byte: UInt8 = 0
        while read(0, &byte, 1) == 1, byte != UInt8(ascii: "\n"), byte != 4 {
            observer.onNext(Character(Unicode.Scalar(byte)))
        }
        observer.onCompleted()
    }
    return Disposables.create()
}

func draw(_ screen: Screen) {
    let line =
        switch screen {
        case .empty: ""
        case .searching(let text): "\(text) …"
        case .found(let text, let words): "\(text): \(words.isEmpty ? "nothing" : words.joined(separator: ", "))"
        case .failed(let text): "\(text): the server failed, type on"
        }
    print(isTerminal ? "\r\u{1B}[K\(line)" : line, terminator: isTerminal ? "" : "\n")
    fflush(nil)
}

// The screen shows words. Without this line, debug builds would also log requests.
URLSession.rx.shouldLogRequest = { _ in false }
let server = try await WordServer(failing: 3)
let session = URLSession(configuration: .ephemeral)
let scheduler = SerialDispatchQueueScheduler(qos: .userInitiated)
let screens = WordSearch.screens(typing: keys, scheduler: scheduler) { server.find($0, in: session) }
for try await screen in screens.values { draw(screen) }
if isTerminal {
    print()
    tcsetattr(0, TCSANOW, &terminal)
}
session.invalidateAndCancel()
await server.stop()
