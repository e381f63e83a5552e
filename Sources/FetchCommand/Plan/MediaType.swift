/// The media type of a file by its name.
enum MediaType {
    /// What curl's `-F` says of a file of this name; `nil`: nothing.
    static func ofFile(named name: String) -> String? {
        guard let (_, ending) = name[...].split(atLast: UInt8(ascii: ".")) else { return nil }
        return switch ending.lowercased() {
        case "gif": "image/gif"
        case "jpg", "jpeg": "image/jpeg"
        case "png": "image/png"
        case "svg": "image/svg+xml"
        case "txt": "text/plain"
        case "htm", "html": "text/html"
        case "pdf": "application/pdf"
        case "xml": "application/xml"
        default: nil
        }
    }

    /// What is said of a file whose name says nothing.
    static let unknown = "application/octet-stream"
}
