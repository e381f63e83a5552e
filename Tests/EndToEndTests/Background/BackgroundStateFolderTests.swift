import Foundation
import TestSupport
import Testing

/// State folders that cannot be written, are full, or have a damaged journal.
@Suite("Background sessions without a usable state folder", .timeLimit(.minutes(3)))
struct BackgroundStateFolderTests {
    private let fixture: BackgroundFixture

    init() throws {
        fixture = try BackgroundFixture()
    }

    @Test("--background fails if the state folder is not writable")
    func readOnly() async throws {
        try fixture.home.write("no folder", to: ".local")
        let queued = try await fixture.queue("http://127.0.0.1:1/x")
        #expect(queued.status == 3, "\(queued)")
        #expect(queued.stderr.contains(".local"), "\(queued)")
    }

    @Test(
        "--background fails on a full disk; earlier tasks are still reported",
        .needs(.mounts)
    )
    func fullDisk() async throws {
        let disk = try SmallDisk(kilobytes: 1_024)
        let environment = ["XDG_STATE_HOME": disk.path]
        let mayGo = Gate()
        let server = try SocketServer { connection in
            _ = try connection.readHead()
            try mayGo.wait()
            try connection.respond(body: "whole")
        }
        let queueing = ["-b", "--identifier", fixture.session]
        let queued = try await fixture.fetch(
            queueing + ["-O", "file", server.url()],
            environment: environment
        )
        #expect(queued.status == 0, "\(queued)")
        #expect(await eventually { server.requestCount == 1 })
        disk.fill()
        let refused = try await fixture.fetch(
            queueing + ["-O", "other", server.url()],
            environment: environment
        )
        #expect(refused.status == 3, "\(refused)")
        #expect(refused.stderr.contains("no space is left"), "\(refused)")
        mayGo.open()
        let attached = try await fixture.fetch(
            ["--attach", fixture.session],
            environment: environment
        )
        #expect(attached.status == 0, "\(attached)")
        #expect(fixture.folder.readText("file") == "whole")
        #expect(!fixture.folder.exists("other"))
    }

    @Test("transfers end if the session's folder was removed, and leave no file with a final name")
    func removed() async throws {
        let server = try BackgroundTests.halfway()
        try await fixture.queue("-O", "file", server.url())
        #expect(await eventually { server.requestCount == 1 && !fixture.folder.names().isEmpty })
        try FileManager.default.removeItem(atPath: fixture.home.path(fixture.place))
        #expect(await fixture.transfersEnd())
        #expect(!fixture.folder.exists("file"))
        let listed = try await fixture.fetch(["--background-list"])
        #expect(listed.status == 0, "\(listed)")
    }

    @Test("a damaged journal is an error that names the line, and is not changed")
    func damaged() async throws {
        let server = try BackgroundTests.halfway()
        try await fixture.queue("-O", "file", server.url())
        #expect(await eventually { server.requestCount == 1 })
        fixture.killTransfers()
        let journal = "\(fixture.place)/journal"
        let text = try #require(fixture.home.readText(journal))
        let damagedText = text.replacingOccurrences(of: "\"number\":1,", with: "\"number\":9,")
        try #require(chmod(fixture.home.path(journal), 0o600) == 0)
        let file = try #require(FileHandle(forWritingAtPath: fixture.home.path(journal)))
        try file.write(contentsOf: Data(damagedText.utf8))
        try file.close()
        for arguments in [
            ["--attach", fixture.session], ["--background-resume", fixture.session],
        ] {
            let result = try await fixture.fetch(arguments)
            #expect(result.status == 3, "\(result)")
            #expect(result.stderr.contains("line 2"), "\(result)")
        }
        #expect(fixture.home.readText(journal) == damagedText)
    }
}
