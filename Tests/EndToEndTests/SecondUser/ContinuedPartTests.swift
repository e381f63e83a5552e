import Foundation
import TestSupport
import Testing

/// Parts that others have written, with which no download may begin.
@Suite("Parts that -c must not trust", .timeLimit(.minutes(2)))
struct ContinuedPartTests {
    private static let body = PseudoRandom.bytes(200_000)

    /// The body's beginning with one wrong byte at its start, which no comparison reads.
    private static var poison: [UInt8] {
        var bytes = Array(body.prefix(150_000))
        bytes[0] ^= 1
        return bytes
    }

    @Test(
        "T-08 fetch does not continue a part that another user has written",
        .secondUser,
        arguments: ["name", "name.part"],
        SharedFolder.allCases
    )
    func foreign(name: String, kind: SharedFolder) async throws {
        let server = try SocketServer { try ServedFile(Self.body).serve($0) }
        for user in [TestAccount.root, .user] {
            for flags in [["-c", "-O", "name"], ["-c"]] {
                let scene = try SecondUserScene(kind, user)
                try scene.folder.plant(.file("", mode: 0o666), at: name, of: .other)
                let file = try #require(FileHandle(forWritingAtPath: scene.folder.path(name)))
                try file.write(contentsOf: Self.poison)
                try file.close()
                let before = scene.entries()
                let result = try await scene.command(flags + [server.url("/name")]).run()
                #expect(result.status == 3, "\(user), \(flags): \(result)")
                #expect(SceneChanges(from: before, to: scene.entries()).isEmpty)
            }
        }
        #expect(!server.wasCalled || name == "name.part")
    }

    @Test("T-08 fetch does not trust resume data that another user has written", .secondUser)
    func foreignResumeData() async throws {
        var cut = ServedFile(Self.body)
        cut.cutAfter = 150_000
        for user in [TestAccount.root, .user] {
            let scene = try SecondUserScene(.world, user)
            let broken = try SocketServer { [cut] connection in
                guard connection.number > 0 else { return try cut.serve(connection) }
                try ServedFile(Self.body).serve(connection)
            }
            let url = broken.url("/name")
            let first = try await scene.fetch("-t", "1", "-O", "name", url)
            try #require(first.status == 4, "\(first)")
            let part = scene.folder.path("name.part")
            var status = stat()
            try #require(stat(part, &status) == 0 && status.st_size == 150_000)
            // Wrong bytes within the compared range, and a time that hides the write.
            let file = try #require(FileHandle(forUpdatingAtPath: part))
            try file.seek(toOffset: 149_000)
            try file.write(contentsOf: Data(repeating: 7, count: 100))
            try file.close()
            utimensat(AT_FDCWD, part, [status.st_mtim, status.st_mtim], 0)
            let resume = scene.folder.path("name.part.resume")
            try #require(chown(resume, TestAccount.other.user, TestAccount.other.group) == 0)
            let result = try await scene.fetch("-c", "-O", "name", url)
            if result.status == 0 {
                #expect(isSameBytes(scene.folder.read("name"), Self.body), "\(user): \(result)")
            } else {
                #expect(result.status == 3, "\(user): \(result)")
                #expect(!scene.folder.exists("name"))
            }
        }
    }

    @Test(
        "T-08 the file of one URL is not taken for the part of another",
        arguments: ["v.iso.part", "v.iso.part.resume", "v.iso.part.resume~"]
    )
    func poisoned(name: String) async throws {
        let poison = Self.poison
        let server = try SocketServer { connection in
            let isPoison = connection.number == 0
            try ServedFile(isPoison ? poison : Self.body).serve(connection)
        }
        let folder = try TemporaryFolder("poisoned")
        try folder.write(server.url("/\(name)") + "\n", to: "list")
        let first = try await FetchProcess.run("-i", "list", in: folder)
        #expect(first.status == 0, "\(first)")
        #expect(folder.names() == ["list", name + "_"])
        let second = try await FetchProcess.run("-c", server.url("/v.iso"), in: folder)
        #expect(second.status == 0, "\(second)")
        #expect(isSameBytes(folder.read("v.iso"), Self.body))
    }

    @Test("T-07 a file and a file named like its part are two files", arguments: ["1", "2"])
    func twoFiles(jobs: String) async throws {
        let server = try SocketServer { connection in
            try connection.respond(body: connection.readHead().target)
        }
        for names in [["y.part", "y"], ["y", "y.part"]] {
            let folder = try TemporaryFolder("two")
            let urls = names.map { server.url("/\($0)") }
            let result = try await FetchProcess(["-j", jobs] + urls, in: folder).run()
            #expect(result.status == 0, "\(result)")
            #expect(folder.names() == ["y", "y.part_"], "\(result)")
            #expect(folder.readText("y") == "/y")
            #expect(folder.readText("y.part_") == "/y.part")
        }
    }

    @Test("T-08 fetch starts over a part with resume data, and mentions -c")
    func startedOver() async throws {
        var cut = ServedFile(Self.body)
        cut.cutAfter = 150_000
        let server = try SocketServer { [cut] connection in
            guard connection.number > 0 else { return try cut.serve(connection) }
            try ServedFile(Self.body).serve(connection)
        }
        let folder = try TemporaryFolder("over")
        let first = try await FetchProcess.run("-t", "1", "-O", "y", server.url("/y"), in: folder)
        #expect(first.status == 4, "\(first)")
        #expect(folder.names() == ["y.part", "y.part.resume"])
        let second = try await FetchProcess.run("-O", "y", server.url("/y"), in: folder)
        #expect(second.status == 0, "\(second)")
        #expect(second.stderr.contains("is started over; -c would continue it"), "\(second)")
        #expect(isSameBytes(folder.read("y"), Self.body))
        #expect(folder.names() == ["y"])
    }

    @Test("T-08 a plain download does not empty the user's own file that is named like a part")
    func ownFile() async throws {
        let server = try SocketServer { try ServedFile(Self.body).serve($0) }
        for flags in [["-O", "y"], [], ["-N"]] {
            let folder = try TemporaryFolder("mine")
            try folder.write("mine", to: "y.part")
            let result = try await FetchProcess(flags + [server.url("/y")], in: folder).run()
            #expect(folder.readText("y.part") == "mine")
            if flags.isEmpty, result.status == 0 {
                #expect(folder.names() == ["y.1", "y.part"])
                continue
            }
            #expect(result.status == 3, "\(flags): \(result)")
            #expect(
                result.stderr.contains("y.part exists, and was not left by a download; "),
                "\(flags): \(result)"
            )
            #expect(folder.names() == ["y.part"])
        }
    }

    @Test(
        "T-08 fetch neither replaces nor removes the user's own file that is named like resume data",
        arguments: ["y.part.resume", "y.part.resume~"]
    )
    func ownResumeFile(name: String) async throws {
        let server = try SocketServer { try ServedFile(Self.body).serve($0) }
        for flags in [["-O", "y"], [], ["-N"], ["-c"]] {
            let folder = try TemporaryFolder("mine")
            try folder.write("mine", to: name)
            let result = try await FetchProcess(flags + [server.url("/y")], in: folder).run()
            #expect(result.status == 3, "\(flags): \(result)")
            #expect(
                result.stderr.contains("\(name) exists, and was not left by a download; "),
                "\(flags): \(result)"
            )
            #expect(folder.names() == [name], "\(flags)")
            #expect(folder.readText(name) == "mine", "\(flags)")
        }
    }
}
