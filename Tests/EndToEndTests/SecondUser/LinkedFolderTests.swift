import TestSupport
import Testing

/// A link on the way to the file's folder.
@Suite("A folder that is reached by a link", .secondUser, .timeLimit(.minutes(1)))
struct LinkedFolderTests {
    private static let flags = [
        ["-O", "way/new"], ["-P", "way"], ["-c", "-O", "way/new"], ["-N", "-P", "way"],
        ["-O", "-", "--har", "way/new"], ["-O", "-", "--dump-header", "way/new"],
        ["-O", "-", "--events", "json", "--events-file", "way/new"],
        ["-O", "-", "--save-cookies", "way/new"],
    ]

    private func run(
        _ scene: SecondUserScene,
        _ flags: [String],
        _ server: SocketServer
    ) async throws -> ProcessResult {
        try await scene.command(["-t", "1"] + flags + [server.url("/new")]).run()
    }

    @Test(
        "T-07 another user's link to a folder is not followed where others can write",
        arguments: [TestAccount.root, .user],
        [SharedFolder.group, .sticky, .world]
    )
    func foreign(user: TestAccount, kind: SharedFolder) async throws {
        let server = try SideFile.server()
        for flags in Self.flags {
            let scene = try SecondUserScene(kind, user)
            try scene.folder.plant(.link(to: scene.outside.path), at: "way", of: .other)
            let before = scene.entries()
            let result = try await run(scene, flags, server)
            #expect(result.status == 3, "\(flags): \(result)")
            let changes = SceneChanges(from: before, to: scene.entries())
            #expect(changes.isEmpty, "\(flags): \(changes)\n\(result)")
        }
    }

    @Test(
        "a link of the user's own, or of the folder's owner's, is followed",
        arguments: [TestAccount.root, .user],
        SharedFolder.allCases
    )
    func own(user: TestAccount, kind: SharedFolder) async throws {
        let server = try SideFile.server()
        for flags in Self.flags {
            for owner in kind.isShared ? [user, .root] : [user] {
                let scene = try SecondUserScene(kind, user)
                try scene.folder.plant(.link(to: scene.outside.path), at: "way", of: owner)
                let before = scene.entries()
                let result = try await run(scene, flags, server)
                #expect(result.status == 0, "\(flags): \(result)")
                let changes = SceneChanges(from: before, to: scene.entries())
                #expect(changes.added == ["outside/new"], "\(flags): \(changes)")
                #expect(changes.changed.isEmpty && changes.removed.isEmpty, "\(flags): \(changes)")
            }
        }
    }
}
