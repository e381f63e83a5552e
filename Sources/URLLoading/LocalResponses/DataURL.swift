import FoundationEssentials

/// A parsed `data:` URL ([RFC 2397](https://www.rfc-editor.org/rfc/rfc2397), in details the [Fetch
/// standard](https://fetch.spec.whatwg.org/#data-url-processor)).
struct DataURL: Sendable {
    let mediaType: MediaType
    let bytes: [UInt8]

    /// Parses a URL without its fragment; throws `badURL` without a comma, or with invalid Base64.
    init(_ url: URL) throws(URLError) {
        let text = url.absoluteString
        let start = text.utf8.firstIndex(of: UInt8(ascii: ":")).map(text.utf8.index(after:))
        let whole = text[(start ?? text.startIndex)...].prefix { $0 != "#" }
        guard let comma = whole.utf8.firstIndex(of: UInt8(ascii: ",")) else {
            throw URLError(.badURL, detail: "a data URL needs a comma before its data")
        }
        var description = Self.trimmed(
            String(decoding: whole[..<comma].utf8.percentDecoded, as: UTF8.self)[...]
        )
        let isBase64 = Self.takeBase64(from: &description)
        mediaType = Self.mediaType(description)
        let data = whole[whole.utf8.index(after: comma)...].utf8.percentDecoded
        guard isBase64 else {
            bytes = data
            return
        }
        guard let decoded = Self.base64(data) else {
            throw URLError(.badURL, detail: "the data of the URL is not Base64")
        }
        bytes = decoded
    }

    /// Removes a trailing `;base64`, in any case and with spaces before it.
    private static func takeBase64(from text: inout Substring) -> Bool {
        let word = "base64"
        guard text.count > word.count, text.suffix(word.count).lowercased() == word else {
            return false
        }
        var rest = text.dropLast(word.count)
        while rest.last == " " { rest.removeLast() }
        guard rest.last == ";" else { return false }
        text = rest.dropLast()
        return true
    }

    /// The media type, or the default if it is malformed; parameters without a type belong to plain text.
    private static func mediaType(_ text: Substring) -> MediaType {
        let type = MediaType(text.first == ";" ? "text/plain" + text : String(text))
        let isType =
            type.essence?.split(separator: "/").allSatisfy {
                $0.utf8.allSatisfy(HTTPSyntax.isTokenByte)
            } ?? false
        return isType ? type : MediaType("text/plain;charset=US-ASCII")
    }

    private static func trimmed(_ text: Substring) -> Substring {
        var text = text.drop { $0 == " " }
        while text.last == " " { text.removeLast() }
        return text
    }

    /// Decodes Base64 with or without padding; accepts spaces, but no other characters.
    private static func base64(_ text: [UInt8]) -> [UInt8]? {
        let padding = UInt8(ascii: "=")
        var letters = text.filter { ![0x20, 0x09, 0x0A, 0x0C, 0x0D].contains($0) }
        if letters.count % 4 == 0 {
            for _ in 0..<2 where letters.last == padding { letters.removeLast() }
        }
        guard letters.count % 4 != 1, !letters.contains(padding) else { return nil }
        while letters.count % 4 != 0 { letters.append(padding) }
        return Data(base64Encoded: Data(letters)).map { Array($0) }
    }
}

/// The schemes of local URLs.
enum LocalAddress: String {
    case data
    case file

    /// `nil` where the URL has another scheme.
    init?(_ url: URL) {
        guard let scheme = url.scheme, scheme.utf8.count == 4, scheme != "http" else { return nil }
        self.init(rawValue: scheme.lowercased())
    }
}

/// Responds with the content of a `data:` URL.
final class DataSource: ResponseSource {
    private let url: URL
    private let hasBody: Bool
    private var bytes: ArraySlice<UInt8> = []

    init(_ url: URL, method: String) {
        self.url = url
        hasBody = method != "HEAD"
    }

    func response() throws(URLError) -> SourceResponse {
        let data = try DataURL(url)
        if hasBody { bytes = data.bytes[...] }
        return .other(
            URLResponse(
                url: url,
                mimeType: data.mediaType.essence,
                expectedContentLength: data.bytes.count,
                textEncodingName: data.mediaType.charset
            )
        )
    }

    func read(into space: UnsafeMutableRawBufferPointer) -> SourceRead {
        guard !bytes.isEmpty else { return .end }
        let piece = bytes.prefix(space.count)
        space.copyBytes(from: piece)
        bytes = bytes.dropFirst(piece.count)
        return .bytes(piece.count)
    }

    func stop() {
        bytes = []
    }
}
