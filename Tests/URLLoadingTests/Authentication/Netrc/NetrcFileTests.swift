import Glibc
import SystemPackage
import TestSupport
import Testing

@testable import URLLoading

@Suite("Netrc files", .timeLimit(.minutes(1)))
struct NetrcFileTests {
    private func file(_ path: String) throws -> NetrcFile {
        try #require(NetrcFile(named: path, environment: { _ in nil }))
    }

    /// Writes a file with permissions.
    private func write(
        _ text: String,
        mode: mode_t,
        in folder: TestSupport.TemporaryFolder
    ) throws -> String {
        let path = try folder.write(text, to: "netrc")
        try #require(chmod(path, mode) == 0)
        return path
    }

    /// The named path, the environment, the resulting path, and whether it counts as named.
    static let places: [(String?, [String: String], String?, Bool)] = [
        ("/a", ["NETRC": "/b", "HOME": "/h"], "/a", true),
        (nil, ["NETRC": "/b", "HOME": "/h"], "/b", true),
        (nil, ["HOME": "/h"], "/h/.netrc", false), (nil, ["HOME": "/h/"], "/h/.netrc", false),
        (nil, ["NETRC": "", "HOME": "/"], "/.netrc", false), (nil, [:], nil, false),
    ]

    @Test("the named file counts, then NETRC, then the file in the home folder", arguments: places)
    func place(named: String?, environment: [String: String], path: String?, isNamed: Bool) {
        let file = NetrcFile(named: named, environment: { environment[$0] })
        #expect(file?.path == path)
        #expect((file?.isNamed ?? false) == isNamed)
    }

    @Test("a file is read, with a warning where others may read it too")
    func permissions() throws {
        let folder = try TemporaryFolder()
        let text = "machine h password pw"
        let own = try file(write(text, mode: 0o600, in: folder)).read()
        #expect(own?.warning == nil)
        #expect(own?.netrc.entries.count == 1)
        for mode: mode_t in [0o644, 0o640, 0o604, 0o620, 0o601] {
            let content = try file(write(text, mode: mode, in: folder)).read()
            #expect(content?.warning == .loosePermissions(UInt16(mode)))
            #expect(content?.netrc.entries.count == 1)
        }
        let words = "\(NetrcFile.Warning.loosePermissions(0o644))"
        #expect(words.contains("644") && words.contains("chmod 600"))
    }

    @Test("a missing file is an error only where it was named")
    func missing() throws {
        let folder = try TemporaryFolder()
        let home = try #require(NetrcFile(environment: { $0 == "HOME" ? folder.path : nil }))
        #expect(try home.read() == nil)
        #expect(throws: NetrcFile.Failure.unreadable(.noSuchFileOrDirectory)) {
            try file(folder.path("none")).read()
        }
    }

    @Test("a file that is irregular, too large or malformed is refused with the reason")
    func refused() throws {
        let folder = try TemporaryFolder()
        #expect(throws: NetrcFile.Failure.notAFile) { try file(folder.path).read() }
        let large = try write(String(repeating: "# ", count: 600_000), mode: 0o600, in: folder)
        #expect(throws: NetrcFile.Failure.tooLarge) { try file(large).read() }
        let malformed = try write("machine h\npassword \"x", mode: 0o600, in: folder)
        #expect(throws: NetrcFile.Failure.malformed(.openQuote(line: 2))) {
            try file(malformed).read()
        }
        #expect(
            "\(NetrcFile.Failure.malformed(.openQuote(line: 2)))" == "line 2: a quote is not closed"
        )
        mkfifo(folder.path(".netrc"), 0o600)
        let home = try #require(NetrcFile(environment: { $0 == "HOME" ? folder.path : nil }))
        #expect(throws: NetrcFile.Failure.notAFile) { try home.read() }
    }

    @Test("a link to another file is followed")
    func links() throws {
        let folder = try TemporaryFolder()
        let target = try write("machine h password pw", mode: 0o600, in: folder)
        try #require(symlink(target, folder.path("link")) == 0)
        #expect(try file(folder.path("link")).read()?.netrc.entries.count == 1)
    }

    @Test("a named pipe is read to its end")
    func pipes() throws {
        var ends: [CInt] = [0, 0]
        try #require(pipe(&ends) == 0)
        let text = "machine h password pw"
        #expect(Glibc.write(ends[1], text, text.utf8.count) == text.utf8.count)
        close(ends[1])
        defer { close(ends[0]) }
        let content = try file("/dev/fd/\(ends[0])").read()
        #expect(content?.netrc.entry(for: "h")?.password?.text == "pw")
        #expect(content?.warning == nil)
    }
}
