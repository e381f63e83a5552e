public import FoundationEssentials

// Unchecked: immutable after initialization, as is its only subclass.
/// The metadata of a response, without its body, as Foundation's `URLResponse`.
public class URLResponse: @unchecked Sendable {
    /// The URL of the response.
    public let url: URL?
    /// The media type without parameters, in lower case; `nil`: none.
    public var mimeType: String? { type.mimeType }
    /// The length that the response states, bytes; −1: unknown.
    public let expectedContentLength: Int64
    /// The character encoding that the response states.
    public var textEncodingName: String? { type.textEncodingName }
    private let type: ContentType
    /// The time of the last modification, seconds since 1970; `nil` for HTTP, which has a header field.
    package let modified: Int64?

    /// Creates a response.
    public convenience init(
        url: URL,
        mimeType: String?,
        expectedContentLength length: Int,
        textEncodingName name: String?
    ) {
        self.init(
            url: url,
            expectedContentLength: length,
            .parts(mimeType: mimeType, textEncodingName: name)
        )
    }

    init(
        url: URL,
        expectedContentLength length: Int,
        _ type: ContentType,
        modified: Int64? = nil
    ) {
        self.url = url
        expectedContentLength = Int64(length)
        self.type = type
        self.modified = modified
    }

    /// The type of a body.
    enum ContentType {
        case parts(mimeType: String?, textEncodingName: String?)
        /// The field's value, parsed on access.
        case field(String)

        var mimeType: String? {
            switch self {
            case .parts(let type, _): type
            case .field(let text): MediaType(text).essence
            }
        }

        var textEncodingName: String? {
            switch self {
            case .parts(_, let name): name
            case .field(let text): MediaType(text).charset
            }
        }
    }

    /// A name for the response's file: from HTTP's `Content-Disposition`, the URL's last path
    /// component, or `Unknown`.
    ///
    /// If the server names a path, this is only its last component; never `.` or `..`. The name may begin
    /// with a dot, and contain any other character.
    public var suggestedFilename: String? {
        if let name = (self as? HTTPURLResponse)?.contentDisposition?.fileName {
            let last = name.unicodeScalars.split { $0 == "/" || $0 == "\\" }.last
            if let last, ![".", ".."].contains(String(last)) { return String(last) }
        }
        guard let last = url?.lastPathComponent, !last.isEmpty, last != "/" else {
            return "Unknown"
        }
        return last
    }
}

extension URLResponse: Hashable {
    /// Whether both have the same values; for HTTP responses including status, version and header.
    public static func == (one: URLResponse, other: URLResponse) -> Bool {
        guard one !== other else { return true }
        guard one.url == other.url, one.mimeType == other.mimeType,
            one.expectedContentLength == other.expectedContentLength,
            one.textEncodingName == other.textEncodingName
        else { return false }
        switch (one as? HTTPURLResponse, other as? HTTPURLResponse) {
        case (nil, nil): return true
        case (let one?, let other?):
            return one.statusCode == other.statusCode && one.httpVersion == other.httpVersion
                && one.headerFields.valuesByName == other.headerFields.valuesByName
        default: return false
        }
    }

    /// Hashes the URL, the length and the status.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(url)
        hasher.combine(expectedContentLength)
        hasher.combine((self as? HTTPURLResponse)?.statusCode)
    }
}
