import Foundation

/// The kinds of folders in which `fetch` runs, by the other users with write access.
public enum SharedFolder: String, CaseIterable, Sendable {
    /// A folder of the user's own that no other user may write to.
    case own
    /// A folder that the members of a group share; new files get that group.
    case group
    /// A folder like `/tmp`: root's, writable by all, and each user may remove only the user's own files.
    case sticky
    /// A folder of root's in which every user may create and remove files.
    case world

    /// Whether another user may write to the folder.
    public var isShared: Bool { self != .own }

    /// The owner of a folder of this kind, where `user` runs `fetch`.
    public func owner(_ user: TestAccount) -> TestAccount { self == .own ? user : .root }

    /// Makes a folder of this kind.
    ///
    /// - Parameter user: The account that will run `fetch` there.
    /// - Returns: The folder.
    /// - Throws: `TestSupportError.system` where this process is not root's.
    public func make(for user: TestAccount) throws -> TemporaryFolder {
        let folder = try TemporaryFolder(rawValue)
        let modes: [SharedFolder: mode_t] = [
            .own: 0o755, .group: 0o2775, .sticky: 0o1777, .world: 0o777,
        ]
        try folder.give(
            to: owner(user),
            group: self == .group ? TestAccount.sharedGroup : nil,
            mode: modes[self] ?? 0o755
        )
        return folder
    }
}
