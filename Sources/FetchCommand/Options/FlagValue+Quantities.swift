import FoundationEssentials

extension FlagValue {
    /// A length of time: `10`, `0.5`, `10s`, `500ms`, `2m`, `1h`, `1d`; without a unit, seconds.
    ///
    /// Nil for 0, which means no limit. What is not 0 is never rounded down to it: the result is in
    /// whole milliseconds, rounded up. The longest is ten years.
    func duration() throws(UsageError) -> Duration? {
        guard let (decimal, unit) = DecimalText.split(text), let milliseconds = Self.lengths[unit],
            let total = decimal.times(milliseconds, rounding: .up), total <= 315_360_000_000
        else {
            throw invalid(
                "is not a length of time",
                hint: "write seconds, as in 10 or 0.5, or a unit: 500ms, 10s, 2m, 1h; 0 is no limit"
            )
        }
        return total == 0 ? nil : .milliseconds(total)
    }

    /// A length of time in seconds, as Foundation counts them; 0 is `.infinity`.
    func timeout() throws(UsageError) -> TimeInterval {
        try duration().map { $0 / .seconds(1) } ?? .infinity
    }

    /// A number of bytes: `100`, `100k`, `1.5M`, `2G`, `1T`, in powers of 1024 as in wget and curl.
    ///
    /// Nil for 0, which means no limit.
    ///
    /// - Parameter zero: what the hint says of 0.
    /// - Returns: the bytes.
    /// - Throws: where it is no such number.
    func byteSize(zero: String = "0 is no limit") throws(UsageError) -> Int64? {
        guard let (decimal, unit) = DecimalText.split(text), let factor = Self.sizes[unit],
            let total = decimal.times(factor, rounding: .up)
        else {
            throw invalid(
                "is not a number of bytes",
                hint: "write it as 100, 100k, 1.5M or 2G; \(zero)"
            )
        }
        return total == 0 ? nil : total
    }

    private static var lengths: [String: Int64] {
        ["": 1000, "ms": 1, "s": 1000, "m": 60_000, "h": 3_600_000, "d": 86_400_000]
    }

    private static var sizes: [String: Int64] {
        ["": 1, "k": 1 << 10, "m": 1 << 20, "g": 1 << 30, "t": 1 << 40]
    }
}
