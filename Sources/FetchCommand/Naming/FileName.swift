import FoundationEssentials
import URLLoading

/// File names derived from paths, URLs and servers' names.
enum FileName {
    /// The file name for a URL without one.
    static let fallback = "index.html"

    /// The longest name that a server may choose, in bytes: file systems allow 255, and a suffix
    /// such as `.part.resume` (12 bytes) and `.999` must still fit.
    static let longest = 255 - ".part.resume".utf8.count - ".999".utf8.count

    /// The longest extension that is kept when a name is shortened, in bytes.
    private static let maximumExtensionLength = 16

    /// The component after the last slash.
    static func lastComponent(ofPath path: String) -> String {
        path[...].split(atLast: UInt8(ascii: "/")).map { String($0.after) } ?? path
    }

    /// The file name for a URL's body.
    ///
    /// It is the last path component, percent-decoded if the result is UTF-8, and made safe. The
    /// name of a part file gets a `_` too, because a list of URLs may be hostile.
    static func from(_ address: WebAddress) -> String {
        // A data URL's path is its content, not a name.
        if address.scheme == "data" { return "data" }
        let component = lastComponent(ofPath: String(address.path))[...]
        return apartFromParts(safe(PercentCoding.decode(component) ?? String(component)))
    }

    /// The folders for a URL, each made safe: one for the host, and those of the path.
    static func folders(of address: WebAddress, _ options: Options) -> [String] {
        let host = address.host + (address.port.map { ":\($0)" } ?? "")
        var path: [Substring] = []
        var isFolder = true
        for part in address.path.split(byte: UInt8(ascii: "/"), omittingEmptySubsequences: false)
            .dropFirst()
        {
            // The path that is sent has no dot segments, unless --path-as-is keeps them.
            isFolder = !options.transport.keepsDotSegments && (part == "." || part == "..")
            guard isFolder else {
                path.append(part)
                continue
            }
            if part == ".." { _ = path.popLast() }
        }
        // Behind the last slash is the file's name.
        if !isFolder { path.removeLast() }
        let names = path.filter { !$0.isEmpty }.dropFirst(options.cutFolders).map {
            PercentCoding.decode($0) ?? String($0)
        }
        return ((options.omitsHostFolder || host.isEmpty ? [] : [host.lowercased()]) + names).map(
            safe
        )
    }

    /// The file name that a response gives its body, made safe; `nil` if it gives none.
    static func from(_ response: URLResponse, _ file: FileDestination) -> String? {
        let name = (response as? HTTPURLResponse)?.contentDisposition.flatMap(from)
        guard name == nil, file.isNamedByRedirect, let url = response.url else { return name }
        return (try? WebAddress(url.absoluteString)).map(from)
    }

    /// The file name that a server has chosen, made safe; `nil` if there is none.
    ///
    /// Of a path, the last component is used, after slashes of either kind. White space at both
    /// ends is removed. The name of a part file gets a `_` appended.
    static func from(_ disposition: ContentDisposition) -> String? {
        guard let given = disposition.fileName else { return nil }
        var last = given.unicodeScalars[...]
        let slash = last.lastIndex { $0 == "/" || $0 == "\\" }
        if let slash { last = last[last.index(after: slash)...] }
        last = last.drop { $0.properties.isWhitespace }
        let end = last.lastIndex { !$0.properties.isWhitespace }
        last = end.map { last[...$0] } ?? last
        guard !["", ".", ".."].contains(String(last)) else { return nil }
        return apartFromParts(safe(String(last)))
    }

    /// The name, with a `_` if it could be a part file, which a later `--continue` would use.
    private static func apartFromParts(_ name: String) -> String {
        let isPart = [".part", ".part.resume", ".part.resume~"].contains {
            name.endsWithBytes(of: $0)
        }
        return isPart ? cut(name + "_") : name
    }

    /// A file name that cannot leave its folder or mislead a reader.
    ///
    /// `/`, NUL, invisible characters and those that mislead a terminal become `_`. A leading `.`
    /// or `-` gets a `_` before it, so that the file is neither hidden nor taken for an option. An
    /// empty name, `.` and `..` become `index.html`. The name is cut to `longest` bytes.
    static func safe(_ name: String) -> String {
        guard !name.isEmpty, name != ".", name != ".." else { return fallback }
        let first = name.utf8.first
        let isVisible = first != UInt8(ascii: ".") && first != UInt8(ascii: "-")
        // Most names are safe as they are.
        if isVisible,
            name.utf8.allSatisfy({ (0x20..<0x7F).contains($0) && $0 != UInt8(ascii: "/") })
        {
            return cut(name)
        }
        var safe = String.UnicodeScalarView()
        if !isVisible { safe.append("_") }
        for scalar in name.unicodeScalars {
            safe.append(scalar == "/" || isHarmful(scalar) ? "_" : scalar)
        }
        return cut(String(safe))
    }

    /// Whether a file name must not contain the character.
    ///
    /// These are the characters that mislead a terminal, and all format characters except ZWNJ and
    /// ZWJ, which some scripts need, as in Chromium.
    private static func isHarmful(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.value < 0x80 { return scalar.value < 0x20 || scalar.value == 0x7F }
        return Printable.isHarmful(scalar)
            || scalar.properties.generalCategory == .format
                && !(0x200C...0x200D).contains(scalar.value)
    }

    /// Shortens a name to `longest` bytes, before its extension and between two characters.
    private static func cut(_ name: String) -> String {
        guard name.utf8.count > longest else { return name }
        let fileExtension = fileExtension(of: name)
        let room = longest - fileExtension.utf8.count
        var kept = ""
        for character in name {
            guard kept.utf8.count + character.utf8.count <= room else { break }
            kept.append(character)
        }
        // A character may have any number of combining accents; then it is cut between scalars.
        if room - kept.utf8.count > maximumExtensionLength {
            var scalars = String.UnicodeScalarView()
            var length = 0
            for scalar in name.unicodeScalars {
                length += UTF8.width(scalar)
                guard length <= room else { break }
                scalars.append(scalar)
            }
            kept = String(scalars)
        }
        return kept + fileExtension
    }

    /// The extension with its dot, and `.tar` before it; empty if there is none.
    private static func fileExtension(of name: String) -> Substring {
        let bytes = name.utf8
        guard let dot = bytes.suffix(maximumExtensionLength).lastIndex(of: UInt8(ascii: ".")),
            dot != bytes.startIndex, bytes.index(after: dot) != bytes.endIndex
        else { return "" }
        let before = name[..<dot]
        return before.endsWithBytes(of: ".tar")
            ? name[bytes.index(dot, offsetBy: -4)...] : name[dot...]
    }
}
