import Glibc

/// Descriptors 0, 1 and 2 as they are when the program starts.
enum StandardDescriptors {
    /// Fills those that are closed, so that no file or socket of ours gets one of their numbers and
    /// is then written to as standard output.
    ///
    /// Standard input becomes one that is at its end; writing to a filled standard output fails
    /// with EBADF, as it would have: a body that nobody can get is not thrown away in silence.
    static func fill() {
        for descriptor in CInt(0)...2 where fcntl(descriptor, F_GETFD) < 0 && errno == EBADF {
            // The lowest free number is the one wanted. Reading only: see above.
            let filled = open("/dev/null", O_RDONLY)
            guard filled == descriptor else {
                if filled >= 0 { close(filled) }
                continue
            }
        }
    }
}
