import SystemPackage
import Testing
import URLLoading

@testable import FetchCommand

/// Flags of authentication, and the plan that they give.
@Suite struct AuthenticationPlanTests {
    private static func header(_ arguments: String...) throws -> [[String]] {
        try plan(arguments).tasks.map { task in
            task.headers.filter { $0.isNamed("Authorization") }.map(\.value)
        }
    }

    @Test func aUserWaitsForAChallengeExceptWithBasic() throws {
        #expect(try Self.header("-u", "me:pw", "http://h/") == [[]])
        #expect(try Self.header("http://me:pw@h/") == [[]])
        #expect(try Self.header("-u", "me:pw", "--auth", "basic", "h") == [["Basic bWU6cHc="]])
        #expect(try Self.header("http://me:pw@h/", "--auth", "basic") == [["Basic bWU6cHc="]])
        #expect(try Self.header("-u", "me:pw", "--auth", "digest", "h") == [[]])
    }

    @Test(
        arguments: [
            ("machine h login me password pw", [], ["Basic bWU6cHc="]),
            ("machine h password pw", [], ["Basic OnB3"]),
            ("machine h password pw", ["-u", "me"], ["Basic bWU6cHc="]),
            ("machine h login you password pw", ["-u", "me"], []),
            ("machine h login you password no", ["-u", "me:pw"], ["Basic bWU6cHc="]),
            ("machine k login me password pw", [], []),
            ("default login me password pw", [], ["Basic bWU6cHc="]),
            ("machine h login me password pw", ["--save-credentials"], []),
            ("machine h login me password pw", ["--no-netrc"], []),
        ] as [(String, [String], [String])]
    )
    func aNetrcIsSentAtOnceWithBasic(
        _ text: String,
        _ arguments: [String],
        _ sent: [String]
    ) throws {
        let folder = try ScratchFolder()
        let named = ["--netrc-file", try folder.file("netrc", text)]
        let line = (arguments.contains("--no-netrc") ? [] : named) + arguments
        let tasks = try plan(line + ["--auth", "basic", "http://h/"]).tasks
        #expect(tasks[0].headers.filter { $0.isNamed("Authorization") }.map(\.value) == sent)
        let asked = try plan(line + ["http://h/"]).tasks
        #expect(!asked[0].headers.contains { $0.isNamed("Authorization") })
    }

    @Test func savedCredentialsNeedARealm() throws {
        #expect(
            try Self.header("-u", "me:pw", "--auth", "basic", "--save-credentials", "h") == [[]]
        )
    }

    @Test func aBearerTokenIsForTheFirstURLsOriginAlone() throws {
        let headers = try Self.header("--bearer", "tok", "http://a/1", "http://a/2", "http://b/")
        #expect(headers == [["Bearer tok"], ["Bearer tok"], []])
    }

    @Test func theUsersOwnHeaderHasPrecedence() throws {
        let own = try plan("-H", "Authorization: x", "-u", "me:pw", "--auth", "basic", "http://h/")
        #expect(own.tasks[0].headers.filter { $0.isNamed("Authorization") }.map(\.value) == ["x"])
        #expect(own.tasks[0].identity == .none)
        #expect(
            try Self.header("-H", "Authorization:", "-u", "me:pw", "--auth", "basic", "h") == [[]]
        )
    }

    @Test func theFlagsUserHasPrecedenceOverTheURLs() throws {
        let identity = try plan("-u", "me:pw", "http://you:other@h/").tasks[0].identity
        #expect(identity.credential == UserPassword(user: "me", password: "pw"))
        #expect(identity.source == .user)
    }

    @Test func aPasswordAloneBelongsToTheURLsUser() throws {
        let identity = try plan("--password", "pw", "http://you@h/").tasks[0].identity
        #expect(identity.credential == UserPassword(user: "you", password: "pw"))
        let orphan = usageError(["--password", "pw", "http://h/"])
        #expect(orphan?.message.contains("no user name") == true)
    }

    @Test func anEmptyPasswordIsOne() throws {
        let identity = try plan("-u", "me:", "http://h/").tasks[0].identity
        #expect(identity.credential == UserPassword(user: "me", password: ""))
    }

    @Test(arguments: [
        ["-u", "me:s3cret", "--password", "s3cret"],
        ["-u", "me:s3cret", "--ask-password"],
        ["--bearer", "s3cret", "-u", "me:s3cret"],
        ["--bearer", "s3cret"],
        ["--bearer", "s3 cret"],
        ["-u", ":s3cret"],
        ["-u", "me:s3cret\u{7}"],
        ["-u", "env:s3cret"],
        ["--password", "fd:s3cret", "-u", "me"],
        ["--password", "fd:9999", "-u", "s3cret"],
        ["--password", ""],
        ["-u", "me", "--save-credentials", "--forget-credentials"],
        ["--use-askpass", ""],
    ])
    func anErrorDoesNotContainTheSecret(_ arguments: [String]) {
        // One of the arguments' lists is valid.
        guard arguments != ["--bearer", "s3cret"] else { return }
        let error = usageError(arguments + ["http://h/"])
        #expect(error != nil, "\(arguments.count)")
        #expect(error?.message.contains("s3cret") == false, "\(error?.message ?? "")")
        #expect(error?.hint?.contains("s3cret") != true)
    }

    @Test func secretsAreReadFromFiles() throws {
        let folder = try ScratchFolder()
        let file = try folder.file("secret", "pw with blanks \r\nmore\n")
        let identity = try plan("-u", "me", "--password", "@\(file)", "http://h/").tasks[0].identity
        #expect(identity.credential?.password == "pw with blanks ")
        let pair = try folder.file("pair", "you:and:more")
        let other = try plan("-u", "@\(pair)", "http://h/").tasks[0].identity
        #expect(other.credential == UserPassword(user: "you", password: "and:more"))
        let failure = fileFailure(["--bearer", "@\(folder.path)/none", "http://h/"])
        #expect(failure == .file(path: "\(folder.path)/none", "\(Errno.noSuchFileOrDirectory)"))
    }

    @Test func nothingShowsASecret() throws {
        let made = try plan("-u", "me:s3cret", "--auth", "basic", "http://h/")
        var text = String(describing: made) + String(reflecting: made)
        dump(made.authentication, to: &text)
        text += DryRun.text(of: made)
        #expect(!text.contains("s3cret"))
        #expect(!text.contains("czNjcmV0"))
    }
}
