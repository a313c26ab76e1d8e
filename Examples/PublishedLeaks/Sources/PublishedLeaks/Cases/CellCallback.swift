extension PublishedLeak {
    /// A common report about cells of tables: the data source sets a callback of the cell, and the callback captures
    /// the cell itself. The published mend is `[weak cell]`.
    static let cellCallback = PublishedLeak(
        name: "cell-callback",
        expected: Expectation(
            "ContactCell", heldBy: "ContactCell.onFavourite", change: "closure in ContactList.cell(for:)"),
        innocents: { count in
            (0..<count).map { _ in
                let list = ContactList()
                return list.weakCell(for: "Grace")
            }
        },
        leaky: .synchronous {
            let list = ContactList()
            let cell = list.cell(for: "Ada")
            cell.tapFavourite()
        },
        fixed: .synchronous {
            let list = ContactList()
            let cell = list.weakCell(for: "Ada")
            cell.tapFavourite()
        })
}

private final class ContactCell {
    var title = ""
    var onFavourite: (() -> Void)?

    func tapFavourite() { onFavourite?() }
}

private final class ContactList {
    private var favourites: Set<String> = []

    func cell(for name: String) -> ContactCell {
        let cell = ContactCell()
        cell.title = name
        cell.onFavourite = { [weak self] in
            self?.favourites.insert(name)
            cell.title = "★ \(name)"
        }
        return cell
    }

    func weakCell(for name: String) -> ContactCell {
        let cell = ContactCell()
        cell.title = name
        cell.onFavourite = { [weak self, weak cell] in
            self?.favourites.insert(name)
            cell?.title = "★ \(name)"
        }
        return cell
    }
}
