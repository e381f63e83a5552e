import Foundation
import TestSupport
import Testing

/// Links that go down and up in the test's own namespaces.
@Suite("Waiting for a network", .timeLimit(.minutes(1)), .needs(.networks))
struct WaitingTests {
    private static let note = "waiting for a network"

    @Test(
        "T-15 S-05 a link that comes up ends the wait at once, and the wait takes no processor time"
    )
    func link() async throws {
        let network = try IsolatedNetwork(isUp: false)
        try network.folder.writePseudoRandom(size: 300_000, to: "root/file")
        let process = try network.fetch(
            ["--wait-for-connectivity", "--timeout", "1", "-O", "out", network.url("/file")]
        ).start()
        try await process.waitForStderr(Self.note)
        let clock = ContinuousClock()
        let began = clock.now
        // Attempts follow 0.1, 1.1, 3.1, 7.1 and 15.1 s after the first. An attempt between the last two
        // comes from the kernel's notification, not from the timer.
        let before = try process.processorSeconds
        #expect(await eventually { clock.now - began > .milliseconds(7_400) })
        let seconds = try process.processorSeconds - before
        #expect(seconds < 0.15 || !Sanitizer.isOff)
        #expect(process.isRunning)
        try network.setLink(isUp: true)
        let result = try await process.wait()
        #expect(clock.now - began < .milliseconds(14_900))
        #expect(result.status == 0, "\(result)")
        #expect(isSameBytes(result.folder.read("out"), network.folder.read("root/file") ?? []))
        #expect(result.stderr.components(separatedBy: Self.note).count == 2, "\(result)")
    }

    @Test(
        "T-14 a missing network is notConnectedToInternet at once without the flag, with status 4"
    )
    func withoutFlag() async throws {
        let network = try IsolatedNetwork(isUp: false)
        for url in [network.url("/"), "http://known.example/"] {
            let result = try await network.fetch(["-O", "-", url]).run()
            #expect(result.status == 4, "\(result)")
            #expect(result.stderr.contains("notConnectedToInternet -1009"), "\(result)")
            #expect(result.stderr.contains("--wait-for-connectivity"))
        }
    }

    @Test("T-15 --max-time includes the wait for a network")
    func maxTime() async throws {
        let network = try IsolatedNetwork(isUp: false)
        let result = try await network.fetch(
            ["--wait-for-connectivity", "--max-time", "5", "-O", "-", network.url("/")]
        ).run()
        #expect(result.status == 124, "\(result)")
        #expect(result.stderr.contains(Self.note))
    }

    @Test("T-15 an interrupt ends the wait at once")
    func interrupt() async throws {
        let network = try IsolatedNetwork(isUp: false)
        let process = try network.fetch(
            ["--wait-for-connectivity", "-O", "out", network.url("/")]
        ).start()
        try await process.waitForStderr(Self.note)
        process.interrupt()
        let result = try await process.wait()
        #expect(result.signal == SIGINT, "\(result)")
        #expect(result.folder.names() == [])
    }

    @Test("T-15 a missing carrier counts as no network, though the route remains")
    func carrier() async throws {
        let network = try IsolatedNetwork()
        try network.folder.write("here", to: "root/file")
        try network.setCarrier(isThere: false)
        let process = try network.fetch(
            ["--wait-for-connectivity", "-O", "-", network.url("/file")]
        ).start()
        try await process.waitForStderr(Self.note)
        try network.setCarrier(isThere: true)
        let result = try await process.wait()
        #expect(result.status == 0, "\(result)")
        #expect(result.stdoutText == "here")
    }

    @Test("T-15 a body from a pipe is sent whole once the network is up")
    func upload() async throws {
        let network = try IsolatedNetwork(isUp: false)
        let body = "0123456789"
        let process = try network.fetch(
            ["--wait-for-connectivity", "--upload-file", "-", network.url("/stored/body")],
            input: .bytes(Array(body.utf8))
        ).start()
        try await process.waitForStderr(Self.note)
        try network.setLink(isUp: true)
        let result = try await process.wait()
        #expect(result.status == 0, "\(result)")
        #expect(network.folder.readText("root/stored/body") == body)
    }

