/// Path data in whole units, relative and without repeated letters: a page holds thousands of paths.
struct Path {
    private var isInLine = false
    private(set) var data = ""
    private var x = 0
    private var y = 0

    /// How far down the pen is.
    var height: Double { Double(y) }

    /// Lifts the pen and goes to a point, from the origin or from where the pen is, whichever is shorter to write.
    mutating func move(_ x: Double, _ y: Double) {
        let (right, down) = (Self.whole(x) - self.x, Self.whole(y) - self.y)
        self.x += right
        self.y += down
        let (absolute, relative) = (
            "M\(self.x)\(self.y < 0 ? "" : " ")\(self.y)", "m\(right)\(down < 0 ? "" : " ")\(down)"
        )
        data += relative.utf8.count < absolute.utf8.count && !data.isEmpty ? relative : absolute
        isInLine = false
    }

    /// A line to a point.
    mutating func line(_ x: Double, _ y: Double) {
        let (right, down) = (Self.whole(x) - self.x, Self.whole(y) - self.y)
        guard right != 0 || down != 0 else { return }
        if isInLine {
            data += "\(right < 0 ? "" : " ")\(right)\(down < 0 ? "" : " ")\(down)"
        } else {
            data += down == 0 ? "h\(right)" : right == 0 ? "v\(down)" : "l\(right)\(down < 0 ? "" : " ")\(down)"
            isInLine = down != 0 && right != 0
        }
        self.x += right
        self.y += down
    }

    /// A point, which a round line cap makes visible.
    mutating func dot(_ x: Double, _ y: Double) {
        move(x, y)
        data += "h0"
    }

    /// `value` rounded; 0 for what is no number.
    static func whole(_ value: Double) -> Int { value.isFinite && value.magnitude < 1e6 ? Int(value.rounded()) : 0 }
}
