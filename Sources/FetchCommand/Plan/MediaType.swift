/// The media type of a file by its name.
enum MediaType {
    /// What curl's `-F` says of the file, and `application/octet-stream` of all others.
    static func ofFile(named name: String) -> String {
        guard let (_, ending) = name[...].split(atLast: UInt8(ascii: ".")) else { return unknown }
        return switch ending.lowercased() {
        case "gif": "image/gif"
        case "jpg", "jpeg": "image/jpeg"
        case "png": "image/png"
        case "svg": "image/svg+xml"
        case "txt": "text/plain"
        case "htm", "html": "text/html"
        case "pdf": "application/pdf"
        case "xml": "application/xml"
        default: unknown
        }
    }

    private static let unknown = "application/octet-stream"
}
