import SystemPackage
import URLLoading

/// Where a body is written; indirect, because it is copied often.
indirect enum Destination: Equatable, Sendable {
    case standardOutput
    /// Standard output, or a file as a download; the response decides.
    case automatic(FileDestination)
    /// A file, which gets its name only when it is complete.
    case file(FileDestination)
    /// Another kind of file, such as `/dev/null` or a pipe: opened and written to, never replaced.
    case device(path: String)

    /// The file that the body certainly becomes.
    var file: FileDestination? { if case .file(let file) = self { file } else { nil } }

    /// Whether the body goes, or may go, to standard output.
    var mayBeStandardOutput: Bool {
        switch self {
        case .standardOutput, .automatic: true
        case .file, .device: false
        }
    }

    /// `nil` for standard output.
    var path: String? {
        switch self {
        case .standardOutput: nil
        case .automatic(let file), .file(let file): file.path
        case .device(let path): path
        }
    }

    /// The destination of `-O`; examines an existing file, and changes nothing.
    static func named(
        _ output: OutputName,
        continues: Bool = false,
        isTimestamped: Bool = false,
        ifExists: FileDestination.IfExists = .replace,
        below folder: String? = nil,
        makesFolders: Bool = false
    ) throws(UsageError) -> Destination {
        guard case .path(let name) = output else { return .standardOutput }
        let path =
            name.utf8.first == UInt8(ascii: "/") ? name : folder.map { "\($0)/\(name)" } ?? name
        if ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"].contains(path) {
            return .standardOutput
        }
        // A regular file behind a descriptor must not be replaced by rename(2).
        if path.hasPrefix("/dev/fd/") || path.hasPrefix("/proc/self/fd/") || path == "/dev/stderr" {
            return .device(path: path)
        }
        let target = try FileFacts.target(of: path)
        if FileFacts.isFolder(target ?? path) { throw .file(path: path, "is a directory") }
        if FileFacts.isSpecial(target ?? path) { return .device(path: path) }
        // A symbolic link is followed and kept, as in a shell's redirection. A broken link is
        // replaced.
        let isLink = FilePlace(path, followsLink: false) != FilePlace(path)
        let place = (isLink ? target : nil) ?? path
        var file = FileDestination(
            at: place,
            ifExists,
            continues: continues,
            makesFolder: folder != nil || makesFolders
        )
        file.isTimestamped = isTimestamped
        return .file(file)
    }

    /// The file named after the URL, in `-P DIR` or the working directory; 0 is no number.
    static func derived(
        from address: WebAddress,
        _ options: Options,
        numbered number: Int = 0
    ) -> Destination {
        var file = own(of: address, options)
        if number > 0 { file.name += ".\(number)" }
        guard options.reusesNames else { return .file(file) }
        // An existing file is continued, or replaced once the new file is complete.
        if FileFacts.exists(file.path) {
            let below = file.foldersOfURL
            file = FileDestination(at: file.path, .replace, continues: options.continues)
            file.foldersOfURL = below
        }
        guard options.timestamping else { return .file(file) }
        file.ifExists = .replace
        file.isTimestamped = true
        return .file(file)
    }

    /// The file named after the URL, in `-P DIR` or the working directory.
    static func own(of address: WebAddress, _ options: Options) -> FileDestination {
        let folder = options.directory ?? options.outputFolder
        let below = options.forcesFolders ? FileName.folders(of: address, options) : []
        return FileDestination(
            folder: below.isEmpty
                ? folder ?? "."
                : ((folder.map { [$0] } ?? []) + below)
                    .joined(separator: "/"),
            foldersOfURL: below.count,
            name: FileName.from(address),
            ifExists: options.noClobber ? .keep : options.replacesOwnNames ? .replace : .number,
            makesFolder: folder != nil || options.forcesFolders,
            continues: options.continues,
            isNamedByServer: options.contentDisposition,
            isNamedByRedirect: options.trustsRedirects
        )
    }
}

extension FileDestination {
    /// The destination with this path, where a file may exist.
    fileprivate init(
        at path: String,
        _ ifExists: IfExists,
        continues: Bool,
        makesFolder: Bool = false
    ) {
        self.init(
            folder: FolderTrust.folder(of: path),
            name: FileName.lastComponent(ofPath: path),
            ifExists: ifExists,
            makesFolder: makesFolder,
            continues: continues
        )
        if FileFacts.isFile(path) { old = FilePlace(ofFile: path) }
    }
}

/// A file that a download is to create in a folder.
struct FileDestination: Equatable, Sendable {
    enum IfExists: Sendable {
        /// Replace it once the new body is complete, because the user named the file.
        case replace
        /// Keep it, and name the new file NAME.1, NAME.2 and so on, because a server named it.
        case number
        /// Keep it, and fetch nothing: `--no-clobber`.
        case keep
    }

    /// `.` or a path; never empty.
    let folder: String
    /// The number of the folder's last components that come from the URL or a list, not from the user.
    var foldersOfURL = 0
    /// Contains no slash.
    var name: String
    var ifExists: IfExists
    /// Whether a missing folder is created, as with `-P` and `--create-dirs`.
    let makesFolder: Bool
    /// Whether an existing part is continued.
    var continues = false
    /// Whether the file is replaced only if the server's file has changed: `--timestamping`.
    var isTimestamped = false
    /// The regular file that had the name when the command line was parsed.
    var old: FilePlace?
    /// Whether a response may name the file: `--content-disposition` and `--trust-server-names`.
    var isNamedByServer = false
    /// Whether the URL of a response names the file, unless the response itself does.
    var isNamedByRedirect = false

    /// The path as a user would write it, without `./`.
    var path: String {
        switch folder {
        case ".": name
        case _ where folder.utf8.last == UInt8(ascii: "/"): folder + name
        default: "\(folder)/\(name)"
        }
    }
}

/// The value of `-O`.
enum OutputName: Hashable, Sendable {
    /// `-`
    case standardOutput
    case path(String)

    init(_ value: FlagValue) throws(UsageError) {
        let path = try value.path()
        guard path.utf8.last != UInt8(ascii: "/") else {
            throw value.invalid(
                "names a folder",
                hint: "-P DIR saves under the URL's own name in DIR"
            )
        }
        self = path == "-" ? .standardOutput : .path(path)
    }

    var path: String? { if case .path(let path) = self { path } else { nil } }
}
