public import FoundationEssentials

// Unchecked: nothing in it changes after it is made, nor in its one subclass.
/// An answer's description, without its body, as Foundation's `URLResponse`.
public class URLResponse: @unchecked Sendable {
    /// The URL that answered.
    public let url: URL?
    /// The media type without parameters, in lower case; `nil` where the answer has none.
    public let mimeType: String?
    /// The length the answer announces, bytes; −1 where it does not.
    public let expectedContentLength: Int64
    /// The character encoding the answer names.
    public let textEncodingName: String?

    /// Makes a description.
    public init(
        url: URL,
        mimeType: String?,
        expectedContentLength length: Int,
        textEncodingName name: String?
    ) {
        self.url = url
        self.mimeType = mimeType
        expectedContentLength = Int64(length)
        textEncodingName = name
    }

    /// A name for the answer's file: the URL's last path component, or `Unknown`.
    public var suggestedFilename: String? {
        guard let last = url?.lastPathComponent, !last.isEmpty, last != "/" else {
            return "Unknown"
        }
        return last
    }
}
