import FoundationEssentials
import Glibc

/// The folder of one background session: its lock, its journal, and its files.
struct BackgroundFolder: ~Copyable {
    /// The folder of `partsPath(in:)`; no session's folder has this name.
    private static let partsName = ".parts"

    /// The folder of part files for which programs have resume data, beside the sessions' folders.
    static func partsPath(in root: String) -> String { "\(root)/\(partsName)" }

    /// The folder of logs of sessions' commands, beside the sessions' folders: a log outlives its session.
    private static let logsName = ".logs"

    static func commandLogPath(_ identifier: BackgroundIdentifier, in root: String) -> String {
        "\(root)/\(logsName)/\(identifier.folderName).log"
    }

    /// The time for which a log is kept after its last line, seconds.
    private static let maximumLogAge = 30 * 24 * 3_600

    /// Makes the folder of logs, and returns the path of the command's log; logs older than 30 days are
    /// removed.
    func makeCommandLog() -> String? {
        guard let logs = try? PrivateFolder("\(root)/\(Self.logsName)", makes: true) else {
            return nil
        }
        let limit = Int(WallClock.now / 1_000_000) - Self.maximumLogAge
        for name in FolderListing.names(logs.path) {
            let path = logs.place(name)
            if let modified = FileStatus(path)?.modified, modified < limit { unlink(path) }
        }
        return Self.commandLogPath(identifier, in: root)
    }

    let identifier: BackgroundIdentifier
    private let root: String
    let path: String
    let folder: PrivateFolder

    /// The folder of all sessions' folders; `nil` if the environment names none.
    static func root(_ folders: UserFolders = UserFolders()) -> String? {
        folders.state.map { $0 + "/background" }
    }

    /// Opens a session's folder; `nil` if it does not exist.
    init?(
        _ identifier: BackgroundIdentifier,
        in root: String,
        makes: Bool
    ) throws(BackgroundError) {
        let path = "\(root)/\(identifier.folderName)"
        // Another user with write access to the root could replace the session's folder.
        guard try BackgroundError.files(try PrivateFolder(root, makes: makes)) != nil,
            let folder = try BackgroundError.files(try PrivateFolder(path, makes: makes))
        else { return nil }
        self.folder = folder
        self.identifier = identifier
        self.root = root
        self.path = path
    }

    var partsPath: String { Self.partsPath(in: root) }

    /// The folder of received files, until clients take them.
    var filesPath: String { "\(path)/files" }

    /// Makes the folder of received files; the caller must have the lock, because ``remove()`` removes it.
    func makeFilesFolder() throws(BackgroundError) {
        _ = try BackgroundError.files(try PrivateFolder(filesPath, makes: true))
    }

    /// The sorted names of all sessions' folders, also of removed sessions.
    static func names(in root: String) -> [String] {
        FolderListing.names(root).filter { ![partsName, logsName].contains($0) }.sorted()
    }

    /// Removes the files of tasks that do not exist: of finished ones, and of others after a crash.
    func sweep(keeping isKnown: (Int) -> Bool) {
        for name in FolderListing.names(filesPath) where Self.task(of: name).map(isKnown) != true {
            unlink("\(filesPath)/\(name)")
        }
    }

    /// The path for the copy of an upload's file.
    func bodyPath(of task: Int) -> String { "\(filesPath)/\(task).body" }

    /// Removes the files of a task; the caller must have the lock.
    func removeFiles(of task: Int) {
        for name in FolderListing.names(filesPath) where Self.task(of: name) == task {
            unlink("\(filesPath)/\(name)")
        }
    }

    /// The task of a file, by its name: digits up to the first point.
    static func task(of name: String) -> Int? {
        Int(digits: name.prefix { $0 != "." })
    }

    /// Removes the whole folder, last the lock's file; the caller must have the lock.
    ///
    /// A process that has opened the folder before, and waits for the lock, finds both unusable, and begins
    /// at the root again.
    func remove() {
        for name in FolderListing.names(filesPath) { unlink("\(filesPath)/\(name)") }
        rmdir(filesPath)
        for name in FolderListing.names(path) where name != BackgroundLock.name {
            unlink("\(path)/\(name)")
        }
        unlink("\(path)/\(BackgroundLock.name)")
        rmdir(path)
    }
}
