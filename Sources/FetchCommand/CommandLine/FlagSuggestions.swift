enum FlagSuggestions {
    /// The error for an unknown name, dashes included; `word`: the cluster with the letter.
    static func error(unknown name: String, within word: String? = nil) -> UsageError {
        // A cluster such as -nH whose letters are unknown is probably one misspelled word.
        let sought = word.map { $0.utf8.count > 3 ? $0 : name } ?? name
        return .unknownFlag(name, near: near(sought))
    }

    /// Up to three declared long flags with a similar spelling, the nearest first.
    static func near(_ name: String) -> [String] {
        let sought = bare(name)
        guard sought.count >= 2 else { return [] }
        var found: [(name: String, distance: Int)] = []
        for flag in Flags.all {
            for name in flag.names where name.hasPrefix("--") {
                let candidate = bare(name)
                let difference = abs(sought.count - candidate.count)
                if sought.count >= 3, candidate.starts(with: sought) {
                    found.append((name, difference))
                    continue
                }
                let limit = max(1, min(sought.count, candidate.count) / 3)
                // The distance is no less than the difference of the lengths.
                guard difference <= limit else { continue }
                let distance = EditDistance.between(sought, candidate, atMost: limit)
                if distance <= limit { found.append((name, distance)) }
            }
        }
        return found.sorted { $0.distance < $1.distance }.prefix(3).map(\.name)
    }

    /// The name in lower case without dashes, and with `-` for `_`.
    private static func bare(_ name: String) -> [UInt8] {
        name.lowercased().utf8.drop { $0 == UInt8(ascii: "-") }
            .map { $0 == UInt8(ascii: "_") ? UInt8(ascii: "-") : $0 }
    }
}

/// The number of typing errors between two words.
enum EditDistance {
    /// The fewest insertions, deletions, substitutions and swaps of adjacent bytes that change one
    /// word into the other (optimal string alignment); `limit + 1` if it is more than the limit.
    static func between(_ one: [UInt8], _ other: [UInt8], atMost limit: Int = .max - 1) -> Int {
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
            // No later number is smaller than the smallest of two rows.
            guard min(last.min() ?? 0, current.min() ?? 0) <= limit else { return limit + 1 }
            beforeLast = last
            last = current
        }
        return min(last[other.count], limit + 1)
    }
}
