package import FoundationEssentials

/// Buffers bytes until the task knows their destination: up to 1 MiB in memory, then in an unnamed temporary
/// file.
///
/// The file is in `TMPDIR` or `/tmp`; the kernel removes it when the process exits.
package struct SpooledBytes: ~Copyable {
    private static let memoryLimit = 1 << 20

    private var store: SpoolStore
    package private(set) var count: Int64 = 0

    package init() {
        store = SpoolStore(memoryLimit: Self.memoryLimit, limit: .max, folder: TemporaryFolder.path)
    }

    /// Appends the next bytes.
    ///
    /// Throws `cannotWriteToFile` if we cannot create or write the temporary file; the value is then
    /// unusable.
    package mutating func append(_ data: Data) throws(URLError) {
        let loss = data.withUnsafeBytes { store.append($0) }
        switch loss {
        case nil: count += Int64(data.count)
        case .file(let folder, let reason)?:
            throw URLError(
                .cannotWriteToFile,
                detail: "the body cannot be buffered in \(folder): \(reason)"
            )
        case .limit?:
            throw URLError(.cannotWriteToFile, detail: "the body is too large to be buffered")
        }
    }

    /// Reads bytes from an offset, as many as fit; 0 at the end.
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
