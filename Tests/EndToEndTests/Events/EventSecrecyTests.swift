import Foundation
import TestSupport
import Testing

/// The content of `--events json` from hostile servers and with credentials.
@Suite("Secrets and hostile bytes in events", .timeLimit(.minutes(1)))
struct EventSecrecyTests {
    @Test("the lines are JSON in UTF-8, whatever bytes a server sends")
    func hostileResponse() async throws {
        let server = try SocketServer { connection in
            while let head = try connection.nextHead() {
                let status = head.target == "/" ? "302 F\u{1b}[2J" : "404 "
                var response = Array("HTTP/1.1 \(status)".utf8) + [0xFF, 0xC3, 0x28, 0x22, 0x5C]
                response += Array(
                    "\r\nLocation: /%ff\"\\x\r\nContent-Length: 0\r\nX-A: \"\\\t".utf8
                )
                response += Array(0x80...0xFF) + Array("\r\nX-B: \u{202e}\u{9b}{\u{7f}\r\n".utf8)
                response += Array("Link: <//me:s3cret@host/>\r\n\r\n".utf8)
                try connection.send(response)
            }
        }
        let (result, events) = try await Events.run([server.url()])
        #expect([7, 8].contains(result.status), "\(result)")
        let text = try #require(result.folder.readText("events"))
        #expect(events.all.first?.header("response").contains { $0.contains("\"\\\t") } == true)
        #expect(!text.contains("s3cret"))
        let harmful = text.unicodeScalars.filter {
            ($0.value < 0x20 && $0 != "\n") || (0x7F..<0xA0).contains($0.value) || $0 == "\u{202e}"
        }
        #expect(harmful.isEmpty)
    }

    @Test("no event contains a secret, in JSON or text", arguments: ["--events-file", "-vv"])
    func secrets(flag: String) async throws {
        let server = try SocketServer { connection in
            while let head = try connection.nextHead() {
                let fields = ["Set-Cookie: id=s3cret; Path=/", "Set-Cookie: b=s3cret"]
                if head.target == "/in" {
                    let location = "http://you:s3cret@127.0.0.1:\(head["Host"]?.suffix(5) ?? "")/x"
                    try connection.respond("302 Found", ["Location: \(location)"] + fields)
                } else {
                    try connection.respond("200 OK", fields, body: "x")
                }
            }
        }
        let arguments = [
            "-H", "Authorization: Bearer s3cret", "-H", "Cookie: a=s3cret",
            "-H", "Proxy-Authorization: Basic s3cret", "-O", "out",
            "http://me:s3cret@127.0.0.1:\(server.port)/in?q=1",
            "http://me:s3cret@127.0.0.1:\(server.port)/in",
        ]
        if flag == "-vv" {
            let result = try await FetchProcess(["-vv"] + arguments.dropLast()).run()
            #expect(result.status == 0, "\(result)")
            #expect(result.stderr.contains("* task 1 "))
            #expect(!result.stderr.contains("s3cret"), "\(result)")
            return
        }
        let (result, events) = try await Events.run(
            arguments.filter { $0 != "-O" && $0 != "out" } + ["-P", "."]
        )
        #expect(result.status == 0, "\(result)")
        #expect(server.heads.contains { $0["Authorization"] == "Bearer s3cret" })
        let text = try #require(result.folder.readText("events"))
        #expect(!text.contains("s3cret"))
        #expect(events.names.contains("willPerformHTTPRedirection"))
        #expect(text.contains(#""name":"Set-Cookie","value":"(redacted)""#))
        #expect(text.contains(#""name":"Authorization","value":"(redacted)""#))
    }
}
