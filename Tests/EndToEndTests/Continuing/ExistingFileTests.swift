import Foundation
import TestSupport
import Testing

/// Files that other programs, other runs and other users have left.
@Suite("Existing files to continue", .timeLimit(.minutes(1)))
struct ExistingFileTests {
    private let folder: TemporaryFolder
    private let bytes = PseudoRandom.bytes(300_000)

    init() throws {
        folder = try TemporaryFolder("existing")
    }

    /// A file on nginx that is older than any file of the test.
    private func address(_ name: String, modified: Int = 1_000_000_000) throws -> String {
        let nginx = try Nginx.shared
        return try nginx.url(nginx.addFile(name, bytes: bytes, modified: modified))
    }

    private func run(_ arguments: String...) async throws -> ProcessResult {
        try await FetchProcess(arguments, in: folder).run()
    }

    @Test(
        "T-08 fetch compares and continues a part or a file of another program",
        arguments: ["file", "file.part"]
    )
    func continued(left: String) async throws {
        let url = try address("existing-\(left)-x")
        try folder.write(Array(bytes.prefix(120_000)), to: left)
        let result = try await run("-c", "-O", "file", url)
        #expect(result.status == 0, "\(result)")
        #expect(isSameBytes(folder.read("file"), bytes))
        #expect(folder.names() == ["file"])
        let log = try await Nginx.shared.accessLog("/files/existing-\(left)-x", waitingFor: 2)
        #expect(log.map(\.range) == ["bytes=54464-119999", "bytes=120000-"])
        #expect(log.last?.ifRange != "-")
    }

    @Test("the comparison is a separate task, and its calls are reported like any other's")
    func events() async throws {
        let url = try address("existing-events")
        for left in [Array(bytes.prefix(120_000)), [1, 2, 3]] {
            try folder.write(left, to: "file.part")
            let result = try await run("-c", "--events-file", "events", "-O", "file", url)
            #expect(result.status == 0, "\(result)")
            let events = try Events(folder.read("events"))
            #expect(events.violations == [])
            let probe = events.all.filter { $0.task == 1 }.map(\.name)
            #expect(probe.first == "didReceiveResponse")
            #expect(probe.contains("didReceiveData"))
            #expect(probe.last == "didCompleteWithError")
            #expect(events.named("didCompleteWithError").map(\.task) == [1, 2])
            #expect(events.all.first { $0.task == 2 }?.name == "didReceiveResponse")
        }
    }

    @Test(
        "T-08 fetch starts over where a file does not begin as the server's",
        arguments: ["file", "file.part"]
    )
    func different(left: String) async throws {
        let url = try address("different-\(left)")
        var wrong = Array(bytes.prefix(120_000))
        wrong[110_000] ^= 1
        try folder.write(wrong, to: left)
        let result = try await run("-c", "-O", "file", url)
        #expect(result.status == 0, "\(result)")
        #expect(isSameBytes(folder.read("file"), bytes))
        #expect(result.stderr.contains("starting over: \(left): its last bytes differ"))
    }

    @Test("T-08 fetch starts over where the server has changed the file since")
    func newer() async throws {
        let url = try address("newer", modified: Int(Date().timeIntervalSince1970) + 3_600)
        try folder.write(Array(bytes.prefix(120_000)), to: "file")
        let result = try await run("-c", "-O", "file", url)
        #expect(result.status == 0, "\(result)")
        #expect(result.stderr.contains("the server's file is newer"))
        #expect(isSameBytes(folder.read("file"), bytes))
    }

    @Test("T-08 fetch keeps a complete file, and downloads only its end")
    func complete() async throws {
        let url = try address("complete-file")
        try folder.write(bytes, to: "file")
        let result = try await run("-c", "-O", "file", url)
        #expect(result.status == 0, "\(result)")
        #expect(result.stderr.contains("file: already complete"))
        let log = try await Nginx.shared.accessLog("/files/complete-file", waitingFor: 1)
        #expect(log.map(\.bytesSent).reduce(0, +) < 70_000)
        #expect(folder.names() == ["file"])
    }

