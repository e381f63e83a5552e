import Testing

@testable import FetchCommand

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

    @Test("every flag is either obeyed in the background, or refused with a reason")
    func everyFlag() {
        let orders: Set = [
            "--attach", "--background-list", "--background-pause", "--background-resume",
            "--background-cancel",
        ]
        for flag in Flags.all {
            let name = flag.names[0]
            let isRefused = BackgroundFlags.refused[name] != nil || orders.contains(name)
            #expect(isRefused != BackgroundFlags.obeyed.contains(name), "\(name)")
        }
        let known = Set(Flags.all.map { $0.names[0] })
        #expect(BackgroundFlags.obeyed.isSubset(of: known))
        #expect(Set(BackgroundFlags.refused.keys).isSubset(of: known))
        for order in orders { #expect(BackgroundFlags.obeyed(by: order).isSubset(of: known)) }
    }

    @Test(
        "what cannot be obeyed is named with its reason",
        arguments: [
            ["--data", "x"], ["-O", "-"], ["--upload-file", "-"], ["--user", "n:p"],
            ["--har", "f"],
            ["--checksum", "sha256:00"], ["--head"], ["--redirect", "none"], ["--jobs", "2"],
        ]
    )
    func refused(words: [String]) throws {
        let options: Options
        do {
            options = try FlagParser.parse(["-b", "http://h/x"] + words)
        } catch {
            // A value that is none by itself is another matter.
            options = try FlagParser.parse(["-b", "http://h/x", "--checksum", Self.digest])
        }
        #expect(throws: UsageError.self) { try Conflicts.check(options) }
    }

    private static let digest = "sha256:" + String(repeating: "0", count: 64)

    @Test("a password that is sent unasked may be kept, another not")
    func passwords() throws {
        #expect(try refusal("-b", "--user", "n:p", "http://h/x") != nil)
        #expect(try refusal("-b", "--auth", "basic", "--user", "n:p", "http://h/x") == nil)
    }

    @Test("what is for the background alone is nothing without it")
    func alone() throws {
        #expect(try refusal("--identifier", "x", "http://h/x") != nil)
        #expect(try refusal("--on-complete", "true", "http://h/x") != nil)
        #expect(
            try refusal("-b", "--identifier", "x", "--on-complete", "true", "http://h/x") == nil
        )
    }

    @Test("an order fetches nothing")
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
