import Dispatch
import Foundation
import TestSupport
import Testing

/// Events and bodies that could be lost or repeated if a command does not read, fails or is killed.
@Suite("Background sessions and several commands", .timeLimit(.minutes(3)))
struct BackgroundUseTests {
    private let fixture: BackgroundFixture

    init() throws {
        fixture = try BackgroundFixture()
    }

    private func page(_ name: String, _ text: String = "whole") throws -> String {
        let nginx = try Nginx.shared
        return nginx.url(try nginx.addFile(name, text: text))
    }

    /// Queues more tasks than fit into a frame; each writes a file into `into`.
    private func queueMany(_ name: String, and others: String...) async throws {
        let url = try page(name, "x")
        let list = (1...510).map { "\(url)?\($0)\n" } + others.map { "\($0)\n" }
        try fixture.folder.write(list.joined(), to: "urls")
        try await fixture.queue("-i", "urls", "-P", "into")
    }

    @Test("B-02 events that could not be written are reported by the next command")
    func unwritten() async throws {
        try await fixture.queue("-O", "file", page("use-unheard"))
        #expect(await fixture.transfersEnd())
        let failed = try await fixture.fetch(
            ["--attach", fixture.session, "--events-file", "/dev/full"]
        )
        #expect(failed.status == 3, "\(failed)")
        #expect(!failed.stderr.contains("-> "), "\(failed)")
        #expect(try await fixture.attach().status == 0)
        let numbers: [Int] = try fixture.events().all.compactMap { $0["sequence"] }
        #expect(numbers == [1, 2, 3])
    }

    @Test("the next command writes a response's body that could not be written")
    func unreadResponse() async throws {
        try await fixture.upload()
        let failed = try await FetchProcess.shell(
            #""$FETCH" --attach session >/dev/full"#,
            in: fixture.folder,
            home: fixture.home
        )
        #expect(failed.status == 3, "\(failed)")
        #expect(try await fixture.attach().stdoutText == "the response")
    }

    @Test("each command's flags apply to its own tasks; other settings stay")
    func flags() async throws {
        let proxy = try SocketServer { connection in
            _ = try connection.readHead()
            try connection.respond(body: "by way of the proxy")
        }
        let mayGo = Gate()
        let server = try SocketServer { connection in
            _ = try connection.readHead()
            try mayGo.wait()
            try connection.respond(body: "straight")
        }
        try await fixture.queue(
            "--on-complete",
            "echo $FETCH_BACKGROUND_OUTCOME >outcome",
            "-O",
            "slow",
            server.url("/slow")
        )
        #expect(await eventually { server.requestCount == 1 })
        try await fixture.queue("-x", proxy.url(), "-O", "one", "http://nowhere.test/one")
        try await fixture.queue("-O", "two", page("use-two", "two"))
        #expect(await eventually { fixture.folder.exists("one") && fixture.folder.exists("two") })
        mayGo.open()
        #expect(await eventually { fixture.folder.readText("outcome") == "success\n" })
        #expect(fixture.folder.readText("one") == "by way of the proxy")
        #expect(fixture.folder.readText("two") == "two")
    }

    @Test("--on-complete counts an error status as a failure")
    func outcome() async throws {
        try await fixture.queue(
            "--on-complete",
            "echo $FETCH_BACKGROUND_OUTCOME $FETCH_BACKGROUND_FAILED >outcome",
            "-O",
            "file",
            try Nginx.shared.url("/status/404")
        )
        #expect(await eventually { fixture.folder.readText("outcome") == "failure 1\n" })
    }

    @Test("a cancelled download leaves no file, in the session's folder or beside its target")
    func cancelled() async throws {
        let nginx = try Nginx.shared
        let path = try nginx.addLargeFile("use-cancelled", size: 4_000_000)
        let slow = path.replacingOccurrences(of: "/files/", with: "/slow/")
        let url = nginx.url(slow + "?rate=400000")
        try await fixture.queue("-P", "into", url, url, url)
        #expect(await eventually { fixture.names("into").count >= 3 })
        #expect(try await fixture.fetch(["--background-cancel", fixture.session]).status == 0)
        #expect(await fixture.transfersEnd())
        // Running transfers end before their files are removed.
        #expect(await eventually { fixture.names("into").isEmpty })
        #expect(fixture.isGone)
    }

    @Test("a task that needs a password waits until a command supplies one")
    func withoutPassword() async throws {
        let path = try page("use-private").replacingOccurrences(of: "/files/", with: "/private/")
        try await fixture.queue("-O", "file", path)
        #expect(try await eventually { try await fixture.list().contains("waits for a password") })
        let looked = try await fixture.fetch(["--attach", fixture.session])
        #expect(looked.status == 6, "\(looked)")
        #expect(try await fixture.list().contains("waits for a password"))
        #expect(try await fixture.attach("--user", "name:secret").status == 0)
        #expect(fixture.folder.readText("file") == "whole")
    }

    @Test("B-02 all tasks are reported, even if their list exceeds a frame")
    func many() async throws {
        try await queueMany("use-many")
        #expect(await eventually { fixture.names("into").count > 30 })
        let attached = try await fixture.attach("-q")
        #expect(attached.status == 0, "\(attached)")
        let events = try fixture.events()
        #expect(events.named("didCompleteWithError").count == 510)
        let numbers: [Int] = events.all.compactMap { $0["sequence"] }
        #expect(numbers == Array(1...1_021))
    }

    @Test("another command can attach after a stopped one was killed")
    func stopped() async throws {
        // The last task ends only after the following command was stopped.
        let hasStopped = DispatchSemaphore(value: 0)
        let server = try SocketServer { connection in
            _ = try connection.readHead()
            hasStopped.wait()
            try connection.respond(body: "x")
        }
        try await queueMany("use-stopped", and: server.url("/last"))
        let first = try fixture.command(["--attach", fixture.session, "-vv"]).start()
        try await first.waitForStderr("didComplete")
        first.interrupt(SIGSTOP)
        hasStopped.signal()
        // Each file is flushed to the disk.
        #expect(await eventually(within: .seconds(120)) { fixture.names("into").count == 511 })
        first.interrupt(SIGKILL)
        _ = try await first.wait()
        let attached = try await fixture.attach("-q")
        #expect(attached.status == 0, "\(attached)")
        #expect(await eventually { fixture.isGone })
    }
}