    @Test("T-08 a complete part becomes the file")
    func completePart() async throws {
        let url = try address("complete-part")
        try folder.write(bytes, to: "file.part")
        let result = try await run("-c", "-O", "file", url)
        #expect(result.status == 0, "\(result)")
        #expect(isSameBytes(folder.read("file"), bytes))
        #expect(folder.names() == ["file"])
    }

    @Test("T-08 fetch replaces a file that is longer than the server's, or equal in length only")
    func tooLong() async throws {
        let url = try address("too-long")
        try folder.write(bytes + [1], to: "file")
        let longer = try await run("-c", "-O", "file", url)
        #expect(longer.status == 0, "\(longer)")
        #expect(isSameBytes(folder.read("file"), bytes))
        try folder.write(PseudoRandom.bytes(300_000, seed: 3), to: "file")
        let other = try await run("-c", "-O", "file", url)
        #expect(other.status == 0, "\(other)")
        #expect(isSameBytes(folder.read("file"), bytes))
    }

    @Test("T-08 existing parts remain unchanged during a server error")
    func serverError() async throws {
        let url = try Nginx.shared.url("/status/503")
        try folder.write("part", to: "file.part")
        let result = try await run("-c", "-t1", "-O", "file", url)
        #expect(result.status == 8, "\(result)")
        #expect(folder.readText("file.part") == "part")
    }

