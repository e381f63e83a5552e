public import FoundationEssentials

/// Where the bytes of a download go while they come.
public enum DownloadDestination: Sendable, Hashable {
    /// A file of no meaning in the session's folder for temporary files, mode 0600.
    case temporary
    /// Just this file, made with the process's umask, locked against other processes, and emptied
    /// if it is there. A symbolic link there is refused, never followed.
    ///
    /// A download that fails leaves it there where it can be continued, and removes it where not.
    /// `permissions` are those it is made with, under the process's umask. With `keepsResumeData`
    /// the download can be continued by a later run of the program: once it has lasted a second,
    /// then at most once a second, and when it fails, its resume data is written beside the file,
    /// with `.resume` added to the name.
    case partFile(URL, permissions: UInt16 = 0o666, keepsResumeData: Bool = false)
}

extension DownloadDestination {
    /// Whether it is the very file of which there is a part.
    func isFile(of data: ResumeData) -> Bool {
        guard case .partFile(let file, _, _) = self, case .partFile(let path) = data.file else {
            return false
        }
        return AbsolutePath.of(file.path) == path
    }
}
