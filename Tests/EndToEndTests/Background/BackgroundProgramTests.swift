import Foundation
import TestSupport
import Testing

/// A program that uses the public API only, and ends as soon as its call returns.
@Suite("Background sessions of a program that exits at once", .timeLimit(.minutes(2)))
struct BackgroundProgramTests {
    private let fixture: BackgroundFixture

    init() throws {
        fixture = try BackgroundFixture(
            session: "com.example.background-download",
            program: "BackgroundDownload"
        )
    }

    private func program(_ arguments: String...) throws -> FetchProcess {
        try fixture.command(arguments)
    }

    @Test("B-01 a resumed task is carried out even if the program exits at once")
    func exits() async throws {
        // Otherwise a slow program would live until its file is there.
        let hasEnded = (1...3).map { _ in Gate() }
        let server = try SocketServer { connection in
            _ = try connection.readHead()
            try hasEnded[connection.number % 3].wait()
            try connection.respond(body: "whole")
        }
        for number in 1...3 {
            let target = fixture.folder.path("file-\(number)")
            let url = server.url("/\(number)")
            let begun = try await program(url, target).run()
            #expect(begun.status == 0, "\(begun)")
            #expect(begun.stdoutText.isEmpty, "\(begun)")
            // The program has ended, and its transfer process fetches the file.
            #expect(await eventually { server.requestCount == number })
            hasEnded[number - 1].open()
            let attached = try await program("--attach", url, target).run()
            #expect(attached.status == 0, "\(attached)")
            #expect(
                attached.stdoutText == "saved \(target)\ncompleted\nall is done\n",
                "\(attached)"
            )
            #expect(fixture.folder.readText("file-\(number)") == "whole")
            #expect(await fixture.transfersEnd())
        }
    }

    @Test("B-07 a task of a program without a terminal starts at once")
    func beginsAtOnce() async throws {
        let server = try SocketServer { connection in _ = try connection.readHead() }
        _ = try await program(server.url(), fixture.folder.path("file")).run()
        #expect(await eventually { server.requestCount == 1 })
    }
}
