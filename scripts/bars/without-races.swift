
// Appended to a copy of the manifest by 'scripts/bars/races-leave-no-trace'. Removes the targets of the race search and
// the targets that depend on them.
do {
    var gone: Set = ["CRaces", "RxBenchRaces"]
    func isGone(_ target: Target) -> Bool {
        gone.contains(target.name)
            || target.dependencies.contains { dependency in
                switch dependency {
                case .targetItem(let name, _), .byNameItem(let name, _): gone.contains(name)
                default: false
                }
            }
    }
    while let next = package.targets.first(where: isGone) {
        gone.insert(next.name)
        package.targets.removeAll { $0.name == next.name }
    }
    package.products.removeAll { product in
        switch product {
        case let library as Product.Library: library.targets.contains { gone.contains($0) }
        case let program as Product.Executable: program.targets.contains { gone.contains($0) }
        default: false
        }
    }
}
