/// A stretch of a body that is sent as it comes, never held as a whole.
enum BodySegment: Equatable, Sendable {
    case bytes([UInt8])
    /// `length` is nil for what is no regular file.
    case file(path: String, length: Int64?)
    case standardInput

    /// In bytes, where known.
    var length: Int64? {
        switch self {
        case .bytes(let bytes): Int64(bytes.count)
        case .file(_, let length): length
        case .standardInput: nil
        }
    }
}
