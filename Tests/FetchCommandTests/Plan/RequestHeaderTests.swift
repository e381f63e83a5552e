import HTTPSemantics
import Testing

@testable import FetchCommand

@Suite struct RequestHeaderTests {
    private static let agent = "User-Agent: fetch/\(Version.number)"

    @Test(
        arguments: [
            ([], [agent, "Accept: */*"], []),
            (
                ["-d", "a"],
                [agent, "Accept: */*", "Content-Type: application/x-www-form-urlencoded"], []
            ),
            (
                ["--post-file", "-"],
                [agent, "Accept: */*", "Content-Type: application/x-www-form-urlencoded"], []
            ),
            (["--upload-file", "-"], [agent, "Accept: */*"], []),
            (
                ["--json", "1"],
                [agent, "Accept: application/json", "Content-Type: application/json"], []
            ),
            (
                ["-F", "a=b"],
                [agent, "Accept: */*", "Content-Type: multipart/form-data; boundary=XX"], []
            ),
            (
                ["-F", "a=b", "-H", "Content-Type: Multipart/Mixed; charset=utf-8"],
                [
                    agent, "Accept: */*",
                    "Content-Type: Multipart/Mixed; charset=utf-8; boundary=XX",
                ],
                []
            ),
            (
                ["-F", "a=b", "-H", "Content-Type: multipart/x; boundary=\"a b\""],
                [agent, "Accept: */*", "Content-Type: multipart/x; boundary=\"a b\""], []
            ),
            (
                ["-F", "a=b", "-H", "Content-Type: multipart/x; boundary=\"{}\""],
                [agent, "Accept: */*", "Content-Type: multipart/x; boundary=\"{}\"; boundary=XX"],
                []
            ),
            (
                ["-F", "a=b", "-H", "Content-Type: text/x"],
                [agent, "Accept: */*", "Content-Type: text/x"], []
            ),
            (
                ["-d", "a", "-H", "content-type: multipart/x"],
                [agent, "Accept: */*", "content-type: multipart/x"], []
            ),
            (
                ["--upload-file", "-", "--content-length", "1k"],
                [agent, "Accept: */*", "Content-Length: 1024"], []
            ),
            (
                ["-d", "a", "-H", "content-type: x/y"],
                [agent, "Accept: */*", "content-type: x/y"], []
            ),
            (["-d", "a", "-H", "Content-Type:"], [agent, "Accept: */*"], ["Content-Type"]),
            (["-U", "me"], ["User-Agent: me", "Accept: */*"], []),
            (["-U", ""], ["Accept: */*"], ["User-Agent"]),
            (["-U", "me", "-H", "User-Agent: you"], ["Accept: */*", "User-Agent: you"], []),
            (["-H", "user-agent:"], ["Accept: */*"], ["user-agent"]),
            (["-H", "accept;"], [agent, "accept: "], []),
            (["--referer", "http://r/"], [agent, "Accept: */*", "Referer: http://r/"], []),
            (["-e", "ftp://u:p@r/x@y"], [agent, "Accept: */*", "Referer: ftp://r/x@y"], []),
            (["-e", "http://u:p@r/x"], [agent, "Accept: */*", "Referer: http://r/x"], []),
            (["-H", "A: 1", "-H", "A: 2"], [agent, "Accept: */*", "A: 1", "A: 2"], []),
            (["-H", "A: 1", "-H", "a:"], [agent, "Accept: */*"], ["a"]),
            (["-H", "A:", "-H", "A: 1"], [agent, "Accept: */*", "A: 1"], []),
            (["-H", "Expect:"], [agent, "Accept: */*"], ["Expect"]),
        ] as [([String], [String], [String])]
    )
    func lines(_ arguments: [String], _ fields: [String], _ removed: [String]) throws {
        let task = try plan(arguments + ["h/"]).tasks[0]
        #expect(task.headers.map { "\($0.name): \($0.value)" } == fields)
        #expect(task.removedHeaders == removed)
    }
}
