import Testing

@testable import FetchCommand

/// Where the bodies of pasted lines go.
@Suite struct PastedOutputTests {
    @Test(arguments: [
        ["-O", "http://h/x"], ["http://h/x", "-O"], ["-O", "-L", "h/x"], ["-OL", "h/x"],
        ["-LO", "http://h/x"], ["-sSOL", "h/x"], ["-O", "h.example/x"], ["--remote-name", "h/x"],
        ["--remote-name-all", "h/x"], ["-O", "--", "h/x"], ["-OC", "-", "h/x"],
    ])
    func theURLsOwnName(_ arguments: [String]) throws {
        let task = try #require(try plan(arguments).tasks.first)
        #expect(task.kind.file?.name == "x")
        #expect(task.kind.file?.ifExists == .replace)
    }

    @Test(
        arguments: [
            (["-O", "h.example/a", "-O", "u:p@g/b"], ["h.example/a", "u:p@g/b"], [nil, nil]),
            (["-O", "h/a", "-o", "c", "h/b"], ["h/a", "h/b"], [nil, "c"]),
            (["-O", "d.e/a", "-O", "d.e/b", "http://h/x"], ["http://h/x"], ["d.e/b"]),
            (["-O", "./h/a", "http://h/x"], ["http://h/x"], ["./h/a"]),
            (["-Okin", "http://h/x"], ["http://h/x"], ["kin"]),
            (["-sOLn", "http://h/x"], ["http://h/x"], [nil]),
        ] as [([String], [String], [String?])]
    )
    func anOutputThatIsAURL(_ arguments: [String], _ urls: [String], _ names: [String?]) throws {
        let options = try FlagParser.parse(arguments)
        #expect(options.urls == urls)
        #expect(options.outputs.suffix(names.count) == names.map { $0.map(OutputName.path) }[...])
    }

    @Test(
        arguments: [
            (["-o", "a", "-o", "b", "h/x"], "a"), (["-o", "a", "-LO", "http://h/x"], "a"),
            (["-LO", "http://h/x", "-o", "a"], nil), (["-O", "a", "-O", "b", "h/x"], "b"),
        ] as [([String], String?)]
    )
    func ofSeveralNamesCurlTakesTheFirst(_ arguments: [String], _ name: String?) throws {
        #expect(try FlagParser.parse(arguments).outputs == [name.map(OutputName.path)])
    }

    @Test(arguments: [["-sJ"], ["-sC", "-"], ["-s", "--remote-header-name"], ["-L", "-C", "-"]])
    func flagsThatConcernANamedFileAlone(_ arguments: [String]) throws {
        let options = try FlagParser.parse(arguments + ["http://h/x"])
        #expect(options.choosingOutput(isTerminal: false).outputs == [.standardOutput])
        let terminal = options.choosingOutput(isTerminal: true)
        #expect(terminal.contentDisposition || terminal.continues)
        for place in [["-O"], ["-P", "d"]] {
            let named = try FlagParser.parse(arguments + place + ["http://h/x"])
                .choosingOutput(isTerminal: false)
            #expect(named.contentDisposition || named.continues)
        }
    }

    @Test func ofEqualNamesTheFirstReplaces() throws {
        let tasks = try plan("-O", "http://h/x", "-O", "http://g/x").tasks
        #expect(tasks.map(\.kind.file?.ifExists) == [.replace, .number])
    }

    @Test(
        arguments: [
            (["-fsSL"], true), (["-s"], true), (["--location"], true), (["-m", "5"], true),
            (["--retry", "1"], true), (["-N", "-s"], true), (["-q"], false), ([], false),
            (["-s", "-P", "d"], false), (["-sO", "-L"], false), (["-s", "-o", "f"], false),
            (["-sc"], false), (["-s", "-nc"], false), (["-LJ"], true), (["-si"], true),
            (["-s", "-b"], false),
        ] as [([String], Bool)]
    )
    func curlsStandardOutput(_ flags: [String], _ isTaken: Bool) throws {
        let options = try FlagParser.parse(flags + ["http://h/x"])
        let chosen = options.choosingOutput(isTerminal: false)
        #expect((chosen.output == .standardOutput) == isTaken)
        #expect(options.choosingOutput(isTerminal: true).output == options.output)
    }

    @Test func aMethodThatIsNotGetWritesToStandardOutput() throws {
        #expect(try plan("-X", "DELETE", "h/x").tasks[0].kind.destination == .standardOutput)
        #expect(try plan("-X", "OPTIONS", "-O", "f", "h/x").tasks[0].kind.file?.name == "f")
        #expect(try plan("-X", "DELETE", "-P", "d", "h/x").tasks[0].kind.file?.name == "x")
    }

    @Test(
        arguments: [
            ([], "d/e/f.txt", "h:8080/d/e"), (["-nH"], "d/e/f.txt", "d/e"),
            (["--cut-dirs=1"], "d/e/f.txt", "h:8080/e"),
            (["-nH", "--cut-dirs=9"], "d/e/f.txt", "."),
            (["-P", "p"], "d/f.txt", "p/h:8080/d"),
            ([], "%2e%2e/..%2fx/f.txt", "h:8080/index.html/_.._x"),
            ([], "a/../b/./c/f.txt", "h:8080/b/c"), ([], "../../f.txt", "h:8080"),
            ([], "a//../b//f.txt", "h:8080/a/b"),
        ] as [([String], String, String)]
    )
    func folders(_ flags: [String], _ path: String, _ folder: String) throws {
        let task = try plan(["--force-directories"] + flags + ["http://h:8080/" + path]).tasks[0]
        #expect(task.kind.file?.folder == folder)
        #expect(task.kind.file?.name == "f.txt")
    }

    @Test func keptDotSegmentsAreNoFolders() throws {
        let flags = ["--force-directories", "--path-as-is"]
        let task = try plan(flags + ["http://h/f/a/.."]).tasks[0]
        #expect(task.kind.file?.path == "h/f/a/index.html")
    }
}
