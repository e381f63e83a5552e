public import FoundationEssentials

/// Scheme, host and port, which limit the use of a credential ([RFC 6454
/// §4](https://www.rfc-editor.org/rfc/rfc6454#section-4)).
public struct Origin: Sendable, Hashable {
    /// `http` or `https`, in lower case.
    public let scheme: String
    /// The host in lower case.
    public let host: String
    /// The port; the scheme's own if the URL names none.
    public let port: Int

    /// The origin of a parsed URL.
    public init(_ plain: PlainURL) {
        self.init(scheme: plain.scheme, host: plain.host, port: plain.port)
    }

    fileprivate init(scheme: String, host: String, port: Int) {
        (self.scheme, self.host, self.port) = (scheme, host, port)
    }

    /// The origin of a URL; `nil` unless it is an HTTP or HTTPS URL with a host.
    public init?(_ url: URL) {
        if let plain = PlainURL.origin(url.absoluteString) {
            self = plain
            return
        }
        guard let scheme = url.scheme?.lowercased(), let host = url.host(), !host.isEmpty,
            url.hasUsablePort
        else { return nil }
        switch scheme {
        case "http": port = url.port ?? 80
        case "https": port = url.port ?? 443
        default: return nil
        }
        self.scheme = scheme
        self.host = host.asciiLowercased
    }
}

extension URL {
    /// Whether the URL names no port, or a valid one.
    ///
    /// It parses the text. For a port that overflows, such as one of 20 digits, Foundation returns
    /// `nil`, and the URL would appear to have the scheme's default port.
    package var hasUsablePort: Bool {
        let text = absoluteString.utf8
        let rest = text.drop { $0 != UInt8(ascii: ":") }.dropFirst(3)
        var place = rest.prefix { !"/?#".utf8.contains($0) }
        if let at = place.lastIndex(of: UInt8(ascii: "@")) { place = place[at...].dropFirst() }
        if let bracket = place.lastIndex(of: UInt8(ascii: "]")) { place = place[bracket...] }
        guard let colon = place.lastIndex(of: UInt8(ascii: ":")) else { return true }
        let digits = place[colon...].dropFirst()
        guard digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return false }
        return digits.isEmpty || (Int(Substring(digits)) ?? .max) <= 65_535
    }
}

/// The forms of a request's target ([RFC 9112
/// §3.2](https://www.rfc-editor.org/rfc/rfc9112#section-3.2)).
public struct HTTPTarget: Sendable, Hashable {
    /// Path and query, for a server.
    public let originForm: String
    /// Host and port, for a tunnel through a proxy.
    public let authorityForm: String

    /// Parses an absolute URL without user, password and fragment.
    public init(_ url: String) {
        let scheme = url.utf8.prefix { $0 != UInt8(ascii: ":") }
        let rest = url.utf8.dropFirst(scheme.count + 3)
        let end = rest.firstIndex { "/?#".utf8.contains($0) } ?? rest.endIndex
        let path = Substring(rest[end...])
        originForm = path.startsWithBytes(of: "/") ? String(path) : "/" + path
        let authority = rest[..<end]
        let isAddress = authority.first == UInt8(ascii: "[")
        let hasPort =
            authority.last.map { (0x30...0x39).contains($0) } == true
            && authority.drop { $0 != UInt8(ascii: "]") && isAddress }.contains(UInt8(ascii: ":"))
        let isSecure = Substring(scheme).asciiLowercased == "https"
        authorityForm =
            hasPort
            ? String(Substring(authority)) : "\(Substring(authority)):\(isSecure ? 443 : 80)"
    }
}

/// The parts of an HTTP URL, parsed from its text alone, if the URL is an ordinary one.
///
/// Foundation's parser takes ten times as long, which matters for many small files. It still parses a
/// URL with a user, a fragment, a dot segment, or an unusual host.
public struct PlainURL: Sendable, Hashable {
    /// `http` or `https`.
    public let scheme: String
    /// The host in lower case.
    public let host: String
    /// The port; the scheme's own if the URL names none.
    public let port: Int
    /// The port that the URL names; `nil` if it names none.
    public let explicitPort: Int?
    /// Path and query.
    public let target: String

    /// The same port, under the name of version 1.0.
    @available(*, deprecated, renamed: "explicitPort")
    public var ownPort: Int? { explicitPort }

    /// Parses a URL; `nil` if it is not an ordinary one.
    public init?(_ text: String) {
        var text = text
        let read = text.withUTF8 { bytes in
            Self.parts(of: bytes).map { parts in
                (parts, parts.host(bytes), Self.text(bytes[parts.targetStart...]))
            }
        }
        guard let (parts, host, target) = read else { return nil }
        scheme = parts.scheme
        self.host = host
        port = parts.port
        explicitPort = parts.hasPort ? parts.port : nil
        self.target = target
    }

    /// The scheme of a URL; `nil` if it is not an ordinary one.
    package static func scheme(_ text: String) -> String? {
        var text = text
        return text.withUTF8 { Self.parts(of: $0)?.scheme }
    }

    /// The origin of a URL; `nil` if it is not an ordinary one.
    fileprivate static func origin(_ text: String) -> Origin? {
        var text = text
        return text.withUTF8 { bytes in
            Self.parts(of: bytes).map {
                Origin(scheme: $0.scheme, host: $0.host(bytes), port: $0.port)
            }
        }
    }

    private static func text(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> String {
        String(decoding: UnsafeBufferPointer(rebasing: bytes), as: UTF8.self)
    }

    private struct Parts {
        let isSecure: Bool
        let hostStart: Int
        let hostEnd: Int
        let port: Int
        let hasPort: Bool
        let targetStart: Int

        var scheme: String { isSecure ? "https" : "http" }

        func host(_ bytes: UnsafeBufferPointer<UInt8>) -> String {
            PlainURL.text(bytes[hostStart..<hostEnd])
        }
    }

    private static func parts(of bytes: UnsafeBufferPointer<UInt8>) -> Parts? {
        let isSecure = begins(bytes, "https://")
        guard isSecure || begins(bytes, "http://") else { return nil }
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

    private static func begins(_ bytes: UnsafeBufferPointer<UInt8>, _ text: StaticString) -> Bool {
        guard bytes.count >= text.utf8CodeUnitCount else { return false }
        for place in 0..<text.utf8CodeUnitCount where bytes[place] != text.utf8Start[place] {
            return false
        }
        return true
    }

    /// Whether a byte is a lower-case letter, a digit, a dot or a hyphen.
    private static func isHostByte(_ byte: UInt8) -> Bool {
        (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte) || byte == 0x2E || byte == 0x2D
    }

    /// Whether path and query need no normalization.
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
