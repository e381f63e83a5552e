import Foundation
import TestSupport
import Testing

/// The destinations of events: files, descriptors, standard output; and their failures.
@Suite("Delivery of events", .timeLimit(.minutes(2)))
struct EventDeliveryTests {
    @Test(
        "fetch writes events to a descriptor of the shell",
        arguments: ["--events-fd 3", "--events-file /dev/fd/3"]
    )
    func descriptor(flags: String) async throws {
        let result = try await FetchProcess.shell(
            #"echo '{}' >events; exec "$FETCH" --events json \#(flags) -O out "$1" 3>>events"#,
            Nginx.shared.url("/files/hello.txt")
        )
        #expect(result.status == 0, "\(result)")
        // The earlier content remains.
        let text = try #require(result.folder.readText("events"))
        #expect(text.hasPrefix("{}\n"))
        let events = try Events(Array(text.utf8.dropFirst(3)))
        #expect(events.violations == [], "\(result)")
        #expect(events.names.contains("didFinishDownloadingTo"))
    }

    @Test("events report a path unchanged, also one that looks like a URL")
    func pathLikeURL() async throws {
        let url = try Nginx.shared.url("/files/hello.txt")
        let result = try await FetchProcess.run("-P", "dd//me@x", "--events-fd", "1", url)
        #expect(result.status == 0, "\(result)")
        let finished = try Events(result.stdout).named("didFinishDownloadingTo").first
        let location: String? = finished?["location"]
        #expect(location?.hasSuffix("/me@x/hello.txt.part") == true, "\(location ?? "")")
    }

    @Test("fetch writes events to standard output, where the body goes elsewhere")
    func standardOutput() async throws {
        let url = try Nginx.shared.url("/files/hello.txt")
        let result = try await FetchProcess.run("--events-fd", "1", "-q", "-O", "out", url)
        #expect(result.status == 0, "\(result)")
        #expect(result.stderr == "")
        let events = try Events(result.stdout)
        #expect(events.violations == [])
        #expect(events.sum("bytesWritten") == 14)
    }

    @Test("fetch empties an existing file and keeps its mode; a new file is for its owner only")
    func file() async throws {
        let folder = try TemporaryFolder("events")
        try folder.write("old\nold\n", to: "old")
        #expect(chmod(folder.path("old"), 0o640) == 0)
        for (name, mode) in [("old", 0o640), ("new", 0o600)] as [(String, mode_t)] {
            let result = try await FetchProcess.shell(
                #"umask 027; exec "$FETCH" --events-file "$2" -qO - "$1""#,
                Nginx.shared.url("/files/hello.txt"),
                name,
                in: folder
            )
            #expect(result.status == 0, "\(result)")
            #expect(try Events(folder.read(name)).violations == [])
            var status = stat()
            #expect(stat(folder.path(name), &status) == 0 && status.st_mode & 0o777 == mode)
        }
    }

    @Test("a full disk for events is a warning, and the transfer keeps its own status")
    func fullDisk() async throws {
        let url = try Nginx.shared.url("/files/hello.txt")
        let result = try await FetchProcess.run("--events-file", "/dev/full", "-O", "out", url)
        #expect(result.status == 0, "\(result)")
        #expect(result.folder.readText("out") == "Hello, world!\n")
        #expect(
            result.stderrLines.last?.hasSuffix(
                "could not be written: /dev/full: No space left on device"
            ) == true,
            "\(result)"
        )
        let missing = try Nginx.shared.url("/status/404")
        let failed = try await FetchProcess.run("--events-file", "/dev/full", missing)
        #expect(failed.status == 8, "\(failed)")
    }

    // The thread sanitizer maps a file of its own, to which the limit applies too.
    @Test(
        "an event file at its size limit ends with a whole line",
        .enabled(if: Sanitizer.name != "thread")
    )
    func cutFile() async throws {
        let url = try Nginx.shared.url("/echo/cut")
        let result = try await FetchProcess.shell(
            #"""
            ulimit -f 8
            exec "$FETCH" --events-file events -qO - "$1" "$1" "$1" "$1" "$1" "$1"
            """#,
            url
        )
        #expect(result.status == 0, "\(result)")
        #expect(
            result.stderr.contains("could not be written: events: File too large\n"),
            "\(result)"
        )
        let events = try Events(result.folder.read("events"))
        #expect(events.violations == [])
        #expect(!events.all.isEmpty)
        #expect(events.named("didBecomeInvalidWithError").isEmpty)
    }

    @Test("an event file that cannot be opened is status 3, and fetch sends nothing")
    func unopened() async throws {
        let server = try SocketServer { _ in }
        for path in ["missing/events", "."] {
            let result = try await FetchProcess.run("--events-file", path, server.url())
            #expect(result.status == 3, "\(result)")
            #expect(result.stderrLines.count == 1, "\(result)")
        }
        #expect(!server.wasCalled)
    }

    @Test("several processes that append to one file do not mix their lines")
    func sharedFile() async throws {
        let nginx = try Nginx.shared
        let result = try await FetchProcess.shell(
            #"""
            for n in 1 2 3 4; do
                "$FETCH" --events-fd 3 -qO - "$@" 3>>events >/dev/null & pids="$pids $!"
            done
            for pid in $pids; do wait "$pid" || exit; done
            """#,
            nginx.url("/echo/shared/1"),
            nginx.url("/echo/shared/2"),
            nginx.url("/echo/shared/3")
        )
        #expect(result.status == 0, "\(result)")
        let events = try Events(result.folder.read("events"))
        #expect(events.violations == [])
        #expect(events.named("didBecomeInvalidWithError").count == 4)
        let processes = Set(events.all.compactMap { $0["pid"] as Int? })
        #expect(processes.count == 4)
    }
}
