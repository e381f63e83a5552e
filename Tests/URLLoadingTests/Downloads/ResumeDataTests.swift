import FoundationEssentials
import SystemPackage
import TestSupport
import Testing

@testable import URLLoading

@Suite("Resume data")
struct ResumeDataTests {
    /// Resume data as text, with members changed or, with `nil`, left out.
    private func text(_ changes: [String: String?] = [:]) -> Data {
        var members: [String: String] = [
            "format": "\"URLLoading resume data\"", "version": "1", "url": "\"http://h/a?b\"",
            "fields": "[[\"X-Test\",\"1\"]]", "entityTag": "\"\\\"a\\\"\"", "receivedBytes": "5",
            "totalBytes": "9", "partFile": "\"/tmp/a.part\"",
            "identity":
                "{\"device\":1,\"inode\":2,\"size\":5,\"modified\":1,\"boot\":\"b\"}",
        ]
        for (name, value) in changes { members[name] = value }
        return Data("{\(members.map { "\"\($0.key)\":\($0.value)" }.joined(separator: ","))}".utf8)
    }

    @Test("T-08 resume data is the same after writing and reading")
    func roundTrip() throws {
        let data = try ResumeData(text())
        #expect(data.url == "http://h/a?b")
        #expect(data.validator == .entityTag("\"a\""))
        #expect(data.receivedBytes == 5)
        #expect(data.totalBytes == 9)
        #expect(data.file == .partFile("/tmp/a.part"))
        #expect(try ResumeData(data.encoded) == data)
        let open = try ResumeData(
            text([
                "totalBytes": nil, "entityTag": nil,
                "lastModified": "\"Sun, 06 Nov 1994 08:49:37 GMT\"", "partFile": nil,
                "temporaryFile": "\"URLLoading-12.tmp\"", "identity": nil,
            ])
        )
        #expect(open.totalBytes == nil)
        #expect(open.file == .temporary("URLLoading-12.tmp"))
        #expect(try ResumeData(open.encoded) == open)
    }

    @Test("T-08 resume data of an older or a newer version is an error that names the version")
    func versions() {
        for version in [0, 4] {
            #expect(throws: ResumeDataError.version(version)) {
                try ResumeData(text(["version": "\(version)"]))
            }
        }
    }

    @Test(
        "T-08 garbled data is an error",
        arguments: [
            ["format": "\"other\""], ["version": "\"1\""], ["url": "\"ftp://h/\""],
            ["url": "\"http://u:p@h/\""], ["url": "\"nonsense\""], ["url": "7"],
            ["fields": "[[\"a\"]]"], ["fields": "[[\"Authorization\",\"x\"]]"],
            ["entityTag": "\"W/\\\"a\\\"\""], ["entityTag": "\"\\\"a\\\"\\r\\nX: y\""],
            ["lastModified": "\"Sun, 06 Nov 1994 08:49:37 GMT\""], ["receivedBytes": "10"],
            ["receivedBytes": "0"], ["receivedBytes": "-1"], ["receivedBytes": "1e99"],
            ["totalBytes": "-1"], ["partFile": "\"relative\""], ["partFile": "\"/a\\u0000b\""],
            ["temporaryFile": "\"URLLoading-1.tmp\""], ["identity": "3"], ["entityTag": nil],
        ] as [[String: String?]]
    )
    func garbled(_ changes: [String: String?]) {
        #expect(throws: ResumeDataError.self) { try ResumeData(text(changes)) }
    }

    @Test(
        "T-08 a temporary file's name leads to no other folder",
        arguments: [
            "../URLLoading-1.tmp", "URLLoading-1.tmp/../x", "URLLoading-.tmp", "URLLoading-x.tmp",
            "URLLoading-1/.tmp", "/etc/passwd", "",
        ]
    )
    func temporaryNames(_ name: String) {
        #expect(throws: ResumeDataError.self) {
            try ResumeData(text(["partFile": nil, "temporaryFile": "\"\(name)\""]))
        }
    }

    @Test("T-08 truncated resume data is an error, or equals the whole")
    func truncated() throws {
        let whole = text()
        let data = try ResumeData(whole)
        for count in 0..<whole.count {
            let read = try? ResumeData(whole.prefix(count))
            #expect(read == nil || read == data)
        }
        #expect(throws: ResumeDataError.self) { try ResumeData(Data(count: 1 << 20)) }
    }

    @Test("T-08 resume data contains no credential")
    func secrets() throws {
        var request = try request("http://user:secret@h/a#fragment")
        request.headerFields["Authorization"] = "Bearer secret"
        request.headerFields["Cookie"] = "a=secret"
        request.headerFields["X-Test"] = "1"
        let fields = HTTPHeaderFields(["ETag": "\"a\""])
        let made = try #require(ResumeData(request, fields, totalBytes: 3))
        #expect(made.url == "http://h/a")
        #expect(made.fields.map(\.name) == ["X-Test"])
        #expect(!String(decoding: made.encoded, as: UTF8.self).contains("secret"))
    }

    @Test("T-08 resume data neither replaces nor removes a body that has got its name")
    func otherFiles() throws {
        let folder = try TestSupport.TemporaryFolder()
        let data = try ResumeData(text())
        for name in ["x.part.resume", "x.part.resume~"] {
            let part = try PartFile(
                .partFile(URL(filePath: folder.path("x.part")), keepsResumeData: true),
                temporaryFolder: folder.path
            )
            try folder.write("a body", to: name)
            #expect(throws: Errno.fileExists) { try part.write(data) }
            part.close(keeping: false)
            #expect(folder.names() == [name])
            #expect(folder.readText(name) == "a body")
            try FileManager.default.removeItem(atPath: folder.path(name))
            let second = try PartFile(
                .partFile(URL(filePath: folder.path("x.part")), keepsResumeData: true),
                temporaryFolder: folder.path
            )
            try second.write(data)
            try second.write(data)
            #expect(folder.names() == ["x.part", "x.part.resume"])
            second.close(keeping: false)
            #expect(folder.names() == [])
        }
    }
}
