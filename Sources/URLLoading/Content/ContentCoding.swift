import Glibc

/// A content coding that can be undone, by the name that
/// [RFC 9110 §8.4.1](https://www.rfc-editor.org/rfc/rfc9110#section-8.4.1) or IANA gives it.
enum ContentCoding: String, Sendable, CaseIterable {
    case gzip
    case deflate
    case br
    case zstd

    /// The coding of a name in any case; `nil` where it is none of these.
    init?(name: some StringProtocol) {
        let name = name.asciiLowercased
        self.init(rawValue: name == "x-gzip" ? "gzip" : name)
    }

    /// The library that undoes it.
    var library: String {
        switch self {
        case .gzip, .deflate: "libz.so.1"
        case .br: "libbrotlidec.so.1"
        case .zstd: "libzstd.so.1"
        }
    }

    /// `Accept-Encoding` for all that this process can undo; empty where that is nothing.
    ///
    /// A library that libcurl has not brought along is not loaded only to be asked for.
    static let accepted = allCases.filter { dlopen($0.library, RTLD_LAZY | RTLD_NOLOAD) != nil }
        .map(\.rawValue).joined(separator: ", ")
}
