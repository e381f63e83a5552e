/// The system's folder for temporary files.
enum TemporaryFolder {
    /// `TMPDIR` where it is an absolute path, else `/tmp`.
    static var path: String {
        guard let named = Environment.value(of: "TMPDIR"),
            named.startsWithBytes(of: "/")
        else {
            return "/tmp"
        }
        return named
    }
}
