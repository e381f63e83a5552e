/// What is sent.
enum BodyPlan: Equatable, Sendable {
    case none
    case data([UInt8])
    /// Streamed. `length` is nil for what is no regular file.
    case file(path: String, length: Int64?)
    /// Streamed: a regular file from a byte on, to its end.
    case rest(ofFile: String, from: Int64, size: Int64)
    /// Streamed. Where line ends are stripped, a regular file's size is not the body's.
    case standardInput(stripsLineEnds: Bool)
    case form(MultipartForm)

    /// In bytes, where it is known before the body is read; nil also for standard input, whose size
    /// whoever reads it may find out.
    var length: Int64? {
        switch self {
        case .none: 0
        case .data(let bytes): Int64(bytes.count)
        case .file(_, let length): length
        case .rest(_, let offset, let size): size - offset
        case .standardInput: nil
        case .form(let form): form.length
        }
    }

    /// Whether there is one, be it empty.
    var isSent: Bool {
        if case .none = self { false } else { true }
    }

    /// Whether it can be read only once.
    var readsStandardInput: Bool {
        switch self {
        case .standardInput: true
        case .form(let form): form.parts.contains { $0.content == .standardInput }
        case .none, .data, .file, .rest: false
        }
    }
}
