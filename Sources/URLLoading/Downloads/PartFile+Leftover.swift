import CLinux
import Synchronization
import SystemPackage

// Whose bytes are in a part file that is there already.
extension PartFile {
    /// The extended attribute of a part file that holds bytes of a download, until all are there.
    ///
    /// A program that is killed before there is resume data leaves it.
    private static let attribute = "user.URLLoading.part"

    /// Says in the file itself that it holds what a download has received.
    ///
    /// Where the file system knows no such attributes, resume data has to say so.
    func mark() {
        guard keepsResumeData, !isMarked.exchange(true, ordering: .relaxed) else { return }
        _ = linux_set_attribute(descriptor.rawValue, Self.attribute, "", 0)
    }

    /// Takes the mark away: the file is about to get its own name.
    func unmark() {
        guard isMarked.exchange(false, ordering: .relaxed) || mayHaveBeenMarked else { return }
        _ = linux_remove_attribute(descriptor.rawValue, Self.attribute)
    }

    /// Whether a file is what a download has left, and not a file of the user that happens to have
    /// such a name.
    ///
    /// - Parameters:
    ///   - path: of the file.
    ///   - status: what it is.
    /// - Returns: `true` also where the file is empty.
    package static func isLeftover(_ path: String, _ status: FileStatus) -> Bool {
        guard status.size > 0 else { return true }
        if linux_get_attribute(path, attribute, nil, 0) >= 0 { return true }
        if let known = try? ResumeFile(of: path).read()?.identity,
            known.device == status.identity.device, known.inode == status.identity.inode
        {
            return true
        }
        return SplitMark(of: path) != nil
    }
}
