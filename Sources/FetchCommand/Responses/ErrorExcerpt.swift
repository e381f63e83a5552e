import FoundationEssentials
import URLLoading

/// The beginning of an undelivered error response's body, which often has an API's error message.
struct ErrorExcerpt: Sendable {
    /// The maximum length that is read, in bytes.
    static let size = 2 << 10
    /// The maximum wait for the excerpt, so that a server cannot delay the error message.
    static let timeout: Duration = .seconds(2)
    private static let maximumLines = 8
    private static let maximumLineLength = 160

    private(set) var bytes = Data()
    /// Whether the body has more bytes than are stored.
    private(set) var isCut = false

    /// Appends the next bytes of the body; returns whether there is room for more.
    mutating func take(_ data: Data) -> Bool {
        let room = Self.size - bytes.count
        if data.count > room { isCut = true }
        bytes += data.prefix(room)
        return bytes.count < Self.size
    }

    /// The lines to print, without control characters; empty if the body is binary.
    var lines: [String] {
        guard !bytes.contains(0) else { return [] }
        let all = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline)
        var lines = all.prefix(Self.maximumLines).map { line in
            let start = line.prefix(Self.maximumLineLength)
            return "  " + Printable.text(String(start)) + (start.count < line.count ? "…" : "")
        }
        if isCut || all.count > Self.maximumLines { lines.append("  …") }
        return lines
    }

    /// Whether a response has readable text that is probably written by an API: not HTML.
    static func isReadable(_ response: URLResponse) -> Bool {
        guard let type = response.mimeType, AutomaticChoice.isText(type) else { return false }
        return !type.hasBytes(of: "text/html") && !type.endsWithBytes(of: "xhtml+xml")
    }
}
