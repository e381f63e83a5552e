import Glibc

/// Descriptors 0, 1 and 2 as they are when the program starts.
enum StandardDescriptors {
    /// Fills those that are closed, so that no file or socket of ours gets one of their numbers and
    /// is then written to as standard output.
    ///
    /// Reading a filled standard input and writing to a filled standard output fail with EBADF, as
    /// they would have: no body is taken for empty, and none is thrown away, in silence.
    static func fill() {
        for descriptor in CInt(0)...2 where fcntl(descriptor, F_GETFD) < 0 && errno == EBADF {
            // The lowest free number is the one wanted. The wrong direction: see above.
            let filled = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
            guard filled == descriptor else {
                if filled >= 0 { close(filled) }
                continue
            }
        }
    }
}
