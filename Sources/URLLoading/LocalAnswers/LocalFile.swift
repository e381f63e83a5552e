import FoundationEssentials
import Glibc
import SystemPackage

/// A regular file that a `file:` URL names, open to be read.
struct LocalFile: ~Copyable {
    let descriptor: FileDescriptor
    /// What the file had when it was opened, bytes.
    let size: Int64
    /// When it was last changed, seconds since 1970.
    let modified: Int64

    /// Opens it.
    ///
    /// Throws `badURL` where the URL names another machine or no path, `fileDoesNotExist`,
    /// `fileIsDirectory`, `noPermissionsToReadFile`, and `cannotOpenFile` for what is no regular
    /// file: a pipe could be waited for without an end, and reading some devices changes them.
    init(_ url: URL) throws(URLError) {
        let path = FilePath(platformString: try Self.path(of: url))
        // Looked at first: already to open a device may do something.
        try Self.check(path, by: { stat($0, &$1) })
        let opened = try Self.open(path)
        descriptor = opened.descriptor
        size = Int64(opened.status.st_size)
        modified = Int64(opened.status.st_mtim.tv_sec)
    }

    deinit {
        try? descriptor.close()
    }

    /// The path, its escapes taken off: any bytes but NUL.
    static func path(of url: URL) throws(URLError) -> [CChar] {
        let host = url.host() ?? ""
        guard host.isEmpty || host.asciiLowercased == "localhost" else {
            throw URLError(.badURL, detail: "a file URL names this machine, or none")
        }
        let path = url.absoluteURL.path(percentEncoded: true)
        let bytes = PercentDecoding.bytes(of: path[...].utf8)
        guard bytes.first == UInt8(ascii: "/"), !bytes.contains(0) else {
            throw URLError(.badURL, detail: "a file URL has a path from the root, without a NUL")
        }
        return bytes.map { CChar(bitPattern: $0) } + [0]
    }

    private static func open(
        _ path: FilePath
    ) throws(URLError) -> (descriptor: FileDescriptor, status: stat) {
        let descriptor: FileDescriptor
        do {
            descriptor = try FileDescriptor.open(
                path,
                .readOnly,
                options: [.nonBlocking, .closeOnExec]
            )
        } catch {
            throw refused(path, error as? Errno ?? .ioError)
        }
        do throws(URLError) {
            return (descriptor, try check(path, by: { fstat(descriptor.rawValue, &$1) }))
        } catch {
            try? descriptor.close()
            throw error
        }
    }

    @discardableResult
    private static func check(
        _ path: FilePath,
        by look: (UnsafePointer<CChar>, inout stat) -> CInt
    ) throws(URLError) -> stat {
        var status = stat()
        guard path.withPlatformString({ look($0, &status) }) == 0 else {
            throw refused(path, Errno(rawValue: errno))
        }
        switch status.st_mode & S_IFMT {
        case S_IFREG: return status
        case S_IFDIR: throw URLError(.fileIsDirectory, detail: "\(path)")
        default: throw URLError(.cannotOpenFile, detail: "\(path) is not a regular file")
        }
    }

    private static func refused(_ path: FilePath, _ errno: Errno) -> URLError {
        let code: URLError.Code =
            switch errno {
            case .noSuchFileOrDirectory, .notDirectory, .fileNameTooLong,
                .tooManySymbolicLinkLevels:
                .fileDoesNotExist
            case .permissionDenied, .notPermitted: .noPermissionsToReadFile
            default: .cannotOpenFile
            }
        return URLError(code, detail: "\(path): \(errno)")
    }
}
