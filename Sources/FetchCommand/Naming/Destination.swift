import SystemPackage
import URLLoading

/// Where a body goes.
///
/// Indirect, because it is asked often: a copy is a reference.
indirect enum Destination: Equatable, Sendable {
    case standardOutput
    /// To standard output, or to a file as a download, depending on the response.
    case automatic(FileDestination)
    /// To a file, whole or not at all.
    case file(FileDestination)
    /// To what is not a regular file, such as `/dev/null` or a pipe: opened and written, never replaced.
    case device(path: String)
}

extension Destination {
    /// Where `-O` says.
    ///
    /// Examines the existing file, and changes nothing.
    static func named(
        _ output: OutputName,
        continues: Bool,
        isTimestamped: Bool = false,
        ifExists: FileDestination.IfExists = .replace,
        below folder: String? = nil,
        makesFolders: Bool = false
    ) throws(PlanError) -> Destination {
        guard case .path(let name) = output else { return .standardOutput }
        let path =
            name.utf8.first == UInt8(ascii: "/") ? name : folder.map { "\($0)/\(name)" } ?? name
        if ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"].contains(path) {
            return .standardOutput
        }
        // Descriptors of ours: a regular file behind one must not be replaced by rename.
        if path.hasPrefix("/dev/fd/") || path.hasPrefix("/proc/self/fd/") || path == "/dev/stderr" {
            return .device(path: path)
        }
        let target: String?
        do throws(FileFailure) {
            target = try FileFacts.target(of: path)
        } catch {
            throw .file(error)
        }
        switch (try? FileFacts(path: target ?? path))?.kind {
        case .directory:
            throw .file(FileFailure(path: path, reason: .isDirectory))
        case .other:
            return .device(path: path)
        case .regular, nil:
            // A link is followed, as by a shell's redirection, and is kept. A broken link is
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
    }

    /// Under the address's own name, in `-P DIR` or here.
    static func derived(from address: WebAddress, _ options: Options) -> Destination {
        var file = own(of: address, options)
        guard file.ifExists != .keep else { return .file(file) }
        guard options.continues || options.timestamping || file.ifExists == .replace else {
            return .file(file)
        }
        let isThere = FileFacts.exists(file.path)
        // An existing file is continued, or replaced once the new one is complete.
        if isThere {
            file = FileDestination(at: file.path, .replace, continues: options.continues)
        }
        guard options.timestamping else { return .file(file) }
        file.ifExists = .replace
        file.isTimestamped = true
        return .file(file)
    }

    /// The file of an address's own name, in `-P DIR` or here.
    static func own(of address: WebAddress, _ options: Options) -> FileDestination {
        let folder = options.directory ?? options.outputFolder
        let below = options.forcesFolders ? FileName.folders(of: address, options) : []
        return FileDestination(
            folder: below.isEmpty
                ? folder ?? "."
                : ((folder.map { [$0] } ?? []) + below)
                    .joined(separator: "/"),
            name: FileName.from(address),
            ifExists: options.noClobber ? .keep : options.replacesOwnNames ? .replace : .number,
            makesFolder: folder != nil || options.forcesFolders,
            continues: options.continues,
            isNamedByServer: options.contentDisposition
        )
    }
}

extension FileDestination {
    /// A file of this path, which may be there.
    fileprivate init(
        at path: String,
        _ ifExists: IfExists,
        continues: Bool,
        makesFolder: Bool = false
    ) {
        let split = path[...].split(atLast: UInt8(ascii: "/"))
        self.init(
            folder: split.map { $0.before.isEmpty ? "/" : String($0.before) } ?? ".",
            name: FileName.lastComponent(ofPath: path),
            ifExists: ifExists,
            makesFolder: makesFolder,
            continues: continues
        )
        if FileFacts.isFile(path) { old = FilePlace(ofFile: path) }
    }
}

/// A file to be, in a folder.
struct FileDestination: Equatable, Sendable {
    /// What happens to an existing file.
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
    /// Whether an existing part is continued.
    var continues = false
    /// Whether it is replaced only by what the server has changed.
    var isTimestamped = false
    /// The regular file that had the name when the command line was read.
    var old: FilePlace?
    /// Whether a response may name it: `--content-disposition` asks for that.
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

/// What `-O` names.
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
}
