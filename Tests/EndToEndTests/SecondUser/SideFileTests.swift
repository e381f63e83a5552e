import Foundation
import TestSupport
import Testing

/// Other files of a run than the body, with files that another user has planted.
@Suite(
    "Planted files in the way of what a run writes besides the body",
    .secondUser,
    .timeLimit(.minutes(3))
)
struct SideFileTests {
    private static let foreign: [Planted] = [
        .theirFile, .theirLinkToVictim, .theirLinkOutside, .theirLinkToTheirs, .theirLinkToNowhere,
        .theirFIFO, .theirSocket, .theirFolder, .hardLinkOfVictim,
    ]

    @Test(
        "fetch does not write to another user's file, in a folder that others can write to",
        arguments: [TestAccount.root, .user],
        [SharedFolder.group, .sticky, .world]
    )
    func foreign(user: TestAccount, kind: SharedFolder) async throws {
        let server = try SideFile.server()
        for side in SideFile.allCases {
            for planted in Self.foreign {
                let scene = try SecondUserScene(kind, user)
                try planted.plant(at: SideFile.name, in: scene)
                let before = scene.entries()
                let flags = O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC
                let reader =
                    planted == .theirFIFO ? open(scene.folder.path(SideFile.name), flags) : -1
                defer { if reader >= 0 { close(reader) } }
                let result = try await side.run(in: scene, server)
                let name = "\(side) onto \(planted)"
                var bytes = [UInt8](repeating: 0, count: 1)
                if reader >= 0 { #expect(read(reader, &bytes, 1) <= 0, "\(name)") }
                var after = scene.entries()
                after["out"] = nil
                // A new file in place of the second name leaves the first name's file unchanged.
                let changes = SceneChanges(from: before, to: after)
                let isReplaced = planted == .hardLinkOfVictim && changes.changed == ["side"]
                #expect(changes.isEmpty || isReplaced, "\(name): \(changes)\n\(result)")
                // The server's error status is graver, and a message reports the refusal as well.
                let isSaid = side == .errorBody && result.stderr.contains("side")
                #expect(isReplaced || isSaid || result.status != side.status, "\(name): \(result)")
            }
        }
    }

    @Test(
        "another user's FIFO without a reader does not block a run",
        arguments: [TestAccount.root, .user]
    )
    func unread(user: TestAccount) async throws {
        let server = try SideFile.server()
        for side in SideFile.allCases {
            let scene = try SecondUserScene(.sticky, user)
            try Planted.theirFIFO.plant(at: SideFile.name, in: scene)
            let result = try await side.run(in: scene, server)
            #expect(result.status != side.status || side == .errorBody, "\(side): \(result)")
        }
        let scene = try SecondUserScene(.sticky, user)
        try Planted.theirFIFO.plant(at: "out", in: scene)
        let result = try await scene.fetch("-O", "out", server.url())
        #expect(result.status == 3, "\(result)")
    }

    @Test(
        "a new file belongs to the user, and is private where it describes the transfer",
        arguments: [TestAccount.root, .user],
        SharedFolder.allCases
    )
    func new(user: TestAccount, kind: SharedFolder) async throws {
        let server = try SideFile.server()
        for side in SideFile.allCases {
            let scene = try SecondUserScene(kind, user)
            let result = try await side.run(in: scene, server)
            #expect(result.status == side.status, "\(side): \(result)")
            let file = try #require(FileEntry(scene.folder.path(SideFile.name)), "\(side)")
            #expect(file.user == user.user, "\(side)")
            #expect(file.mode == (side.isPrivate ? 0o600 : 0o644), "\(side): \(file)")
            #expect(Set(scene.folder.names()).isSubset(of: ["out", "side", "victim"]), "\(side)")
        }
    }

    @Test(
        "fetch writes to the user's own file, and makes cookies private where others can write",
        arguments: [TestAccount.root, .user],
        SharedFolder.allCases
    )
    func own(user: TestAccount, kind: SharedFolder) async throws {
        let server = try SideFile.server()
        for side in SideFile.allCases {
            let scene = try SecondUserScene(kind, user)
            let old = SecondUserScene.text("mine")
            try scene.folder.plant(.file(old, mode: 0o644), at: SideFile.name, of: user)
            let result = try await side.run(in: scene, server)
            #expect(result.status == side.status, "\(side): \(result)")
            let file = try #require(FileEntry(scene.folder.path(SideFile.name)), "\(side)")
            #expect(file.user == user.user, "\(side)")
            #expect(file.content != Array(old.utf8), "\(side)")
            if side == .saveCookies { #expect(file.mode == (kind.isShared ? 0o600 : 0o644)) }
        }
    }

    @Test(
        "fetch follows the user's own link in the user's own folder",
        arguments: [TestAccount.root, .user]
    )
    func ownLink(user: TestAccount) async throws {
        let server = try SideFile.server()
        for side in SideFile.allCases {
            let scene = try SecondUserScene(.own, user)
            try Planted.ownLinkOutside.plant(at: SideFile.name, in: scene)
            let before = scene.entries()
            let result = try await side.run(in: scene, server)
            #expect(result.status == side.status, "\(side): \(result)")
            let changes = SceneChanges(from: before, to: scene.entries())
            #expect(changes.changed == ["outside/victim"], "\(side): \(changes)")
        }
    }
}
