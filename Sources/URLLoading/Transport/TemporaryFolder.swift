import Glibc

/// The system's folder for temporary files.
enum TemporaryFolder {
    /// `TMPDIR` where it is an absolute path, else `/tmp`.
    static var path: String {
        guard let named = getenv("TMPDIR").map({ String(cString: $0) }),
            named.startsWithBytes(of: "/")
        else {
            return "/tmp"
        }
        return named
    }
}
