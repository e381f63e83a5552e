import Foundation
import TestSupport
import Testing

/// Bodies that can be read only once, but must be sent twice.
@Suite("Replayed uploads", .timeLimit(.minutes(3)))
struct ReplayedUploadTests {
    private static let size = 256 << 20

    @Test(
        "A-06 256 MiB from a pipe arrive whole after a Digest 401, and after a 307 behind it",
        arguments: ["/digest/uploads/", "/digest/again/uploads/", "/redirect/307/open/uploads/"]
    )
    func large(place: String) async throws {
        let apache = try Apache.shared
        let name = "replayed\(place.replacing("/", with: "-"))"
        let folder = try TemporaryFolder("replayed")
        let body = try folder.writePseudoRandom(size: Self.size, to: "body")
        let result = try await FetchProcess(
            shell: #"""
                mkfifo pipe
                cat body >pipe &
                exec "$FETCH" -q -u "name:secret" --upload-file - "$1" <pipe
                """#,
            [apache.url(place + name)],
            in: folder,
            timeLimit: .seconds(120)
        ).measuringMemory().run()
        #expect(result.status == 0, "\(result)")
        let isSmall = (1..<64 << 10).contains(result.maxResidentKiB)
        #expect(isSmall || !Sanitizer.isOff, "\(result.maxResidentKiB) KiB")
        let same = try await FetchProcess.shell(
            #"cmp "$1" "$2" && rm "$2""#,
            body,
            apache.uploaded(name),
            timeLimit: .seconds(120)
        )
        #expect(same.status == 0, "\(same)")
    }

    @Test("fetch ends with status 13 past --spool-limit, and the server has received no half body")
    func limit() async throws {
        let server = try SocketServer { connection in
            while let head = try connection.nextHead() {
                _ = try connection.readBody(head)
                try connection.respond("307 Temporary Redirect", ["Location: /next"])
            }
        }
        let result = try await FetchProcess(
            ["--upload-file", "-", "--spool-limit", "64k", server.url("/in")],
            input: .bytes(PseudoRandom.bytes(100_000))
        ).run()
        #expect(result.status == 13, "\(result)")
        #expect(result.stderr.contains("longer than the limit of 65536 bytes"))
        #expect(result.stderr.contains("--spool-limit"))
        #expect(server.requestCount == 1)
    }

    @Test(
        "standard input in any form, and a FIFO by name, are sent again",
        arguments: [
            ["--upload-file", "-"], ["-d", "@-"], ["-F", "f=@-"], ["--upload-file", "fifo"],
        ]
    )
    func forms(arguments: [String]) async throws {
        let server = try SocketServer { connection in
            while let head = try connection.nextHead() {
                let body = try connection.readBody(head)
                if head.target == "/in" {
                    try connection.respond("307 Temporary Redirect", ["Location: /next"])
                } else {
                    try connection.respond(body: body)
                }
            }
        }
        let result = try await FetchProcess(
            shell: #"""
                mkfifo fifo
                case "$*" in *fifo) printf 'the body' >fifo & ;; esac
                url=$1; shift
                printf 'the body' | "$FETCH" "$@" "$url"
                """#,
            [server.url("/in")] + arguments,
            timeLimit: .seconds(20)
        ).run()
        #expect(result.status == 0, "\(result)")
        #expect(result.stdoutText.contains("the body"))
        #expect(server.requestCount == 2)
    }
}
