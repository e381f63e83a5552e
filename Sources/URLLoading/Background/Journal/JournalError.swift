/// What is wrong with a journal.
package enum JournalError: Error, Sendable, Hashable {
    /// It cannot be read or written.
    case file(PrivateFileError)
    /// The disk, or what this user may have of it, has no room for another record.
    case full(path: String)
    /// What was once brought to the disk is not there any more; nothing is changed then.
    case corrupt(path: String, line: Int, reason: String)
    /// It is of a version that this build does not read.
    case version(path: String, version: Int)
    /// It belongs to another session.
    case foreign(path: String, identifier: String)
    /// It could not be brought to the disk, and nobody knows how much of it is there.
    case broken(path: String)
}

extension JournalError: CustomStringConvertible {
    /// What is the matter, in words.
    package var description: String {
        switch self {
        case .file(let error): "\(error)"
        case .full(let path): "\(path): no room is left for it on the disk"
        case .corrupt(let path, let line, let reason):
            "\(path) is damaged in line \(line), and left as it is: \(reason)"
        case .version(let path, let version):
            "\(path) is of version \(version), which this build does not read; a newer one has"
                + " written it"
        case .foreign(let path, let identifier):
            "\(path) is of the session \(identifier.debugDescription)"
        case .broken(let path): "\(path) could not be brought to the disk"
        }
    }
}
