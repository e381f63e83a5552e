/// Separates characters from control sequences in a terminal's input, byte by byte.
struct EscapeDecoder: Sendable {
    /// An item that a byte may complete.
    enum Item: Equatable {
        case scalar(Unicode.Scalar)
        /// `ESC [`, numbers, and a letter.
        case sequence([Int], Character)
        /// Any other sequence that begins with ESC, or invalid UTF-8.
        case other(String)
    }

    /// The bytes of an incomplete item.
    private var pending: [UInt8] = []

    /// Takes a byte; returns the item that it completes.
    mutating func take(_ byte: UInt8) -> Item? {
        pending.append(byte)
        let item = pending[0] == 0x1b ? sequence() : scalar()
        if item != nil { pending = [] }
        return item
    }

    private func sequence() -> Item? {
        guard let last = pending.last, pending.count > 1 else { return nil }
        if pending.count == 2 { return last == UInt8(ascii: "[") ? nil : other() }
        switch last {
        case 0x40...0x7e:
            let text = String(decoding: pending.dropFirst(2).dropLast(), as: UTF8.self)
            let parameters = text.split(separator: ";").map { Int($0) }
            guard !parameters.contains(nil) else { return other() }
            return .sequence(parameters.compactMap(\.self), Character(Unicode.Scalar(last)))
        case 0x20...0x3f: return nil
        default: return other()
        }
    }

    private func scalar() -> Item? {
        let length =
            switch pending[0] {
            case 0xf0..<0xf5: 4
            case 0xe0..<0xf0: 3
            case 0xc2..<0xe0: 2
            default: 1
            }
        guard pending.count == length else { return nil }
        guard let text = String(validating: pending, as: UTF8.self),
            let scalar = text.unicodeScalars.first
        else { return other() }
        return .scalar(scalar)
    }

    private func other() -> Item {
        .other(pending.map { String($0, radix: 16) }.joined(separator: " "))
    }
}
