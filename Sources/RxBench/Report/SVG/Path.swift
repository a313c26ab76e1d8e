/// Path data in whole units, relative and without repeated letters: a page holds thousands of paths.
struct Path {
    private var isInLine = false
    private(set) var data = ""
    private var x = 0
    private var y = 0

    /// How far down the pen is.
    var height: Double { Double(y) }

    /// Lifts the pen and goes to a point.
    mutating func move(_ x: Double, _ y: Double) {
        self.x = Self.whole(x)
        self.y = Self.whole(y)
        data += "M\(self.x) \(self.y)"
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
