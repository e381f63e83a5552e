public import FoundationEssentials

/// Where the bytes of a download go while they come.
public enum DownloadDestination: Sendable, Hashable {
    /// A file of no meaning in the session's folder for temporary files, mode 0600.
    case temporary
    /// Just this file, made with the process's umask, locked against other processes, and emptied
    /// if it is there. A symbolic link there is refused, never followed.
    ///
    /// `permissions` are those it is made with, under the process's umask.
    case partFile(URL, permissions: UInt16 = 0o666)
}
