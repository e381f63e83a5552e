import Foundation
import TestSupport
import Testing

/// Files of other users, and downloads that outlive the command.
@Suite("Files of other users and background downloads", .secondUser, .timeLimit(.minutes(2)))
struct BackgroundPlantedTests {
    @Test(
        "B-01 a file that another user creates meanwhile determines neither owner nor mode",
        arguments: [TestAccount.root, .user],
        [Planted.theirFile, .theirLinkOutside, .theirFIFO]
    )
    func coming(user: TestAccount, planted: Planted) async throws {
        for flags in [["-O", "name"], []] {
            let gate = Gate()
            let body = PseudoRandom.bytes(40_000)
            var file = ServedFile(body)
            file.hold = (after: 20_000, gate)
            let server = try SocketServer { [file] in try file.serve($0) }
            let scene = try SecondUserScene(.sticky, user)
            let session = try BackgroundFixture(in: scene.folder, as: user)
            let begin = ["-b", "--no-discretionary", "--identifier", session.session]
            let queued = try await session.fetch(begin + flags + [server.url("/name")])
            try #require(queued.status == 0, "\(queued)")
            #expect(await eventually { server.requestCount > 0 })
            try? planted.plant(at: "name", in: scene)
            // The received part of the body has a hidden name there.
            let before = scene.entries().filter { !$0.key.hasPrefix(".fetch-") }
            gate.open()
            let attached = try await session.fetch(["--attach", session.session])
            let left = scene.entries()
            var after = left.filter { !$0.key.hasPrefix(".fetch-") }
            let words = "\(user), \(flags), \(planted): \(attached)"
            if let made = after["name.1"], flags.isEmpty {
                #expect(made.user == user.user && made.mode == 0o644, "\(words)\n\(made)")
                #expect(isSameBytes(made.content, body), "\(words)")
                #expect(left.count == after.count, "\(words)")
                after["name.1"] = nil
            } else {
                #expect(attached.status == 3, "\(words)")
            }
            let changes = SceneChanges(from: before, to: after)
            #expect(changes.isEmpty, "\(words)\n\(changes)")
        }
    }

    @Test(
        "B-01 a background download neither follows nor replaces another user's existing file",
        arguments: [TestAccount.root, .user],
        [Planted.theirFile, .theirLinkToVictim, .theirLinkToNowhere, .theirFIFO]
    )
    func existing(user: TestAccount, planted: Planted) async throws {
        let server = try SocketServer { try ServedFile([1, 2, 3]).serve($0) }
        let scene = try SecondUserScene(.sticky, user)
        let session = try BackgroundFixture(in: scene.folder, as: user)
        try planted.plant(at: "name", in: scene)
        let before = scene.entries()
        let result = try await session.queue("-O", "name", server.url("/name"))
        // A FIFO is no regular file, for which a session has another status.
        let isRefused = result.status == 3 || planted == .theirFIFO && result.status == 2
        #expect(isRefused, "\(result)")
        #expect(!server.wasCalled)
        #expect(SceneChanges(from: before, to: scene.entries()).isEmpty)
    }

    @Test("B-01 a background download replaces a file that its owner must not read")
    func unreadable() async throws {
        let server = try SocketServer { try ServedFile([1, 2, 3]).serve($0) }
        let scene = try SecondUserScene(.own, .user)
        let session = try BackgroundFixture(in: scene.folder, as: .user)
        try scene.folder.plant(.file("old", mode: 0o200), at: "name", of: .user)
        let queued = try await session.queue("-O", "name", server.url("/name"))
        #expect(queued.status == 0, "\(queued)")
        let attached = try await session.fetch(["--attach", session.session])
        #expect(attached.status == 0, "\(attached)")
        #expect(scene.folder.read("name") == [1, 2, 3])
        try server.verify()
    }
}
