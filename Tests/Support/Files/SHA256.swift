/// The SHA-256 of bytes, in lower-case hex, by the system's `sha256sum`.
public func sha256(_ bytes: [UInt8]) throws -> String {
    let folder = try TemporaryFolder("sha256")
    return try sha256(file: folder.write(bytes, to: "bytes"))
}

/// The SHA-256 of a file, in lower-case hex, by the system's `sha256sum`.
///
/// - Parameter path: The file's absolute path.
/// - Returns: 64 digits.
/// - Throws: `TestSupportError.programFailed` when the file does not exist.
public func sha256(file path: String) throws -> String {
    let folder = try TemporaryFolder("sha256")
    let line = try Tool.run(#"sha256sum <"$1""#, arguments: [path], in: folder)
    return String(line.prefix(64))
}
