/// The parts of a URL of HTTP's, read from its text alone, where that is an ordinary one.
///
/// Foundation's parser takes ten times as long, which many small files would feel. What has a user,
/// a fragment, a dot segment, or anything in its host that needs a second look is left to that.
public struct PlainURL: Sendable, Hashable {
    /// `http` or `https`.
    public let scheme: String
    /// In lower case.
    public let host: String
    /// The scheme's own where the URL names none.
    public let port: Int
    /// The port where the URL names it.
    public let ownPort: Int?
    /// Path and query.
    public let target: String

    /// Reads a URL.
    public init?(_ text: String) {
        var text = text
        let parts = text.withUTF8 { Self.parts(of: $0) }
        guard let parts else { return nil }
        scheme = parts.isSecure ? "https" : "http"
        host = String(Substring(text.utf8.prefix(parts.hostEnd).dropFirst(parts.hostStart)))
        port = parts.port
        ownPort = parts.hasPort ? parts.port : nil
        target = String(Substring(text.utf8.dropFirst(parts.targetStart)))
    }

    private struct Parts {
        let isSecure: Bool
        let hostStart: Int
        let hostEnd: Int
        let port: Int
        let hasPort: Bool
        let targetStart: Int
    }

    private static func parts(of bytes: UnsafeBufferPointer<UInt8>) -> Parts? {
        let isSecure = bytes.starts(with: "https://".utf8)
        guard isSecure || bytes.starts(with: "http://".utf8) else { return nil }
        let start = isSecure ? 8 : 7
        var place = start
        while place < bytes.count, isHostByte(bytes[place]) { place += 1 }
        let end = place
        guard end > start, bytes[start] != UInt8(ascii: ".") else { return nil }
        var port = isSecure ? 443 : 80
        if place < bytes.count, bytes[place] == UInt8(ascii: ":") {
            place += 1
            let first = place
            port = 0
            while place < bytes.count, (0x30...0x39).contains(bytes[place]), port <= 65_535 {
                port = port * 10 + Int(bytes[place] - 0x30)
                place += 1
            }
            guard place > first, port <= 65_535 else { return nil }
        }
        guard place < bytes.count, bytes[place] == UInt8(ascii: "/"), isPlain(bytes[place...])
        else { return nil }
        return Parts(
            isSecure: isSecure,
            hostStart: start,
            hostEnd: end,
            port: port,
            hasPort: place > end,
            targetStart: place
        )
    }

    /// Lower-case letters, digits, dots and hyphens.
    private static func isHostByte(_ byte: UInt8) -> Bool {
        (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte) || byte == 0x2E || byte == 0x2D
    }

    /// Whether path and query have nothing that is to be taken out, or to be written otherwise.
    private static func isPlain(_ rest: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
        var last: UInt8 = 0
        for byte in rest {
            switch byte {
            case 0x61...0x7A, 0x41...0x5A, 0x30...0x39: break
            case UInt8(ascii: "."), UInt8(ascii: "/"):
                if last == UInt8(ascii: "/") { return false }
            case UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "~"),
                UInt8(ascii: "?"), UInt8(ascii: "="), UInt8(ascii: "&"), UInt8(ascii: "%"),
                UInt8(ascii: "+"), UInt8(ascii: ","), UInt8(ascii: ":"):
                break
            default: return false
            }
            last = byte
        }
        return true
    }
}
