package import FoundationEssentials

/// Bytes that are buffered until their destination is decided: up to 1 MiB in memory, then in
/// an unnamed temporary file.
///
/// The file is in `TMPDIR` or `/tmp`, and is gone with the process.
package struct SpooledBytes: ~Copyable {
    private static let memoryLimit = 1 << 20

    private var store: SpoolStore
    /// How many there are.
    package private(set) var count: Int64 = 0

    package init() {
        store = SpoolStore(
            memoryLimit: Self.memoryLimit,
            limit: .max,
            folder: TemporaryFolder.path
        )
    }

    /// Keeps the next bytes.
    ///
    /// Throws `cannotWriteToFile` where the temporary file cannot be made or written; what was kept is
    /// of no further use then.
    package mutating func append(_ data: Data) throws(URLError) {
        let loss = data.withUnsafeBytes { store.append($0) }
        switch loss {
        case nil: count += Int64(data.count)
        case .file(let folder, let reason)?:
            throw URLError(
                .cannotWriteToFile,
                detail: "the temporary file in \(folder) that keeps the body back: \(reason)"
            )
        case .limit?: throw URLError(.cannotWriteToFile, detail: "there is too much to keep back")
        }
    }

    /// Reads them from an offset on, as many as fit; 0 at the end.
    ///
    /// Throws `cannotOpenFile` where the disk fails.
    package func read(
        into space: UnsafeMutableRawBufferPointer,
        from offset: Int64
    ) throws(URLError) -> Int {
        guard offset < count else { return 0 }
        return try store.read(into: space, from: offset)
    }
}
