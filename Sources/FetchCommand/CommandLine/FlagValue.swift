import FoundationEssentials
import URLLoading

/// A value as it was given to a flag, with the flag's name as it was written, for the errors.
struct FlagValue {
    /// `--timeout`, or `-T`: as the user wrote it.
    let flag: String
    let text: String

    /// An error that shows the value.
    func invalid(_ reason: String, hint: String? = nil) -> UsageError {
        .invalidValue(flag: flag, value: text, reason: reason, hint: hint)
    }

    /// An error that keeps the value to itself, since it may hold a secret.
    func invalidSecret(_ reason: String, hint: String? = nil) -> UsageError {
        .invalidValue(flag: flag, value: nil, reason: reason, hint: hint)
    }

    /// The text, which must hold something and no control characters.
    func nonEmpty(_ what: String) throws(UsageError) -> String {
        guard !text.isEmpty else { throw invalidSecret("\(what) is missing") }
        guard !text.utf8.contains(where: { $0 < 0x20 || $0 == 0x7f }) else {
            throw invalid("contains a control character")
        }
        return text
    }

    /// A path of a file or a folder: anything but nothing, and no NUL.
    func path() throws(UsageError) -> String {
        guard !text.isEmpty else { throw invalidSecret("a path is missing") }
        guard !text.utf8.contains(0) else { throw invalid("contains a NUL") }
        return text
    }

    /// A whole number within the range.
    func integer(in range: ClosedRange<Int>) throws(UsageError) -> Int {
        guard text.utf8.allSatisfy(\.isDigit), let number = Int(text),
            range.contains(number)
        else {
            let limits =
                range.upperBound == Int(Int32.max)
                ? "\(range.lowerBound) or more" : "\(range.lowerBound) to \(range.upperBound)"
            throw invalid("is not a whole number of \(limits)")
        }
        return number
    }

    /// What one of these words means, of as many choices in the same order.
    ///
    /// Words and choices are two lists, since the words are made at each start: pairs of them would cost
    /// a type of their own each time.
    func choice<Choice>(_ words: [String], _ choices: [Choice]) throws(UsageError) -> Choice {
        guard let place = words.firstIndex(of: text) else {
            throw invalid("is not one of \(words.joined(separator: ", "))")
        }
        return choices[place]
    }

    /// One of an enumeration's words.
    func choice<Choice: RawRepresentable & CaseIterable>(
        _: Choice.Type
    ) throws(UsageError) -> Choice where Choice.RawValue == String {
        guard let choice = Choice(rawValue: text) else {
            let words = Choice.allCases.map(\.rawValue).joined(separator: ", ")
            throw invalid("is not one of \(words)")
        }
        return choice
    }
}

extension FlagValue {
    /// A length of time: `10`, `0.5`, `10s`, `500ms`, `2m`, `1h`, `1d`; without a unit, seconds.
    ///
    /// Nil for 0, which means no limit. What is not 0 is never rounded down to it: the result is in
    /// whole milliseconds, rounded up. The longest is ten years.
    func duration() throws(UsageError) -> Duration? {
        guard let (decimal, unit) = DecimalText.split(text), let milliseconds = Self.lengths[unit],
            let total = decimal.times(milliseconds), total <= 315_360_000_000
        else {
            throw invalid(
                "is not a duration",
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
            let total = decimal.times(factor)
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

/// A number with decimals as text, kept exact: 0.1 has no `Double`.
struct DecimalText: Equatable {
    /// All digits, without the point.
    let digits: Int64
    /// How many of them are behind the point.
    let decimals: Int

    /// Splits `1.5M` into its number and its unit in lower case; nil where no number begins the text.
    ///
    /// Signs, exponents, `nan` and `inf` are no numbers here, and a point needs digits on both sides.
    static func split(_ text: String) -> (number: DecimalText, unit: String)? {
        var digits: Int64 = 0
        var whole = 0
        var decimals = 0
        var pointSeen = false
        var rest = text.utf8[...]
        while let byte = rest.first {
            if byte == UInt8(ascii: "."), !pointSeen {
                pointSeen = true
            } else if byte.isDigit {
                guard whole + decimals < 15 else { return nil }
                digits = digits * 10 + Int64(byte - 0x30)
                if pointSeen { decimals += 1 } else { whole += 1 }
            } else {
                break
            }
            rest = rest.dropFirst()
        }
        guard whole > 0, !pointSeen || decimals > 0 else { return nil }
        return (DecimalText(digits: digits, decimals: decimals), Substring(rest).lowercased())
    }

    /// The number times the factor, rounded up, or nil where that is beyond 64 bits.
    func times(_ factor: Int64) -> Int64? {
        let (product, overflow) = digits.multipliedReportingOverflow(by: factor)
        guard !overflow else { return nil }
        var divisor: Int64 = 1
        for _ in 0..<decimals { divisor *= 10 }
        let (quotient, remainder) = product.quotientAndRemainder(dividingBy: divisor)
        return remainder > 0 ? quotient + 1 : quotient
    }
}
