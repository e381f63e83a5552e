import FoundationEssentials

/// A persistent session of the command, with its own cookies, cache and stored credentials.
///
/// Cookies and credentials are in `fetch/sessions/NAME` in `XDG_STATE_HOME`, responses in the same path in
/// `XDG_CACHE_HOME`. The first write creates both folders, with mode 0700.
package struct NamedSession: Equatable, Sendable {
    /// The longest name, bytes.
    package static let maximumNameLength = 64

    package let name: String
    private let folders: Folders

    private struct Folders: Equatable, Sendable {
        let state: String
        let cache: String

        /// `nil` where the environment names neither a folder nor a home.
        init?(_ folders: UserFolders) {
            guard let state = folders.state, let cache = folders.cache ?? folders.state else {
                return nil
            }
            self.state = "\(state)/sessions"
            self.cache = "\(cache)/sessions"
        }

        var all: [String] { [state, cache] }
    }

    /// Creates a session; `nil` where the name is invalid, or the environment names no folder.
    ///
    /// A name has ASCII letters, digits, `-`, `_` and `.`, and begins with a letter or a digit, so that
    /// it is also a valid folder name.
    package init?(_ name: String, folders: UserFolders = UserFolders()) {
        guard Self.isName(name), let folders = Folders(folders) else { return nil }
        self.name = name
        self.folders = folders
    }

    /// Whether the environment names a folder for sessions.
    package static var isPossible: Bool { Folders(UserFolders()) != nil }

    private static func isName(_ name: String) -> Bool {
        guard let first = name.utf8.first, name.utf8.count <= maximumNameLength else {
            return false
        }
        return first.isAlphanumeric
            && name.utf8.allSatisfy { $0.isAlphanumeric || "-_.".utf8.contains($0) }
    }

    /// The existing sessions, in the order of their names.
    package static func all(folders: UserFolders = UserFolders()) -> [NamedSession] {
        let names = Folders(folders)?.all.flatMap(FolderListing.names) ?? []
        return Set(names).sorted().compactMap { NamedSession($0, folders: folders) }
    }

    /// Whether the session has stored anything.
    package var exists: Bool {
        folders.all.contains(where: hasFolder)
    }

    private func hasFolder(_ root: String) -> Bool {
        FolderListing.names(root).contains { $0.utf8.elementsEqual(name.utf8) }
    }

    /// The session's cookies, including session cookies, because a named session does not end.
    package func cookieStorage() -> HTTPCookieStorage {
        guard let file = SharedFile("\(folders.state)/\(name)/cookies.txt", owner: .library) else {
            return HTTPCookieStorage()
        }
        return HTTPCookieStorage(.file(file, isRead: true, keepsSessionCookies: true))
    }

    package func cache() -> URLCache {
        URLCache(
            memoryCapacity: 4 << 20,
            diskCapacity: 512 << 20,
            directory: URL(filePath: "\(folders.cache)/\(name)/answers")
        )
    }

    /// The session's users and passwords.
    package func credentialStore() -> CredentialFile? {
        CredentialFile(path: "\(folders.state)/\(name)/credentials")
    }

    /// Removes all stored state of the session.
    ///
    /// Throws `PrivateFileError` if others could have changed the folder, or the removal fails.
    package func remove() throws(PrivateFileError) {
        for root in folders.all {
            guard let folder = try PrivateFolder(root, makes: false), hasFolder(root) else {
                continue
            }
            let path = "\(folder.path)/\(name)"
            do {
                // It removes a link, but not the link's target.
                try FileManager.default.removeItem(atPath: path)
            } catch {
                throw .failed(path: path, reason: "it cannot be removed: \(error)")
            }
        }
    }
}
