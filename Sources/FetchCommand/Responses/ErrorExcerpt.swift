import FoundationEssentials
import URLLoading

/// The beginning of an error's body, which is not delivered: it often has an API's error message.
struct ErrorExcerpt: Sendable {
    /// How much of it is read, in bytes.
    static let size = 2 << 10
    /// How long it is waited for: a server must not delay the error.
    static let timeout: Duration = .seconds(2)
    private static let mostLines = 8
    private static let longestLine = 160

    private(set) var bytes = Data()
    /// Whether there is more than is kept.
    private(set) var isCut = false

    /// Takes the next bytes.
    ///
    /// - Parameter data: the bytes.
    /// - Returns: whether there is room for more.
    mutating func take(_ data: Data) -> Bool {
        let room = Self.size - bytes.count
        if data.count > room { isCut = true }
        bytes += data.prefix(room)
        return bytes.count < Self.size
    }

    /// The lines that are shown, safe for a terminal; empty where it is no text.
    var lines: [String] {
        guard !bytes.contains(0) else { return [] }
        let all = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline)
        var lines = all.prefix(Self.mostLines).map { line in
            let start = line.prefix(Self.longestLine)
            return "  " + Printable.text(String(start)) + (start.count < line.count ? "…" : "")
        }
        if isCut || all.count > Self.mostLines { lines.append("  …") }
        return lines
    }

    /// Whether a response is an API's, in readable text.
    static func isReadable(_ response: URLResponse) -> Bool {
        guard let type = response.mimeType, AutomaticChoice.isText(type) else { return false }
        return !type.hasBytes(of: "text/html") && !type.endsWithBytes(of: "xhtml+xml")
    }
}
