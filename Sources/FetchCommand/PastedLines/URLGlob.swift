import URLLoading

/// A pattern for several URLs in curl's notation: `{a,b}`, `[1-9]`, `[01-10:2]` and `[a-z]`.
///
/// A backslash before a bracket or a brace makes it literal. Brackets without a range, such as
/// those of an IPv6 address, are literal too.
struct URLGlob {
    /// One resulting URL, and the text that replaced each pattern.
    struct Expansion: Equatable {
        let url: String
        let values: [String]
    }

    private enum Part {
        case text([UInt8])
        case choices([[UInt8]])
    }

    /// The maximum number of URLs that one argument may produce.
    static let limit = 100_000

    private var parts: [Part] = []

    /// Throws if the pattern is malformed, or produces too many URLs.
    ///
    /// `isCurls`: whether a pattern that curl refuses is an error; otherwise it is literal.
    init(_ url: String, isCurls: Bool = false) throws(UsageError) {
        var rest = Array(url.utf8)[...]
        var text: [UInt8] = []
        var count = 1
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "\\"), let next = rest.first, "{}[]".utf8.contains(next) {
                text.append(rest.removeFirst())
                continue
            }
            guard let (choices, length) = try Self.pattern(byte, rest, url) else {
                if isCurls { try Self.checkLiteral(byte, rest, url) }
                text.append(byte)
                continue
            }
            rest = rest.dropFirst(length)
            parts += [.text(text), .choices(choices)]
            text = []
            let (product, overflow) = count.multipliedReportingOverflow(by: choices.count)
            guard !overflow, product <= Self.limit else { throw Self.tooMany(url) }
            count = product
        }
        parts.append(.text(text))
    }

    /// All resulting URLs; the last pattern varies first.
    var expansions: [Expansion] {
        var found: [(url: [UInt8], values: [String])] = [([], [])]
        for part in parts {
            switch part {
            case .text(let text): for place in found.indices { found[place].url += text }
            case .choices(let choices):
                found = found.flatMap { begun in
                    choices.map { choice in
                        (
                            begun.url + choice,
                            begun.values + [String(decoding: choice, as: UTF8.self)]
                        )
                    }
                }
            }
        }
        return found.map {
            Expansion(url: String(decoding: $0.url, as: UTF8.self), values: $0.values)
        }
    }

    /// The choices of the pattern that `byte` begins, and its length in `rest`; `nil`: no pattern.
    private static func pattern(
        _ byte: UInt8,
        _ rest: ArraySlice<UInt8>,
        _ url: String
    ) throws(UsageError) -> (choices: [[UInt8]], length: Int)? {
        let closing: UInt8 = byte == UInt8(ascii: "{") ? UInt8(ascii: "}") : UInt8(ascii: "]")
        guard byte == UInt8(ascii: "{") || byte == UInt8(ascii: "["),
            let end = rest.firstIndex(of: closing), end > rest.startIndex
        else { return nil }
        let inside = rest[..<end]
        let length = inside.count + 1
        guard byte == UInt8(ascii: "{") else { return try range(inside, url).map { ($0, length) } }
        guard !inside.contains(where: { "\"{".utf8.contains($0) }) else {
            throw .invalidURL(
                Redaction.url(url),
                reason: "the text between { and } is not a list of words",
                hint: "use -g for the URL as it is; {a,b} means two URLs"
            )
        }
        let words = inside.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
        return (words.map { Array($0) }, length)
    }

    /// Parses `1-9`, `01-10` or `a-z`, each with an optional `:STEP`; `nil` for other texts.
    private static func range(
        _ text: ArraySlice<UInt8>,
        _ url: String
    ) throws(UsageError) -> [[UInt8]]? {
        let halves = text.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        guard halves.count <= 2, let ends = halves.first?.split(separator: UInt8(ascii: "-")),
            ends.count == 2, halves[0].count == ends[0].count + 1 + ends[1].count
        else { return nil }
        var step = 1
        if halves.count == 2 {
            guard let number = number(halves[1]), number > 0 else { return nil }
            step = number
        }
        if ends[0].count == 1, ends[1].count == 1, let low = ends[0].first,
            let high = ends[1].first,
            low.isLetter, high.isLetter, (low ^ high) & 0x20 == 0, low <= high
        {
            return stride(from: Int(low), through: Int(high), by: step).map { [UInt8($0)] }
        }
        guard let low = number(ends[0]), let high = number(ends[1]), low <= high else { return nil }
        guard (high - low) / step < limit else { throw tooMany(url) }
        let width = ends[0].first == UInt8(ascii: "0") ? ends[0].count : 0
        return stride(from: low, through: high, by: step).map { number in
            let digits = Array(String(number).utf8)
            return Array(repeating: UInt8(ascii: "0"), count: max(0, width - digits.count)) + digits
        }
    }

    private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
        guard !digits.isEmpty, digits.allSatisfy(\.isDigit) else { return nil }
        return Int(String(decoding: digits, as: UTF8.self))
    }

    /// Throws if a literal bracket or brace looks like a pattern, which curl refuses.
    private static func checkLiteral(
        _ byte: UInt8,
        _ rest: ArraySlice<UInt8>,
        _ url: String
    ) throws(UsageError) {
        let isPattern =
            switch byte {
            case UInt8(ascii: "{"): true
            case UInt8(ascii: "["): isRange(rest.prefix { $0 != UInt8(ascii: "]") })
            default: false
            }
        guard isPattern else { return }
        throw .invalidURL(
            Redaction.url(url),
            reason: "has a pattern that curl refuses",
            hint: "use -g for the URL as it is"
        )
    }

    /// Whether a text has two numbers or two letters with a dash between, whatever their order and step.
    private static func isRange(_ text: ArraySlice<UInt8>) -> Bool {
        let ends = text.prefix { $0 != UInt8(ascii: ":") }.split(separator: UInt8(ascii: "-"))
        guard ends.count == 2 else { return false }
        return ends.allSatisfy { $0.allSatisfy(\.isDigit) }
            || ends.allSatisfy { $0.count == 1 && $0.first?.isLetter == true }
    }

    private static func tooMany(_ url: String) -> UsageError {
        .invalidURL(
            Redaction.url(url),
            reason: "produces more than \(limit) URLs",
            hint: "use -g for the URL as it is"
        )
    }
}

extension URLGlob.Expansion {
    /// A file name in which `#1` is replaced by the text of the first pattern.
    func name(_ template: String) -> String {
        var name: [UInt8] = []
        var rest = Array(template.utf8)[...]
        while let byte = rest.popFirst() {
            let digits = rest.prefix(while: \.isDigit)
            guard byte == UInt8(ascii: "#"),
                let number = Int(String(decoding: digits, as: UTF8.self)),
                number >= 1, number <= values.count
            else {
                name.append(byte)
                continue
            }
            name += values[number - 1].utf8
            rest = rest.dropFirst(digits.count)
        }
        return String(decoding: name, as: UTF8.self)
    }
}
