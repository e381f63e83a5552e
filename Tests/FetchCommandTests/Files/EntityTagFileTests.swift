import HTTPSemantics
import Testing

@testable import FetchCommand

@Suite struct EntityTagFileTests {
    private let folder: ScratchFolder

    init() throws {
        folder = try ScratchFolder()
    }

    private func sent(_ content: String) throws -> [String] {
        let path = try folder.file("tag", content)
        return try plan("--etag-compare", path, "h/").tasks[0].headers
            .filter { $0.isNamed("If-None-Match") }.map(\.value)
    }

    @Test(
        arguments: [
            ("\"abc\"\n", "\"abc\""), ("W/\"a\"", "W/\"a\""), ("\n \n \"a\" \r\n\"b\"\n", "\"a\""),
            ("\"\"", "\"\""), ("\"é!#~\"\n", "\"é!#~\""),
        ]
    )
    func isSentInTheCondition(_ content: String, _ tag: String) throws {
        #expect(try sent(content) == [tag])
    }

    @Test(arguments: ["", "\n", " \r\n\t"])
    func emptyIsNoTag(_ content: String) throws {
        #expect(try sent(content) == [])
    }

    @Test(
        arguments: [
            "abc", "\"a b\"", "\"a", "w/\"a\"", "W/a", "*", "\"a\", \"b\"", "\"a\"\u{0}",
            "\"a\rX: y\"",
            "\"a\"b\"", "\u{FEFF}\"a\"", "\"a\u{7F}\"", "\"",
        ]
    )
    func otherTextIsRefused(_ content: String) throws {
        let path = try folder.file("tag", content)
        let failure = fileFailure(["--etag-compare", path, "h/"])
        #expect(failure?.message.contains("no entity tag") == true, "\(content.debugDescription)")
    }

    @Test func aFileMayBeMissingIfTheRunCreatesIt() throws {
        let missing = folder.path + "/missing"
        #expect(fileFailure(["--etag-compare", missing, "h/"]) != nil)
        let task = try plan("--etag-compare", missing, "--etag-save", missing, "h/").tasks[0]
        #expect(!task.headers.contains { $0.isNamed("If-None-Match") })
    }

    @Test func aFileThatIsTooLongIsRefused() throws {
        let path = try folder.file("tag", "\"" + String(repeating: "a", count: 20_000) + "\"")
        #expect(fileFailure(["--etag-compare", path, "h/"]) != nil)
    }
}
