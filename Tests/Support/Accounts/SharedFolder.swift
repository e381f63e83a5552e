import Foundation

/// In what kind of folder `fetch` runs, by which other users may write there.
public enum SharedFolder: String, CaseIterable, Sendable {
    /// One of the user's own that no other user may write to.
    case own
    /// One that the members of a group share; what is made there has that group.
    case group
    /// One as `/tmp`: root's, for all, and each user may remove only what is the user's own.
    case sticky
    /// One of root's in which every user may do everything.
    case world

    /// Whether another user may write there.
    public var isShared: Bool { self != .own }

    /// The account to which a folder of this kind belongs where `fetch` is run by a user.
    public func owner(_ user: TestAccount) -> TestAccount { self == .own ? user : .root }

    /// Makes one.
    ///
    /// - Parameter user: The account that is going to run `fetch` there.
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
