import Glibc
import TestSupport
import Testing

extension Trait where Self == ConditionTrait {
    /// A test with two users, which only root can run.
    static var secondUser: Self {
        .enabled(
            if: TestAccount.canAct,
            "the tests are not run by root, which alone can act as a second user"
        )
    }
}

/// A folder in which a user runs `fetch` and another user plants files.
///
/// The files around it must not change.
struct SecondUserScene {
    /// The name of the download.
    static let name = "name"

    /// A text that is also an empty cookie file, which `--save-cookies` would replace.
    static func text(_ word: String) -> String { "# Netscape HTTP Cookie File\n# \(word)\n" }

    let user: TestAccount
    let kind: SharedFolder
    /// The folder of the run, with a file `victim` of the user's.
    let folder: TemporaryFolder
    /// A folder of the user's own, with a file `victim`.
    let outside: TemporaryFolder
    /// A folder of the other user's own, with a file `target` that all may write to.
    let theirs: TemporaryFolder
    let home: TemporaryFolder

    init(_ kind: SharedFolder, _ user: TestAccount) throws {
        self.kind = kind
        self.user = user
        folder = try kind.make(for: user)
        outside = try SharedFolder.own.make(for: user)
        theirs = try SharedFolder.own.make(for: .other)
        home = try TemporaryFolder("home")
        for place in [folder, outside] {
            try place.plant(.file(Self.text("precious"), mode: 0o640), at: "victim", of: user)
        }
        try theirs.plant(.file(Self.text("target"), mode: 0o666), at: "target", of: .other)
    }

    /// A run of `fetch` in the folder, by the user.
    func command(_ arguments: [String], mask: mode_t = 0o022) throws -> FetchProcess {
        var process = try FetchProcess(arguments, in: folder, home: home)
        try process.run(as: user, mask: mask)
        return process
    }

    /// Runs `fetch` in the folder, by the user.
    func fetch(_ arguments: String..., mask: mode_t = 0o022) async throws -> ProcessResult {
        try await command(arguments, mask: mask).run()
    }

    /// All entries of the three folders; those of the run's folder have their plain names.
    func entries() -> [String: FileEntry] {
        var all = folder.entries()
        for (label, place) in [("outside", outside), ("theirs", theirs)] {
            for (name, entry) in place.entries() { all["\(label)/\(name)"] = entry }
        }
        return all
    }
}

/// The differences between two states of a scene.
struct SceneChanges: CustomStringConvertible {
    private(set) var added: Set<String> = []
    private(set) var removed: Set<String> = []
    private(set) var changed: Set<String> = []

    init(from before: [String: FileEntry], to after: [String: FileEntry]) {
        for (name, entry) in after {
            switch before[name] {
            case nil: added.insert(name)
            case let old? where old != entry: changed.insert(name)
            default: break
            }
        }
        removed = Set(before.keys.filter { after[$0] == nil })
    }

    /// Whether the states are equal.
    var isEmpty: Bool { added.isEmpty && removed.isEmpty && changed.isEmpty }

    var description: String {
        "added \(added.sorted()), removed \(removed.sorted()), changed \(changed.sorted())"
    }
}
