import Glibc
import SystemPackage

/// A file that is needed and cannot be used.
struct FileFailure: Error, Equatable {
    let path: String
    let reason: Reason

    /// What is wrong with it.
    enum Reason: Equatable {
        case system(Errno)
        case isDirectory
        case isNoDirectory
        /// Its content is not what it should be; in words without that content.
        case flawed(String)
    }

    /// What is wrong and where, without the program's name and without a full stop.
    var message: String {
        let words =
            switch reason {
            case .system(let errno): errno.description
            case .isDirectory: "is a directory"
            case .isNoDirectory: "is not a directory"
            case .flawed(let words): words
            }
        return "\(Printable.text(path)): \(words)"
    }
}
