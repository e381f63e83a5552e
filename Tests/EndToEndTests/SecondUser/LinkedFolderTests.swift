import Glibc
import TestSupport
import Testing

/// A symbolic link on the path of the file's folder.
@Suite("A folder reached through a link", .secondUser, .timeLimit(.minutes(1)))
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
        "T-07 fetch does not follow another user's link to a folder that others can write to",
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

    private static let words = "is a symbolic link of another user, which is not followed"
    private static let byURL = ["--force-directories", "--no-host-directories"]

    @Test(
        "T-07 fetch does not follow such a link in the path of a URL either",
        arguments: [TestAccount.root, .user],
        [SharedFolder.group, .sticky, .world]
    )
    func namedByURL(user: TestAccount, kind: SharedFolder) async throws {
        let server = try SideFile.server()
        for path in ["/way/new", "/way/deep/new"] {
            let scene = try SecondUserScene(kind, user)
            try scene.folder.plant(.link(to: scene.outside.path), at: "way", of: .other)
            let before = scene.entries()
            let command = try scene.command(["-t", "1"] + Self.byURL + [server.url(path)])
            let result = try await command.run()
            #expect(result.status == 3, "\(path): \(result)")
            #expect(result.stderr.contains(Self.words), "\(path): \(result)")
            #expect(SceneChanges(from: before, to: scene.entries()).isEmpty, "\(path)")
        }
        #expect(!server.wasCalled)
    }

    @Test(
        "T-07 fetch makes no file in another user's folder that only the URL names",
        arguments: [TestAccount.root, .user],
        [SharedFolder.group, .sticky, .world]
    )
    func foreignFolder(user: TestAccount, kind: SharedFolder) async throws {
        let server = try SideFile.server()
        for (path, flags) in [
            ("/way/new", []), ("/way/link/new", []), ("/way/new", ["-N"]), ("/way/new", ["-c"]),
            ("/way/new", ["-b", "--identifier", "foreign"]), ("/new", ["-i"]),
        ] {
            let scene = try SecondUserScene(kind, user)
            try scene.folder.plant(.folder, at: "way", of: .other)
            try #require(chmod(scene.folder.path("way"), 0o755) == 0)
            let link = PlantedThing.link(to: scene.outside.path)
            try scene.folder.plant(link, at: "way/link", of: .other)
            let isListed = flags.contains("-i")
            let list = PlantedThing.file("\(server.url(path))\tway/new\n", mode: 0o644)
            try scene.folder.plant(list, at: "list", of: user)
            let before = scene.entries()
            let asked =
                isListed ? ["-i", "list"] : flags + Self.byURL + [server.url(path)]
            let result = try await scene.command(["-t", "1"] + asked).run()
            #expect(result.status == 3, "\(flags) \(path): \(result)")
            #expect(result.stderr.contains("way belongs to another user"), "\(result)")
            #expect(SceneChanges(from: before, to: scene.entries()).isEmpty, "\(flags) \(path)")
        }
        #expect(!server.wasCalled)
    }

    @Test(
        "T-07 fetch does not follow a link that replaces a folder during a request",
        arguments: [TestAccount.root, .user],
        [SharedFolder.group, .world]
    )
    func replaced(user: TestAccount, kind: SharedFolder) async throws {
        for flags in Self.flags[..<5] + [["-b", "--identifier", "session", "-O", "way/new"]] {
            let gate = Gate()
            let server = try SocketServer { connection in
                _ = try connection.readHead()
                try gate.wait()
                try connection.respond(body: "the body")
            }
            let scene = try SecondUserScene(kind, user)
            let way = scene.folder.path("way")
            try scene.folder.plant(.folder, at: "way", of: user)
            try #require(chmod(way, 0o755) == 0)
            let session = try BackgroundFixture(in: scene.folder, as: user)
            let process = try session.command(flags + ["-t", "1", server.url("/new")]).start()
            #expect(await eventually { server.requestCount > 0 || !process.isRunning })
            try #require(rename(way, way + "-old") == 0)
            try scene.folder.plant(.link(to: scene.outside.path), at: "way", of: .other)
            let before = scene.entries()
            gate.open()
            var result = try await process.wait()
            if flags.contains("-b") { result = try await session.fetch(["--attach", "session"]) }
            #expect(result.status == 3, "\(flags): \(result)")
            #expect(result.stderr.contains(Self.words), "\(flags): \(result)")
            let changes = SceneChanges(from: before, to: scene.entries())
            #expect(changes.isEmpty, "\(flags): \(changes)")
        }
    }

    @Test(
        "T-07 fetch does not follow such a link that appears after the start either",
        arguments: [TestAccount.root, .user],
        [SharedFolder.group, .sticky, .world]
    )
    func comingLater(user: TestAccount, kind: SharedFolder) async throws {
        for (flags, path) in [(["-P", "way"], "/new"), (Self.byURL, "/way/deep/new")] {
            let gate = Gate()
            let server = try SocketServer { connection in
                _ = try connection.readHead()
                try gate.wait()
                try connection.respond(body: "the body")
            }
            let scene = try SecondUserScene(kind, user)
            let process = try scene.command(["-t", "1"] + flags + [server.url(path)]).start()
            #expect(await eventually { server.requestCount > 0 || !process.isRunning })
            try scene.folder.plant(.link(to: scene.outside.path), at: "way", of: .other)
            let before = scene.entries()
            gate.open()
            let result = try await process.wait()
            #expect(result.status == 3, "\(flags): \(result)")
            #expect(result.stderr.contains(Self.words), "\(flags): \(result)")
            let changes = SceneChanges(from: before, to: scene.entries())
            #expect(changes.isEmpty, "\(flags): \(changes)")
        }
    }

    @Test(
        "fetch follows a link of the user's own, or of the folder's owner",
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
