extension PublishedLeak {
    /// A common report about trees: each child refers to its parent strongly. The published mend is a weak or unowned
    /// reference; a tree that must keep strong parents is taken apart after its last use.
    static let parentAndChild = PublishedLeak(
        name: "parent-and-child",
        expected: Expectation(
            "SceneNode", heldBy: "SceneNode.parent", "SceneNode.children", change: "SceneNode.parent"),
        innocents: { count in (0..<count).map { SceneNode(name: "prop \($0)") } },
        leaky: .synchronous {
            let scene = SceneBuilder().makeScene()
            _ = scene.worldPosition(of: "hand")
        },
        fixed: .synchronous {
            let scene = SceneBuilder().makeScene()
            _ = scene.worldPosition(of: "hand")
            scene.removeFromParents()
        })
}

private struct SceneBuilder {
    func makeScene() -> SceneNode {
        let root = SceneNode(name: "root")
        let body = SceneNode(name: "body")
        let arm = SceneNode(name: "arm")
        let hand = SceneNode(name: "hand")
        root.addChild(body)
        body.addChild(arm)
        arm.addChild(hand)
        body.addChild(SceneNode(name: "leg"))
        return root
    }
}

private final class SceneNode {
    let name: String
    var position = (x: 1.0, y: 2.0)
    private(set) var parent: SceneNode?
    private(set) var children: [SceneNode] = []

    init(name: String) { self.name = name }

    func addChild(_ child: SceneNode) {
        child.parent = self
        children.append(child)
    }

    func removeFromParents() {
        parent = nil
        children.forEach { $0.removeFromParents() }
    }

    func worldPosition(of name: String) -> (x: Double, y: Double)? {
        if self.name == name { return position }
        for child in children {
            if let inner = child.worldPosition(of: name) { return (position.x + inner.x, position.y + inner.y) }
        }
        return nil
    }
}