    @Test(
        "T-08 fetch compares the part where resume data is malformed, and does not lose it",
        arguments: ["", "garbage", "{}", #"{"format":"URLLoading resume data","version":99}"#]
    )
    func garbled(text: String) async throws {
        let url = try address("garbled-\(text.utf8.count)")
        try folder.write(Array(bytes.prefix(100_000)), to: "file.part")
        try folder.write(text, to: "file.part.resume")
        let result = try await run("-c", "-O", "file", url)
        #expect(result.status == 0, "\(result)")
        #expect(isSameBytes(folder.read("file"), bytes))
        #expect(folder.names() == ["file"])
    }

    @Test("T-08 resume data that names another file does not change that file")
    func elsewhere() async throws {
        let url = try address("elsewhere")
        try folder.write("precious", to: "victim")
        try folder.write(Array(bytes.prefix(100_000)), to: "file.part")
        try folder.write(
            #"""
            {"format":"URLLoading resume data","version":1,"url":"\#(url)","fields":[],
            "entityTag":"\"x\"","receivedBytes":4,"partFile":"\#(folder.path("victim"))"}
            """#,
            to: "file.part.resume"
        )
        let result = try await run("-c", "-O", "file", url)
        #expect(result.status == 0, "\(result)")
        #expect(isSameBytes(folder.read("file"), bytes))
        #expect(folder.readText("victim") == "precious")
    }

    @Test("T-08 fetch starts over where a part belongs to another URL")
    func otherURL() async throws {
        var file = ServedFile(bytes)
        file.cutAfter = 1_000
        let server = try SocketServer { [file] in try file.serve($0) }
        let first = try await run("-t", "1", "-O", "file", server.url("/one"))
        #expect(first.status == 4, "\(first)")
        let result = try await run("-c", "-O", "file", try address("other-url"))
        #expect(result.status == 0, "\(result)")
        #expect(result.stderr.contains("file.part belongs to another URL"))
        #expect(isSameBytes(folder.read("file"), bytes))
    }

    @Test("T-08 fetch starts over without -c, and a note recommends -c for the part")
    func withoutContinue() async throws {
        let url = try address("without-continue")
        try folder.writePart(Array(bytes.prefix(100_000)), to: "file.part")
        let result = try await run("-O", "file", url)
        #expect(result.status == 0, "\(result)")
        #expect(
            result.stderr.contains("file.part (97.7 KiB) is started over; -c would continue it")
        )
        #expect(isSameBytes(folder.read("file"), bytes))
    }

    @Test("--dry-run prints the place where -c would continue, and changes nothing")
    func dryRun() async throws {
        let url = try address("dry-run")
        let nothing = try await run("--dry-run", "-c", "-O", "file", url)
        #expect(nothing.stdoutText.contains("task: download to file, from the beginning\n"))
        try folder.write(Array(bytes.prefix(100_000)), to: "file.part")
        let part = try await run("--dry-run", "-c", "-O", "file", url)
        #expect(part.stdoutText.contains("continued at byte 100000 if the server has the same"))
        #expect(folder.names() == ["file.part"])
    }

    @Test(
        "T-08 fetch never follows a link in the part's place, with -c and without",
        arguments: [true, false]
    )
    func link(continues: Bool) async throws {
        let url = try address("link-\(continues)")
        try folder.write("precious", to: "victim")
        symlink(folder.path("victim"), folder.path("file.part"))
        let flags = continues ? ["-c"] : []
        let result = try await FetchProcess(flags + ["-O", "file", url], in: folder).run()
        #expect(result.status == 3, "\(result)")
        #expect(folder.readText("victim") == "precious")
        unlink(folder.path("file.part"))
        try folder.writePart(Array(bytes.prefix(1_000)), to: "file.part")
        symlink(folder.path("victim"), folder.path("file.part.resume"))
        let again = try await FetchProcess(flags + ["-O", "file", url], in: folder).run()
        // Without -c, resume data of another form blocks the download.
        #expect(again.status == (continues ? 0 : 3), "\(again)")
        #expect(folder.readText("victim") == "precious")
    }

    @Test(
        "T-08 a second fetch of the same name is refused, and the first file is complete",
        arguments: [100, 900_000]
    )
    func locked(received: Int) async throws {
        let gate = Gate()
        var file = ServedFile(PseudoRandom.bytes(1_800_000))
        file.hold = (after: received, gate)
        let server = try SocketServer { [file] in try file.serve($0) }
        let first = try FetchProcess(["-O", "file", server.url()], in: folder).start()
        #expect(await eventually { folder.size("file.part") ?? 0 > 0 })
        for flags in [["-c"], []] {
            let second = try await FetchProcess(flags + ["-O", "file", server.url()], in: folder)
                .run()
            #expect(second.status == 3, "\(second)")
            #expect(second.stderr.contains("is being written by another process"))
        }
        gate.open()
        let result = try await first.wait()
        #expect(result.status == 0, "\(result)")
        #expect(isSameBytes(folder.read("file"), PseudoRandom.bytes(1_800_000)))
        #expect(folder.names() == ["file"])
    }

    @Test("T-08 a download that a full disk ended is continued once the disk has space")
    func fullDisk() async throws {
        let nginx = try Nginx.shared
        let size = 3_000_000
        let path = try nginx.addLargeFile("continue-full", size: size)
        let result = try await FetchProcess.shell(
            #"ulimit -c 0; (ulimit -f 1024; exec "$FETCH" -qO out "$1"); exec "$FETCH" -cO out "$1""#,
            nginx.url(path),
            in: folder
        )
        #expect(result.status == 0, "\(result)")
        #expect(result.stderr.contains("(continued at "), "\(result)")
        #expect(isSameBytes(folder.read("out"), PseudoRandom.bytes(size)))
        #expect(folder.names() == ["out"])
    }

    @Test("T-08 fetch sends nothing where the folder cannot be written")
    func readOnlyFolder() async throws {
        let server = try SocketServer { try ServedFile([1]).serve($0) }
        let result = try await FetchProcess.shell(
            #"""
            mkdir closed && echo old >closed/file.part && chmod 555 closed && cd closed &&
            if [ "$(id -u)" = 0 ]; then
                exec setpriv --reuid=65534 --clear-groups "$FETCH" -c -O file "$1"
            fi; exec "$FETCH" -c -O file "$1"
            """#,
            server.url(),
            in: folder
        )
        #expect(result.status == 3, "\(result)")
        #expect(server.requestCount == 0)
    }

    @Test(
        "fetch accepts -c for a plain download only",
        arguments: [
            ["-O", "-"], ["-d", "x"], ["--head"], ["-X", "POST"], ["-H", "Range: bytes=1-"],
            ["-O", "/dev/null"],
        ]
    )
    func conflicts(flags: [String]) async throws {
        let result = try await FetchProcess(flags + ["-c", "http://127.0.0.1:1/"], in: folder).run()
        #expect(result.status == 2, "\(result)")
        #expect(result.stderr.contains("--continue"))
    }
}
