import FoundationEssentials

/// A session of the command that lasts: its cookies, its cache and its kept credentials, in folders
/// of its own.
///
/// Cookies and credentials are in `fetch/sessions/NAME` in `XDG_STATE_HOME`, responses in the same
/// in `XDG_CACHE_HOME`. Both folders are made with the first thing that is kept, mode 0700.
package struct NamedSession: Equatable, Sendable {
    /// The longest name, bytes.
    package static let longestName = 64

    package let name: String
    private let folders: Folders

    /// What the environment says.
    private struct Folders: Equatable, Sendable {
        let state: String
        let cache: String

        /// `nil` where it names neither a folder nor a home.
        init?(_ folders: UserFolders) {
            guard let state = folders.state, let cache = folders.cache ?? folders.state else {
                return nil
            }
            self.state = "\(state)/sessions"
            self.cache = "\(cache)/sessions"
        }

        var all: [String] { [state, cache] }
    }

    /// Names a session; `nil` where the name is invalid, or there is no folder for it.
    ///
    /// A name has ASCII letters, digits, `-`, `_` and `.`, and begins with a letter or a digit, so
    /// that it can be the name of a folder unchanged.
    package init?(_ name: String, folders: UserFolders = UserFolders()) {
        guard Self.isName(name), let folders = Folders(folders) else { return nil }
        self.name = name
        self.folders = folders
    }

    /// Whether there is a folder to keep sessions in.
    package static var isPossible: Bool { Folders(UserFolders()) != nil }

    private static func isName(_ name: String) -> Bool {
        guard let first = name.utf8.first, name.utf8.count <= longestName else { return false }
        return first.isAlphanumeric
            && name.utf8.allSatisfy { $0.isAlphanumeric || "-_.".utf8.contains($0) }
    }

    /// The sessions that there are, in the order of their names.
    package static func all(folders: UserFolders = UserFolders()) -> [NamedSession] {
        let names = Folders(folders)?.all.flatMap(FolderListing.names) ?? []
        return Set(names).sorted().compactMap { NamedSession($0, folders: folders) }
    }

    /// Whether anything is kept of it.
    package var isThere: Bool {
        folders.all.contains(where: holds)
    }

    private func holds(_ root: String) -> Bool {
        FolderListing.names(root).contains { $0.utf8.elementsEqual(name.utf8) }
    }

    /// Its cookies, also those that have no end: neither has the session.
    package func cookieStorage() -> HTTPCookieStorage {
        guard let file = SharedFile("\(folders.state)/\(name)/cookies.txt", owner: .library) else {
            return HTTPCookieStorage()
        }
        return HTTPCookieStorage(.file(file, isRead: true, keepsSessionCookies: true))
    }

    /// Its responses.
    package func cache() -> URLCache {
        URLCache(
            memoryCapacity: 4 << 20,
            diskCapacity: 512 << 20,
            directory: URL(filePath: "\(folders.cache)/\(name)/answers")
        )
    }

    /// Its users and passwords.
    package func credentialStore() -> CredentialFile? {
        CredentialFile(path: "\(folders.state)/\(name)/credentials")
    }

    /// Removes all that is kept of it.
    ///
    /// Throws `PrivateFileError` where others could have changed the folder, or it cannot be removed.
    package func remove() throws(PrivateFileError) {
        for root in folders.all {
            guard let folder = try PrivateFolder(root, makes: false), holds(root) else { continue }
            let path = "\(folder.path)/\(name)"
            do {
                // A link is removed, and not what it leads to.
                try FileManager.default.removeItem(atPath: path)
            } catch {
                throw .failed(path: path, reason: "it cannot be removed: \(error)")
            }
        }
    }
}
