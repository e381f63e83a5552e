import Testing

@testable import FetchCommand
@testable import URLLoading

@Suite("Flags and background sessions")
struct BackgroundFlagsTests {
    private func refusal(_ arguments: String...) throws -> UsageError? {
        let options = try FlagParser.parse(arguments)
        do throws(UsageError) {
            try Conflicts.check(options)
            return nil
        } catch {
            return error
        }
    }

    /// The first conflict with `--background`.
    private func background(_ options: Options) -> UsageError? {
        do throws(UsageError) {
            try Conflicts.checkBackground(options)
            return nil
        } catch {
            return error
        }
    }

    @Test("--background accepts each flag, or refuses it with a reason")
    func everyFlag() {
        for flag in Flags.all {
            var given = Options()
            given.urls = ["http://h/x"]
            given.background = true
            given.given = ["--background", flag.names[0]]
            let expected = flag.refusal.map { refusal in
                UsageError.conflict("--background", flag.names[0], reason: refusal.rawValue)
            }
            #expect(background(given) == expected, "\(flag.names[0])")
            #expect(flag.refusal?.rawValue.isEmpty != true)
        }
        // A flag without a refusal is obeyed. A new flag changes this number: check that it is obeyed.
        #expect(Flags.all.count { $0.refusal == nil } == 120)
    }

    @Test("a background action accepts output flags, and --attach also credentials")
    func besideOrders() {
        for order in ["--attach", "--background-list", "--session-list"] {
            for flag in Flags.all where flag.names[0] != order {
                var given = Options()
                given.given = [order, flag.names[0]]
                let isTaken = flag.orders == .all || order == "--attach" && flag.orders == .attach
                #expect(
                    ((try? Conflicts.check(order, given, withURL: "")) != nil) == isTaken,
                    "\(flag.names[0])"
                )
            }
        }
        #expect(Flags.all.count { $0.orders == .all } == 13)
        #expect(Flags.all.count { $0.orders == .attach } == 12)
    }

    @Test(
        "--background refuses flags that a background session cannot support",
        arguments: [
            ["--data", "x"], ["-O", "-"], ["--upload-file", "-"], ["--user", "n:p"],
            ["--har", "f"],
            ["--save-cookies", "f"], ["--head"], ["--redirect", "none"], ["--fail-early"],
        ]
    )
    func refused(words: [String]) throws {
        let options = try FlagParser.parse(["-b", "http://h/x"] + words)
        #expect(throws: UsageError.self) { try Conflicts.check(options) }
    }

    @Test("--all is no session's name, so it can mean all sessions")
    func resumeAll() throws {
        for words in [["--background-resume", "--all"], ["--background-resume-all"]] {
            #expect(try FlagParser.parse(words).backgroundAction == .resumeAll)
        }
        let named = try BackgroundIdentifier("--all")
        #expect(
            try FlagParser.parse(["--background-resume=--all"]).backgroundAction
                == .send(.resume, to: named)
        )
    }

    @Test("--background accepts a password only with --auth basic")
    func passwords() throws {
        #expect(try refusal("-b", "--user", "n:p", "http://h/x") != nil)
        #expect(try refusal("-b", "--auth", "basic", "--user", "n:p", "http://h/x") == nil)
    }

    @Test("flags for background sessions require --background")
    func alone() throws {
        #expect(try refusal("--identifier", "x", "http://h/x") != nil)
        #expect(try refusal("--on-complete", "true", "http://h/x") != nil)
        #expect(
            try refusal("-b", "--identifier", "x", "--on-complete", "true", "http://h/x") == nil
        )
    }

    @Test("a background action accepts no URL and no output file")
    func orders() throws {
        #expect(try refusal("--background-list") == nil)
        #expect(try refusal("--background-list", "http://h/x") != nil)
        #expect(try refusal("--attach", "x", "-O", "file") != nil)
        #expect(try refusal("--attach", "x", "--events-file", "file", "-vv") == nil)
        #expect(throws: UsageError.self) {
            try FlagParser.parse(["--attach", "x", "--background-pause", "x"])
        }
        #expect(throws: UsageError.self) { try FlagParser.parse(["--attach", ""]) }
    }
}
