/// How many typing errors lie between two words.
enum EditDistance {
    /// The fewest insertions, deletions, changes and swaps of neighbours that make one of the other
    /// (optimal string alignment).
    static func between(_ one: [UInt8], _ other: [UInt8]) -> Int {
        var beforeLast: [Int] = []
        var last = Array(0...other.count)
        for (row, left) in one.enumerated() {
            var current = [row + 1]
            for (column, right) in other.enumerated() {
                var best = min(
                    last[column + 1] + 1,
                    current[column] + 1,
                    last[column] + (left == right ? 0 : 1)
                )
                if row > 0, column > 0, left == other[column - 1], one[row - 1] == right {
                    best = min(best, beforeLast[column - 1] + 1)
                }
                current.append(best)
            }
            beforeLast = last
            last = current
        }
        return last[other.count]
    }
}
