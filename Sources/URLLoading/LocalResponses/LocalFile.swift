import FoundationEssentials
import Glibc
import SystemPackage

/// The regular file of a `file:` URL, open for reading.
struct LocalFile: ~Copyable {
    let descriptor: FileDescriptor
    /// The size when the file was opened, bytes.
    let size: Int64
    /// The time of the last modification, seconds since 1970.
    let modified: Int64

    /// Opens the file.
    ///
    /// Throws `badURL` where the URL names another machine or no path, `fileDoesNotExist`,
    /// `fileIsDirectory`, `noPermissionsToReadFile`, and `cannotOpenFile`. The last is for non-regular
    /// files: a pipe may never end, and reading some devices changes them.
    init(_ url: URL) throws(URLError) {
        let path = FilePath(platformString: try Self.path(of: url))
        // Checked before opening, because opening a device may have an effect.
        try Self.check(path, by: { stat($0, &$1) })
        let opened = try Self.open(path)
        descriptor = opened.descriptor
        size = Int64(opened.status.st_size)
        modified = Int64(opened.status.st_mtim.tv_sec)
    }

    deinit {
        try? descriptor.close()
    }

    /// The percent-decoded path: any bytes but NUL.
    static func path(of url: URL) throws(URLError) -> [CChar] {
        let host = url.host() ?? ""
        guard host.isEmpty || host.asciiLowercased == "localhost" else {
            throw URLError(.badURL, detail: "a file URL must name this machine, or no host")
        }
        let path = url.absoluteURL.path(percentEncoded: true)
        let bytes = path[...].utf8.percentDecoded
        guard bytes.first == UInt8(ascii: "/"), !bytes.contains(0) else {
            throw URLError(.badURL, detail: "a file URL needs an absolute path without a NUL")
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
        by readStatus: (UnsafePointer<CChar>, inout stat) -> CInt
    ) throws(URLError) -> stat {
        var status = stat()
        guard path.withPlatformString({ readStatus($0, &status) }) == 0 else {
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

/// Media types by the extension of a name.
enum FileMediaType {
    /// The media type of an unknown extension.
    static let unknown = "application/octet-stream"

    /// The media type of a name, by its extension in any case.
    static func of(_ name: String) -> String {
        guard let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")), dot != name.startIndex else {
            return unknown
        }
        return byExtension(name[name.utf8.index(after: dot)...].asciiLowercased) ?? unknown
    }

    /// The registered types of common files ([IANA](https://www.iana.org/assignments/media-types)).
    private static func byExtension(_ end: String) -> String? {
        switch end {
        case "txt", "text", "log", "conf", "ini": "text/plain"
        case "html", "htm": "text/html"
        case "css": "text/css"
        case "csv": "text/csv"
        case "md", "markdown": "text/markdown"
        case "js", "mjs": "text/javascript"
        case "json": "application/json"
        case "xml": "application/xml"
        case "yaml", "yml": "application/yaml"
        case "pdf": "application/pdf"
        case "zip": "application/zip"
        case "gz", "tgz": "application/gzip"
        case "bz2": "application/x-bzip2"
        case "xz": "application/x-xz"
        case "zst": "application/zstd"
        case "tar": "application/x-tar"
        case "7z": "application/x-7z-compressed"
        case "wasm": "application/wasm"
        case "png": "image/png"
        case "jpg", "jpeg": "image/jpeg"
        case "gif": "image/gif"
        case "webp": "image/webp"
        case "avif": "image/avif"
        case "svg": "image/svg+xml"
        case "ico": "image/vnd.microsoft.icon"
        case "mp3": "audio/mpeg"
        case "ogg", "oga": "audio/ogg"
        case "wav": "audio/wav"
        case "flac": "audio/flac"
        case "mp4", "m4v": "video/mp4"
        case "webm": "video/webm"
        case "mkv": "video/matroska"
        case "woff": "font/woff"
        case "woff2": "font/woff2"
        default: nil
        }
    }
}
