import FoundationEssentials
import URLLoading

// URLs of local files and data.
extension WebAddress {
    /// Whether the URL needs no network.
    var isLocal: Bool { scheme == "file" || scheme == "data" }

    /// The path of a `file:` URL; `nil` for other URLs, or if the path is not UTF-8.
    var filePath: String? {
        scheme == "file" ? PercentCoding.decode(path) : nil
    }

    /// Parses `file:` and `data:` URLs; `nil` for other texts.
    ///
    /// `file:8080` and `data:8080/x` are hosts with ports, without a scheme. The target follows the
    /// scheme and an empty host. Throws if the text begins like such a URL, but is malformed.
    static func local(_ argument: String) throws(UsageError) -> (scheme: String, target: String)? {
        let bytes = argument.utf8.prefix(5)
        guard bytes.last == UInt8(ascii: ":") else { return nil }
        let rest = argument[bytes.endIndex...]
        switch String(Substring(bytes)).asciiLowercased {
        case "file:" where rest.utf8.first == UInt8(ascii: "/"):
            return ("file", try file(rest, argument))
        case "data:" where rest.utf8.contains(UInt8(ascii: ",")) && !isPort(rest):
            try check(argument)
            return ("data", URLReference.encodeStray(rest))
        default: return nil
        }
    }

    private static func file(
        _ rest: Substring,
        _ argument: String
    ) throws(UsageError) -> String {
        try check(argument)
        var path = rest
        if rest.startsWithBytes(of: "//") {
            let authority = rest.utf8.dropFirst(2)
            let host = Substring(authority.prefix { $0 != UInt8(ascii: "/") })
            guard host.isEmpty || host.lowercased() == "localhost" else {
                throw invalid(
                    argument,
                    "a file URL must name this machine, or no host",
                    "file:///PATH"
                )
            }
            path = Substring(authority.dropFirst(host.utf8.count))
        }
        let target = URLReference.encodedTarget(path)
        let named = target.prefix { $0 != "?" && $0 != "#" }
        guard named.first == "/", PercentCoding.decode(named)?.utf8.contains(0) != true else {
            throw invalid(argument, "a file URL has a path from the root", "file:///PATH")
        }
        return target
    }

    /// Whether the text is digits, followed by a path or by nothing.
    private static func isPort(_ text: Substring) -> Bool {
        let digits = text.utf8.prefix(while: \.isDigit)
        guard !digits.isEmpty else { return false }
        return text.utf8.dropFirst(digits.count).first.map { "/?#".utf8.contains($0) } ?? true
    }

    private static func check(_ argument: String) throws(UsageError) {
        guard !argument.utf8.contains(where: { $0 < 0x20 || $0 == 0x7f }) else {
            throw invalid(argument, URLScanner.ValidationError.control.rawValue, nil)
        }
    }

    private static func invalid(_ argument: String, _ reason: String, _ hint: String?) -> UsageError
    {
        .invalidURL(
            Redaction.url(String(argument.prefix(200))),
            reason: reason,
            hint: hint.map { "write it as \($0)" }
        )
    }
}
