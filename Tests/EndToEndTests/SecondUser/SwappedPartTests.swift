import Foundation
import TestSupport
import Testing

/// Another user replaces the part during the download.
///
/// In a folder that is not sticky every user with write access may do so.
@Suite("A part that another user replaces", .secondUser, .timeLimit(.minutes(2)))
struct SwappedPartTests {
    @Test(
        "T-07 a replaced part never becomes the file",
        arguments: [TestAccount.root, .user],
        [Planted.theirFile, .theirLinkToVictim, .theirLinkOutside, .theirFIFO, .hardLinkOfVictim]
    )
    func swapped(user: TestAccount, planted: Planted) async throws {
        let body = PseudoRandom.bytes(40_000)
        for flags in [["-O", "name"], [], ["-N"], ["--split", "2", "-O", "name"]] {
            for kind in [SharedFolder.group, .world] {
                let gate = Gate()
                var file = ServedFile(body)
                file.hold = (after: 20_000, gate)
                let server = try SocketServer { [file] in try file.serve($0) }
                let scene = try SecondUserScene(kind, user)
                let command = try scene.command(["-t", "1"] + flags + [server.url("/name")])
                let process = try command.start()
                #expect(await eventually { scene.folder.size("name.part") ?? 0 > 0 })
                unlink(scene.folder.path("name.part"))
                try planted.plant(at: "name.part", in: scene)
                let before = scene.entries()
                gate.open()
                let result = try await process.wait()
                let after = scene.entries()
                let words = "\(user) in \(kind), \(flags), \(planted): \(result)"
                let changes = SceneChanges(from: before, to: after)
                #expect(changes.changed.isEmpty, "\(words)\n\(changes)")
                #expect(changes.removed.isSubset(of: ["name.part", "name.part.resume"]))
                if let made = after["name"] {
                    #expect(result.status == 0, "\(words)")
                    #expect(made.kind == S_IFREG && made.user == user.user, "\(words)\n\(made)")
                    #expect(made.mode == 0o644 && made.names == 1, "\(words)\n\(made)")
                    #expect(isSameBytes(made.content, body), "\(words)")
                } else {
                    #expect(result.status == 3, "\(words)")
                }
            }
        }
    }
}
