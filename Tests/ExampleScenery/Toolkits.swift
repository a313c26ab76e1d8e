import Foundation
import Rx

// Replacements for the parts of UIKit, AppKit and GTK that the page on the UI layer uses, with the same declarations as
// far as the page needs them. With them, its adapters compile and run on systems without these toolkits.

// MARK: UIKit

@MainActor
class UIControl: NSObject {
    struct Event: OptionSet, Hashable {
        let rawValue: UInt
        static let editingChanged = Event(rawValue: 1 << 17)
    }

    private var actions: [(action: UIAction, event: Event)] = []

    func addAction(_ action: UIAction, for event: Event) { actions.append((action, event)) }

    func removeAction(_ action: UIAction, for event: Event) {
        actions.removeAll { $0.action === action && $0.event == event }
    }

    func sendActions(for event: Event) {
        for entry in actions where entry.event == event { entry.action.handler(entry.action) }
    }
}

@MainActor
final class UIAction {
    let handler: (UIAction) -> Void

    init(handler: @escaping (UIAction) -> Void) { self.handler = handler }
}

final class UITextField: UIControl {
    var text: String? = ""
    var placeholder: String?

    /// Types a text as a user does.
    func type(_ text: String) {
        self.text = text
        sendActions(for: .editingChanged)
    }
}

// MARK: AppKit

@MainActor
class NSControl: NSObject {
    nonisolated static let textDidChangeNotification = Notification.Name("NSControlTextDidChangeNotification")
    var stringValue = ""
}

final class NSTextField: NSControl {
    /// Types a text as a user does.
    func type(_ text: String) {
        stringValue = text
        NotificationCenter.default.post(name: Self.textDidChangeNotification, object: self)
    }
}

// MARK: GTK, with its C functions as Swift imports them

typealias gpointer = UnsafeMutableRawPointer
typealias GCallback = @convention(c) () -> Void
typealias GClosureNotify = @convention(c) (gpointer?, OpaquePointer?) -> Void

struct GConnectFlags {
    let rawValue: UInt32
}

/// An entry. The page refers to it only by a pointer.
@MainActor
private final class Entry {
    struct Handler {
        let id: UInt
        let callback: GCallback
        let data: gpointer?
        let destroy: GClosureNotify?
    }

    static var all: [gpointer: Entry] = [:]
    static var handlers: UInt = 0
    var text = ""
    var connected: [Handler] = []
}

@MainActor func gtk_entry_new() -> gpointer {
    let widget = gpointer.allocate(byteCount: 1, alignment: 1)
    Entry.all[widget] = Entry()
    return widget
}

@MainActor func gtk_editable_get_text(_ widget: gpointer) -> String { Entry.all[widget]?.text ?? "" }

/// Notifies the handlers, like GTK, whether the program or the user makes the change.
@MainActor func gtk_editable_set_text(_ widget: gpointer, _ text: String) {
    guard let entry = Entry.all[widget] else { return }
    entry.text = text
    for handler in entry.connected {
        let call = unsafeBitCast(handler.callback, to: (@convention(c) (gpointer?, gpointer?) -> Void).self)
        call(widget, handler.data)
    }
}

@MainActor func g_signal_connect_data(
    _ widget: gpointer, _ signal: String, _ callback: GCallback, _ data: gpointer?, _ destroy: GClosureNotify?,
    _ flags: GConnectFlags
) -> UInt {
    Entry.handlers += 1
    Entry.all[widget]?.connected.append(
        Entry.Handler(id: Entry.handlers, callback: callback, data: data, destroy: destroy))
    return Entry.handlers
}

@MainActor func g_signal_handler_disconnect(_ widget: gpointer, _ id: UInt) {
    guard let place = Entry.all[widget]?.connected.firstIndex(where: { $0.id == id }) else { return }
    let handler = Entry.all[widget]?.connected.remove(at: place)
    handler?.destroy?(handler?.data, nil)
}
