/// Why a file of this user's own cannot be used; without any of its content.
package enum PrivateFileError: Error, Sendable, Hashable {
    /// Others could have changed or read it, and why that is so.
    case unsafe(path: String, reason: String)
    /// It cannot be read or written, and why.
    case failed(path: String, reason: String)
    /// Its content is not understood, and so is not written over either.
    case garbled(path: String, reason: String)
    /// Another process holds it.
    case busy(path: String)
}

extension PrivateFileError: CustomStringConvertible {
    /// What is the matter, in words.
    package var description: String {
        switch self {
        case .unsafe(let path, let reason): "\(path) is not safe: \(reason)"
        case .failed(let path, let reason): "\(path): \(reason)"
        case .garbled(let path, let reason): "\(path) is left as it is: \(reason)"
        case .busy(let path): "\(path) is being written by another process"
        }
    }
}
