import CLinux
import Glibc

/// Descriptors 0, 1 and 2 as they are when the program starts.
enum StandardDescriptors {
    /// Fills those that are closed, so that no file or socket of ours gets one of their numbers and
    /// is then written to as standard output.
    ///
    /// Reading and writing what was filled fails with EBADF, as it would have, and so does opening
    /// it again by a name such as `/dev/stdin`: no body is taken for empty, and none is thrown
    /// away, in silence.
    static func fill() {
        for descriptor in CInt(0)...2 where fcntl(descriptor, F_GETFD) < 0 && errno == EBADF {
            // The lowest free number is the one wanted.
            let filled = linux_open_placeholder()
            guard filled == descriptor else {
                if filled >= 0 { close(filled) }
                continue
            }
        }
    }
}
