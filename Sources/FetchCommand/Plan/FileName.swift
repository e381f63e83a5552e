/// Names of files, from paths and from servers.
enum FileName {
    /// The name of what has no name.
    static let fallback = "index.html"

    /// The longest name made from a URL, in bytes: file systems allow 255, and `.part.resume`
    /// (12 bytes) or a number such as `.999` must still fit behind it.
    static let longest = 255 - ".part.resume".utf8.count - ".999".utf8.count

    /// What follows the last slash.
    static func lastComponent(ofPath path: String) -> String {
        path[...].split(atLast: UInt8(ascii: "/")).map { String($0.after) } ?? path
    }

    /// The name under which the body of this address is saved.
    ///
    /// The last component of its path, percent-decoded where that gives UTF-8, and made safe.
    static func from(_ address: WebAddress) -> String {
        // What stands in a data URL is no name.
        if address.scheme == "data" { return "data" }
        let component = lastComponent(ofPath: String(address.path))[...]
        return safe(PercentCoding.decode(component) ?? String(component))
    }

    /// A name that stays in its folder and hides nothing.
    ///
    /// `/`, NUL and what misleads a terminal become `_`; a name that would begin with `.` or `-` gets
    /// a `_` before it, so that it is neither hidden nor taken for an option; nothing, `.` and `..`
    /// become `index.html`; and it is cut to `longest` bytes, never inside a character's bytes.
    static func safe(_ name: String) -> String {
        guard !name.isEmpty, name != ".", name != ".." else { return fallback }
        var safe = String.UnicodeScalarView()
        if let first = name.utf8.first, first == UInt8(ascii: ".") || first == UInt8(ascii: "-") {
            safe.append("_")
        }
        var length = safe.count
        for scalar in name.unicodeScalars {
            let kept = scalar == "/" || Printable.isHarmful(scalar) ? "_" : scalar
            length += UTF8.width(kept)
            guard length <= longest else { break }
            safe.append(kept)
        }
        return String(safe)
    }
}
