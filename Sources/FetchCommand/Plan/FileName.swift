/// Names of files.
enum FileName {
    /// What follows the last slash.
    static func lastComponent(ofPath path: String) -> String {
        path[...].split(atLast: UInt8(ascii: "/")).map { String($0.after) } ?? path
    }
}