    @Test("T-15 taskIsWaitingForConnectivity is called once, before any other call of the task")
    func event() async throws {
        let network = try IsolatedNetwork(isUp: false)
        try network.folder.write("here", to: "root/file")
        let process = try network.fetch([
            "--wait-for-connectivity", "--events-file", "events", "-O", "-", network.url("/file"),
        ]).start()
        try await process.waitForStderr(Self.note)
        try network.setLink(isUp: true)
        let result = try await process.wait()
        #expect(result.status == 0, "\(result)")
        let events = try Events(result.folder.read("events"))
        #expect(events.violations == [])
        #expect(events.names.first == "taskIsWaitingForConnectivity")
        #expect(events.named("taskIsWaitingForConnectivity").count == 1)
        // Failed attempts are not counted among the requests.
        let metrics = try #require(events.named("didFinishCollecting").first)
        let transactions: [Any]? = metrics["transactionMetrics"]
        #expect(transactions?.count == 1)
    }

    @Test(
        "T-15 a download that loses its link continues at its last byte when the link is up again"
    )
    func midBody() async throws {
        let network = try IsolatedNetwork()
        try network.folder.writePseudoRandom(size: 400_000, to: "root/file")
        let folder = try TemporaryFolder("broken")
        let process = try network.fetch(
            ["--wait-for-connectivity", "--timeout", "1", "-O", "out", network.url("/slow/file")],
            in: folder
        ).start()
        #expect(await eventually { folder.exists("out.part.resume") })
        try network.setLink(isUp: false)
        try await process.waitForStderr(Self.note)
        try network.setLink(isUp: true)
        let result = try await process.wait()
        #expect(result.status == 0, "\(result)")
        #expect(isSameBytes(result.folder.read("out"), network.folder.read("root/file") ?? []))
        // nginx writes it after the last byte of the response.
        #expect(
            await eventually { network.folder.readText("access.log")?.contains(" 206 ") == true }
        )
    }

    @Test("T-15 a redirect to a host without a route waits there")
    func redirect() async throws {
        let network = try IsolatedNetwork()
        let process = try network.fetch(
            ["--wait-for-connectivity", "-O", "-", network.url("/away")]
        ).start()
        try await process.waitForStderr(Self.note)
        process.interrupt()
        #expect(try await process.wait().signal == SIGINT)
    }

    @Test("T-15 each task waits for a route to its host, and reports the wait")
    func noRoute() async throws {
        let network = try IsolatedNetwork()
        try network.folder.write("here", to: "root/file")
        try network.setRoute(isThere: false)
        let process = try network.fetch(
            ["--wait-for-connectivity", "-O", "-", network.url("/file"), network.url("/file")]
        ).start()
        try await process.waitForStderr(Self.note)
        #expect(await eventually { process.stderr.components(separatedBy: Self.note).count == 3 })
        try network.setRoute(isThere: true)
        let result = try await process.wait()
        #expect(result.status == 0, "\(result)")
        #expect(result.stdoutText == "herehere")
    }

    @Test("T-15 fetch waits for a name server that does not respond")
    func names() async throws {
        let network = try IsolatedNetwork()
        try network.folder.write("here", to: "root/file")
        let process = try network.fetch(
            ["--wait-for-connectivity", "-O", "-", "http://known.example/file"]
        ).start()
        try await process.waitForStderr(Self.note)
        try network.serveName("known.example")
        let result = try await process.wait()
        #expect(result.status == 0, "\(result)")
        #expect(result.stdoutText == "here")
    }

    @Test("T-15 fetch does not wait for an unknown name, or a server that refuses connections")
    func noWait() async throws {
        let network = try IsolatedNetwork()
        try network.serveName("known.example")
        let urls = [
            ("http://unknown.example/", "cannotFindHost -1003"),
            ("http://\(IsolatedNetwork.serverAddress):81/", "cannotConnectToHost -1004"),
        ]
        for (url, name) in urls {
            let result = try await network.fetch(["--wait-for-connectivity", "-O", "-", url]).run()
            #expect(result.status == 4, "\(result)")
            #expect(result.stderr.contains(name), "\(result)")
            #expect(!result.stderr.contains(Self.note))
        }
    }
}
