import FoundationEssentials
import Glibc

/// The folder of one background session: its lock, its journal, and its files.
struct BackgroundFolder: ~Copyable {
    /// Where what tasks have received is, until it is taken away.
    static let filesName = "files"
    /// Where parts are for which programs have resume data, beside the folders of all sessions: no
    /// session's folder is called so.
    private static let partsName = ".parts"

    /// The folder of parts for which programs have resume data.
    ///
    /// - Parameter root: where the folders of all sessions are.
    /// - Returns: its absolute path.
    static func partsPath(in root: String) -> String { "\(root)/\(partsName)" }

    /// Where what sessions' commands have said is, beside the folders of all sessions: it is there when a
    /// session has told all, and is gone.
    private static let logsName = ".logs"

    /// The log of a session's command.
    static func commandLogPath(_ identifier: BackgroundIdentifier, in root: String) -> String {
        "\(root)/\(logsName)/\(identifier.folderName).log"
    }

    /// How long a log is kept after its last line, seconds.
    private static let maximumLogAge = 30 * 24 * 3_600

    /// The log of the session's command, for which there is a folder then; logs that are older than 30
    /// days are removed.
    func makeCommandLog() -> String? {
        let root = String(path.dropLast(identifier.folderName.count + 1))
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

    /// Whose it is.
    let identifier: BackgroundIdentifier
    /// Its absolute path.
    let path: String
    let folder: PrivateFolder

    /// Where the folders of all sessions are; `nil` where the environment names no place.
    static func root(_ folders: UserFolders = UserFolders()) -> String? {
        folders.state.map { $0 + "/background" }
    }

    /// Opens a session's folder; `nil` where it is not there.
    ///
    /// - Parameters:
    ///   - identifier: the session.
    ///   - root: where all of them are, an absolute path.
    ///   - makes: whether it is made where it is not there, mode 0700, with those above it.
    /// - Throws: `file` where others could change it, or it cannot be made.
    init?(
        _ identifier: BackgroundIdentifier,
        in root: String,
        makes: Bool
    ) throws(BackgroundError) {
        let path = "\(root)/\(identifier.folderName)"
        do throws(PrivateFileError) {
            // Another user who may write there could put another in its place.
            guard try PrivateFolder(root, makes: makes) != nil,
                let folder = try PrivateFolder(path, makes: makes)
            else { return nil }
            self.folder = folder
        } catch {
            throw .file(error)
        }
        self.identifier = identifier
        self.path = path
    }

    /// The folder of parts for which programs have resume data.
    var partsPath: String {
        Self.partsPath(in: String(path.dropLast(identifier.folderName.count + 1)))
    }

    /// The folder for what tasks receive.
    var filesPath: String { "\(path)/\(Self.filesName)" }

    /// Makes the folder for what tasks receive; by the lock's holder, since ``remove()`` removes
    /// it.
    func makeFilesFolder() throws(BackgroundError) {
        do throws(PrivateFileError) {
            _ = try PrivateFolder(filesPath, makes: true)
        } catch {
            throw .file(error)
        }
    }

    /// The names of all folders in which there are, or were, sessions, sorted.
    ///
    /// The identifier of one stands at the beginning of its journal.
    static func names(in root: String) -> [String] {
        FolderListing.names(root).filter { ![partsName, logsName].contains($0) }.sorted()
    }

    /// Removes what tasks have received that no task knows of, as after a crash between the two.
    ///
    /// Also how the files of tasks are removed that are not known any more.
    ///
    /// - Parameter isKnown: whether there is such a task.
    func sweep(keeping isKnown: (Int) -> Bool) {
        for name in FolderListing.names(filesPath) where !Self.task(of: name).map(isKnown).isTrue {
            unlink("\(filesPath)/\(name)")
        }
    }

    /// Where the file is that a task sends, if it was copied.
    func bodyPath(of task: Int) -> String { "\(filesPath)/\(task).body" }

    /// Removes what a task has there; by the lock's holder.
    func removeFiles(of task: Int) {
        for name in FolderListing.names(filesPath) where Self.task(of: name) == task {
            unlink("\(filesPath)/\(name)")
        }
    }

    /// Whose a file is, by its name: digits up to the first point.
    static func task(of name: String) -> Int? {
        let digits = name.prefix { $0 != "." }
        guard digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return Int(digits)
    }

    /// Removes all of it, where nothing is left to be told; the lock, which must be held, last.
    ///
    /// A process that has opened the folder before, and waits for the lock, finds that neither can
    /// be used, and begins at the root again.
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

extension Bool? {
    fileprivate var isTrue: Bool { self == true }
}
