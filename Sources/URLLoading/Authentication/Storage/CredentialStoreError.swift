/// What keeps a key store from doing what it should; it never holds a secret.
package enum CredentialStoreError: Error, Sendable, Hashable {
    /// There is none, or it does not answer; why.
    case unavailable(String)
    /// It is locked, and nobody may be asked to unlock it.
    case locked
    /// The user was asked, and would not.
    case dismissed
    /// It answers, and refuses; in its own words.
    case refused(String)
    /// A file that is not safe to keep secrets in, and why.
    case unsafe(path: String, reason: String)
    /// A file that cannot be read or written, and why.
    case failed(path: String, reason: String)
    /// A file whose content is not understood, and so is not written over either.
    case garbled(path: String, reason: String)
    /// Another process holds the file.
    case busy(path: String)
}

extension CredentialStoreError: CustomStringConvertible {
    /// What is the matter, in words.
    package var description: String {
        switch self {
        case .unavailable(let reason): "there is no key store: \(reason)"
        case .locked: "the key store is locked"
        case .dismissed: "the key store was not unlocked"
        case .refused(let words): "the key store refuses: \(words)"
        case .unsafe(let path, let reason): "\(path) is not safe for credentials: \(reason)"
        case .failed(let path, let reason): "\(path): \(reason)"
        case .garbled(let path, let reason):
            "\(path) holds no credentials that can be read: \(reason)"
        case .busy(let path): "\(path) is being written by another process"
        }
    }
}

extension CredentialStoreError {
    /// What is the matter with a file, as a key store's trouble.
    init(_ error: PrivateFileError) {
        self =
            switch error {
            case .unsafe(let path, let reason): .unsafe(path: path, reason: reason)
            case .failed(let path, let reason): .failed(path: path, reason: reason)
            case .garbled(let path, let reason): .garbled(path: path, reason: reason)
            case .busy(let path): .busy(path: path)
            }
    }
}
