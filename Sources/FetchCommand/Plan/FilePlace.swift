import Glibc

/// Which file a path or a descriptor leads to, whatever it is called there.
///
/// Nothing is opened or changed. Of a file that is not there yet it is the folder and the name.
struct FilePlace: Hashable, Sendable {
    private let device: dev_t
    private let inode: ino_t
    /// Nil where the numbers are the file's own, and not its folder's.
    private let name: String?
    /// `S_IFREG` and so on.
    let kind: mode_t

    /// The file that would be opened, or made; nil where there is no such folder.
    ///
    /// - Parameters:
    ///   - path: its name.
    ///   - followsLink: whether a symbolic link stands for what it leads to.
    init?(_ path: String, followsLink: Bool = true) {
        var status = stat()
        if (followsLink ? stat(path, &status) : lstat(path, &status)) == 0 {
            self.init(status, name: nil)
            return
        }
        let split = path[...].split(atLast: UInt8(ascii: "/"))
        let folder = split.map { $0.before.isEmpty ? "/" : String($0.before) } ?? "."
        guard stat(folder, &status) == 0 else { return nil }
        self.init(status, name: FileName.lastComponent(ofPath: path))
    }

    /// What stands at a path, be it a link; nil where nothing does.
    init?(ofFile path: String) {
        var status = stat()
        guard lstat(path, &status) == 0 else { return nil }
        self.init(status, name: nil)
    }

    /// What a descriptor is open for; nil where it is not open.
    init?(descriptor: CInt) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return nil }
        self.init(status, name: nil)
    }

    private init(_ status: stat, name: String?) {
        device = status.st_dev
        inode = status.st_ino
        self.name = name
        kind = name == nil ? status.st_mode & S_IFMT : S_IFREG
    }

    /// Whether what two write there gets mixed up: not at a terminal, where somebody looks at both,
    /// and not in `/dev/null`.
    var keepsWhatIsWritten: Bool { kind != S_IFCHR }

    /// Whether what is written there comes out again where it is read; a socket's two directions
    /// are apart.
    var givesWhatIsWritten: Bool { keepsWhatIsWritten && kind != S_IFSOCK }
}
