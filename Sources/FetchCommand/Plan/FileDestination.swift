/// A file to be, in a folder.
struct FileDestination: Equatable, Sendable {
    /// What happens to a file that has the name already.
    enum IfExists: Sendable {
        /// It is replaced once the new body is whole: the user named it.
        case replace
        /// It stays, and the new one is called NAME.1, NAME.2 and so on: a server named it.
        case number
        /// It stays, and there is no new one: `--no-clobber` asks for that.
        case keep
    }

    /// `.` or a path; never empty.
    let folder: String
    /// Holds no slash.
    var name: String
    var ifExists: IfExists
    /// Whether the folder is made if it is missing: `-P`, `--create-dirs` and the like ask for that.
    let makesFolder: Bool
    /// Whether what there is of it already is continued.
    var continues = false
    /// Whether it is replaced only by what the server has changed.
    var isTimestamped = false
    /// The regular file that had the name when the command line was read.
    var old: FilePlace?
    /// Whether an answer may name it: `--content-disposition` asks for that.
    var isNamedByServer = false

    /// As a user would write it: `./` is left out.
    var path: String {
        switch folder {
        case ".": name
        case _ where folder.utf8.last == UInt8(ascii: "/"): folder + name
        default: "\(folder)/\(name)"
        }
    }
}
