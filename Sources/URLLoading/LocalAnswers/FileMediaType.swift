/// What a file is by the end of its name.
enum FileMediaType {
    /// What is said of a file of which nothing is known.
    static let unknown = "application/octet-stream"

    /// The media type of a name; what stands behind its last dot decides, in any case.
    static func of(_ name: String) -> String {
        guard let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")), dot != name.startIndex else {
            return unknown
        }
        return byExtension(name[name.utf8.index(after: dot)...].asciiLowercased) ?? unknown
    }

    /// The registered types of what is fetched most
    /// ([IANA](https://www.iana.org/assignments/media-types)).
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
