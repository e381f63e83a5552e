/// The words of a `.netrc`, one by one.
struct NetrcWords {
    struct Word {
        let text: String
        /// Counted from 1.
        let line: Int
        let isQuoted: Bool

        /// The keyword that it may be; in quotes it is none.
        var keyword: String { isQuoted ? "" : text.asciiLowercased }
    }

    private let bytes: [UInt8]
    private var index = 0
    private var line = 1

    init(_ bytes: [UInt8]) {
        // A byte order mark, which some editors write, is no part of the first word.
        self.bytes = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
    }

    /// The next word; `nil` at the end.
    mutating func next() throws(NetrcFlaw) -> Word? {
        while let byte = peek {
            switch byte {
            case UInt8(ascii: "\n"):
                index += 1
                line += 1
            case let byte where Self.isSpace(byte): index += 1
            case UInt8(ascii: "#"): skipLine()
            case UInt8(ascii: "\""): return try quoted()
            default: return try plain()
            }
        }
        return nil
    }

    /// The word that belongs to a keyword.
    mutating func value(of keyword: Word) throws(NetrcFlaw) -> Word {
        guard let value = try next() else { throw .missingValue(line: keyword.line) }
        return value
    }

    /// Passes over the lines of a macro, up to an empty one or the end.
    mutating func skipMacro() {
        skipLine()
        while peek != nil {
            index += 1
            line += 1
            let start = index
            skipLine()
            if bytes[start..<index].allSatisfy({ $0 == UInt8(ascii: "\r") }) { return }
        }
    }

    private var peek: UInt8? { index < bytes.count ? bytes[index] : nil }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || (0x09...0x0D).contains(byte)
    }

    /// To the end of the line, which stays.
    private mutating func skipLine() {
        while let byte = peek, byte != UInt8(ascii: "\n") { index += 1 }
    }

    private mutating func plain() throws(NetrcFlaw) -> Word {
        let start = index
        while let byte = peek, !Self.isSpace(byte) { index += 1 }
        return try word(Array(bytes[start..<index]), isQuoted: false)
    }

    private mutating func quoted() throws(NetrcFlaw) -> Word {
        index += 1
        var value: [UInt8] = []
        while let byte = peek, byte != UInt8(ascii: "\n") {
            index += 1
            switch byte {
            case UInt8(ascii: "\""): return try word(value, isQuoted: true)
            case UInt8(ascii: "\\"):
                guard let escaped = peek, escaped != UInt8(ascii: "\n") else {
                    throw .openQuote(line: line)
                }
                index += 1
                switch escaped {
                case UInt8(ascii: "n"): value.append(0x0A)
                case UInt8(ascii: "r"): value.append(0x0D)
                case UInt8(ascii: "t"): value.append(0x09)
                default: value.append(escaped)
                }
            default: value.append(byte)
            }
        }
        throw .openQuote(line: line)
    }

    private func word(_ bytes: [UInt8], isQuoted: Bool) throws(NetrcFlaw) -> Word {
        // Mended into other bytes it would be another password.
        guard let text = String(validating: bytes, as: UTF8.self), !bytes.contains(0) else {
            throw .notText(line: line)
        }
        return Word(text: text, line: line, isQuoted: isQuoted)
    }
}
