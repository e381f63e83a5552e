/// The system's folder for temporary files.
enum TemporaryFolder {
    /// `TMPDIR` where it is an absolute path, else `/tmp`.
    static var path: String {
        let named = Environment.value(of: "TMPDIR")
        return named.flatMap { $0.startsWithBytes(of: "/") ? $0 : nil } ?? "/tmp"
    }
}
