import SystemPackage
import Testing

@testable import FetchCommand

@Suite struct BodyPlanTests {
    private let folder: ScratchFolder
    private let path: String

    init() throws {
        folder = try ScratchFolder()
        path = try folder.file("f", "a\r\nb\n")
    }

    private func body(_ arguments: String...) throws -> BodyPlan {
        try plan(arguments.map { $0.hasSuffix("FILE") ? $0.dropLast(4) + path : $0 } + ["h/"])
            .tasks[0].body
    }

    @Test func restOfAFile() throws {
        let rest = try body("--upload-file", "FILE", "--upload-offset", "2")
        #expect(rest == .rest(ofFile: path, from: 2, size: 5))
        #expect(rest.length == 3)
        #expect(rest.isSent && !rest.readsStandardInput)
        let whole = try body("--upload-file", "FILE", "--upload-offset", "0")
        #expect(whole == .file(path: path, length: 5))
        let task = try plan("--upload-file", path, "-C", "4", "h/").tasks[0]
        #expect(task.headers.contains(HeaderField("Content-Range", "bytes 4-4/5")))
        let own = try plan("--upload-file", path, "-C", "4", "-H", "content-range: x", "h/").tasks[
            0
        ]
        #expect(
            own.headers.filter { $0.isNamed("Content-Range") } == [
                HeaderField("content-range", "x")
            ]
        )
    }

    @Test(arguments: ["5", "6", "9223372036854775806"])
    func anOffsetAtTheEndOfAFileIsAnError(_ offset: String) throws {
        let failure = fileFailure(["--upload-file", path, "--upload-offset", offset, "h/"])
        #expect(failure?.message.contains("has 5 bytes") == true)
        #expect(fileFailure(["--upload-file", "/dev/null", "-C", "1", "h/"]) != nil)
    }

    @Test func pieces() throws {
        #expect(try body("-d", "a=1", "--post-data", "b=2") == .data(Array("a=1&b=2".utf8)))
        #expect(try body("-d", "") == .data([]))
        #expect(try body("-d", "a", "-d", "") == .data(Array("a&".utf8)))
        #expect(try body("-d", "@FILE") == .data(Array("ab".utf8)))
        #expect(try body("-d", "x", "--data-binary", "@FILE") == .data(Array("x&a\r\nb\n".utf8)))
        #expect(try body("-d", "a\r\nb") == .data(Array("a\r\nb".utf8)))
        #expect(try body("--json", "{", "--json", "}") == .data(Array("{}".utf8)))
        #expect(try body("-O-") == BodyPlan.none)
    }

    @Test func streams() throws {
        #expect(try body("--data-binary", "@FILE") == .file(path: path, length: 5))
        #expect(try body("--json", "@FILE") == .file(path: path, length: 5))
        #expect(try body("--upload-file", "FILE") == .file(path: path, length: 5))
        #expect(try body("--post-file", "FILE") == .file(path: path, length: 5))
        #expect(try body("--post-file", "/dev/null") == .file(path: "/dev/null", length: nil))
        #expect(try body("-d", "@-") == .standardInput(stripsLineEnds: true))
        #expect(try body("--data-binary", "@-") == .standardInput(stripsLineEnds: false))
        #expect(try body("--json", "@-") == .standardInput(stripsLineEnds: false))
        #expect(try body("--body-file", "-") == .standardInput(stripsLineEnds: false))
    }

    @Test func lengths() throws {
        #expect(try body("-d", "abc").length == 3)
        #expect(try body("-O-").length == 0)
        #expect(try body("--upload-file", "-").length == nil)
        #expect(try body("--upload-file", "-").readsStandardInput)
        #expect(try !body("--upload-file", "FILE").readsStandardInput)
    }

    @Test func formParts() throws {
        guard case .form(let form) = try body("-F", "a=<FILE", "-F", "b=@FILE", "-F", "c=d") else {
            Issue.record("no form")
            return
        }
        #expect(form.parts.map(\.name) == ["a", "b", "c"])
        #expect(form.parts.map(\.filename) == [nil, "f", nil])
        #expect(form.parts.map(\.contentType) == [nil, "application/octet-stream", nil])
        #expect(form.parts[0].content == .file(path: path, length: 5))
    }

    @Test(arguments: [
        ["-d", "@/no/such"], ["--data-binary", "@/no/such"], ["--json", "@/no/such"],
        ["-F", "a=@/no/such"], ["-F", "a=</no/such"], ["--upload-file", "/no/such"],
        ["--post-file", "/no/such"], ["--ca-certificate", "/no/such"],
        ["--ca-directory", "/no/such"],
        ["--crl-file", "/no/such"], ["--certificate", "/no/such"],
        ["--certificate", "/dev/null", "--private-key", "/no/such"],
        ["--pinned-pubkey", "/no/such"],
    ])
    func missingFiles(_ arguments: [String]) throws {
        let failure = try #require(fileFailure(arguments + ["h/"]))
        #expect(failure == .file(path: "/no/such", "\(Errno.noSuchFileOrDirectory)"))
        #expect(failure.message == "/no/such: No such file or directory")
    }

    @Test(arguments: [
        ["-d", "@/tmp"], ["-F", "a=@/tmp"], ["--upload-file", "/tmp"],
        ["--ca-certificate", "/tmp"],
        ["-O", "/tmp"],
    ])
    func foldersAreRefused(_ arguments: [String]) throws {
        #expect(fileFailure(arguments + ["h/"]) == .file(path: "/tmp", "is a directory"))
    }

    @Test(arguments: ["--ca-directory", "-P"])
    func aFileInThePathIsAnError(_ flag: String) throws {
        #expect(
            fileFailure([flag, "/dev/null", "h/"])
                == .file(path: "/dev/null", "is not a directory")
        )
    }
}
