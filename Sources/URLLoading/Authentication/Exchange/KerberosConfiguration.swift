import FoundationEssentials
import Glibc

/// The realms in `krb5.conf`(5): the default realm, and those of hosts and domains.
struct KerberosConfiguration: Sendable, Hashable {
    /// The maximum depth of included files.
    private static let maximumDepth = 8
    private static let sizeLimit = 1 << 20
    private static let maximumFiles = 1_000

    /// `default_realm` of `[libdefaults]`; the first entry counts.
    private(set) var defaultRealm: [UInt8]?
    /// `[domain_realm]`, with names in lower case; the first entry of a name counts.
    private(set) var realms: [[UInt8]: [UInt8]] = [:]
    private var files = 0

    init() {}

    /// The readable files of `KRB5_CONFIG`, or else `/etc/krb5.conf`; may wait for the disk.
    static func own() -> KerberosConfiguration {
        var configuration = KerberosConfiguration()
        for path in paths { configuration.read(fileAt: path, depth: 0) }
        return configuration
    }

    /// The files that `KRB5_CONFIG` names, or else the system's.
    static var paths: [String] {
        let named = Environment.value(of: "KRB5_CONFIG") ?? ""
        return (named.isEmpty ? "/etc/krb5.conf" : named).utf8.split(separator: 0x3A)
            .map { String(Substring($0)) }
    }

    /// Reads a file, and those that it includes; `depth` counts the files that include it.
    mutating func read(fileAt path: String, depth: Int) {
        guard depth < Self.maximumDepth, files < Self.maximumFiles,
            let content = Self.content(of: path)
        else { return }
        files += 1
        read([UInt8](content)) { $0.include($1, isFolder: $2, depth: depth + 1) }
    }

    /// The bytes of a regular file; `nil` if it cannot be read, or is too large.
    static func content(of path: String) -> Data? {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
            status.st_size <= sizeLimit
        else { return nil }
        return try? Data(contentsOf: URL(filePath: path))
    }

    private mutating func include(_ path: String, isFolder: Bool, depth: Int) {
        guard isFolder else { return read(fileAt: path, depth: depth) }
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        // Like Kerberos, skips backup files of editors.
        for name in names.sorted() where Self.isIncluded(name) {
            read(fileAt: "\(path)/\(name)", depth: depth)
        }
    }

    private static func isIncluded(_ name: String) -> Bool {
        if name.utf8.suffix(5).elementsEqual(".conf".utf8), name.utf8.first != 0x2E { return true }
        return !name.isEmpty
            && name.utf8.allSatisfy { $0.isAlphanumeric || "-_".utf8.contains($0) }
    }

    /// Parses the content of one file, and passes on the path of each included file or folder.
    mutating func read(
        _ bytes: [UInt8],
        include: (inout KerberosConfiguration, String, _ isFolder: Bool) -> Void = { _, _, _ in }
    ) {
        var section: [UInt8] = []
        var depth = 0
        for line in bytes.split(whereSeparator: \.isLineEnd) {
            let line = line.trimming(\.isBlank)
            guard let first = line.first, !"#;".utf8.contains(first) else { continue }
            if first == UInt8(ascii: "["), depth == 0 {
                section = [UInt8](line.dropFirst().prefix { $0 != UInt8(ascii: "]") })
                continue
            }
            if first == UInt8(ascii: "}") {
                depth = max(0, depth - 1)
                continue
            }
            if let (path, isFolder) = Self.included(line) {
                include(&self, path, isFolder)
                continue
            }
            guard let equals = line.firstIndex(of: UInt8(ascii: "=")) else { continue }
            let name = line[..<equals].trimming(\.isBlank)
            let value = line[(equals + 1)...].trimming(\.isBlank)
            if value.first == UInt8(ascii: "{") {
                depth += 1
            } else if depth == 0 {
                take(section, [UInt8](name), Self.unquoted(value))
            }
        }
    }

    private mutating func take(_ section: [UInt8], _ name: [UInt8], _ value: [UInt8]) {
        guard !value.isEmpty else { return }
        if section.elementsEqual("libdefaults".utf8), name.elementsEqual("default_realm".utf8) {
            defaultRealm = defaultRealm ?? value
        } else if section.elementsEqual("domain_realm".utf8) {
            let name = name.map(\.asciiLowercased)
            realms[name] = realms[name] ?? value
        }
    }

    private static func included(_ line: ArraySlice<UInt8>) -> (path: String, isFolder: Bool)? {
        for (word, isFolder) in [("include", false), ("includedir", true)] {
            let rest = line.dropFirst(word.utf8.count)
            guard line.starts(with: word.utf8), let blank = rest.first, blank.isBlank else {
                continue
            }
            return (String(decoding: rest.trimming(\.isBlank), as: UTF8.self), isFolder)
        }
        return nil
    }

    private static func unquoted(_ value: ArraySlice<UInt8>) -> [UInt8] {
        let quote = UInt8(ascii: "\"")
        if value.count > 1, value.first == quote, value.last == quote {
            return [UInt8](value.dropFirst().dropLast())
        }
        return [UInt8](value.prefix { !$0.isBlank })
    }
}
