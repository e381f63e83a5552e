import FoundationEssentials
import URLLoading

/// A flag's value as text, with the flag's name as the user wrote it, for errors.
struct FlagValue {
    /// As the user wrote it: `--timeout`, or `-T`.
    let flag: String
    let text: String

    /// Another text of the same flag.
    func with(_ text: String) -> FlagValue { FlagValue(flag: flag, text: text) }

    func invalid(_ reason: String, hint: String? = nil) -> UsageError {
        .invalidValue(flag: flag, value: text, reason: reason, hint: hint)
    }

    /// An error that does not show the value, because it may contain a secret.
    func invalidSecret(_ reason: String, hint: String? = nil) -> UsageError {
        .invalidValue(flag: flag, reason: reason, hint: hint)
    }

    /// The text, which must not be empty or contain control characters.
    func nonEmpty(_ what: String) throws(UsageError) -> String {
        guard !text.isEmpty else { throw invalidSecret("\(what) is missing") }
        guard !text.utf8.contains(where: { $0 < 0x20 || $0 == 0x7f }) else {
            throw invalid("contains a control character")
        }
        return text
    }

    /// A path, which must not be empty or contain NUL.
    func path() throws(UsageError) -> String {
        guard !text.isEmpty else { throw invalidSecret("a path is missing") }
        guard !text.utf8.contains(0) else { throw invalid("contains a NUL") }
        return text
    }

    func integer(in range: ClosedRange<Int>) throws(UsageError) -> Int {
        guard let number = Int(digits: text), range.contains(number) else {
            let limits =
                range.upperBound == Int(Int32.max)
                ? "\(range.lowerBound) or more" : "\(range.lowerBound) to \(range.upperBound)"
            throw invalid("is not a whole number of \(limits)")
        }
        return number
    }

    /// The choice whose index in `choices` is that of the text in `words`.
    ///
    /// Two lists, because the words are made at each start, and a list of pairs would cost the
    /// runtime a generic type each time.
    func choice<Choice>(_ words: [String], _ choices: [Choice]) throws(UsageError) -> Choice {
        guard let place = words.firstIndex(of: text) else {
            throw invalid("is not one of \(words.joined(separator: ", "))")
        }
        return choices[place]
    }

    /// The enumeration's case whose raw value is the text.
    func choice<Choice: RawRepresentable<String> & CaseIterable>() throws(UsageError) -> Choice {
        guard let choice = Choice(rawValue: text) else {
            let words = Choice.allCases.map(\.rawValue).joined(separator: ", ")
            throw invalid("is not one of \(words)")
        }
        return choice
    }

    /// Parses a duration: `10`, `0.5`, `10s`, `500ms`, `2m`, `1h`, `1d`; the default unit is
    /// seconds.
    ///
    /// `nil` for 0, which means no limit. The result is in whole milliseconds, rounded up, so that
    /// no other value becomes 0. The maximum is ten years.
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

    /// Parses a duration as seconds; 0 becomes `.infinity`.
    func timeout() throws(UsageError) -> TimeInterval {
        try duration().map { $0 / .seconds(1) } ?? .infinity
    }

    /// Parses a number of bytes: `100`, `100k`, `1.5M`, `2G`, `1T`, in powers of 1024 as in wget
    /// and curl.
    ///
    /// `nil` for 0, which means no limit, or what the hint's text `zero` says.
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

/// A decimal number as text, kept exact, because 0.1 has no exact `Double`.
struct DecimalText: Equatable {
    /// All digits, without the point.
    let digits: Int64
    /// How many of the digits follow the point.
    let decimals: Int

    /// Splits `1.5M` into number and unit, in lower case; `nil` if the text has no number.
    ///
    /// Signs, exponents, `nan` and `inf` are refused. A point needs digits on both sides.
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

    /// The product with a factor, rounded up; `nil` if it exceeds 64 bits.
    func times(_ factor: Int64) -> Int64? {
        let (product, overflow) = digits.multipliedReportingOverflow(by: factor)
        guard !overflow else { return nil }
        var divisor: Int64 = 1
        for _ in 0..<decimals { divisor *= 10 }
        let (quotient, remainder) = product.quotientAndRemainder(dividingBy: divisor)
        return remainder > 0 ? quotient + 1 : quotient
    }
}
