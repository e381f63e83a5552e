import Testing
import URLLoading

@testable import FetchCommand

/// The places that are searched for a user and a password, and their order.
@Suite struct CredentialSearchTests {
    private static func search(
        _ arguments: String...,
        canAsk: Bool = true
    ) throws -> CredentialSearch {
        let plan = try plan(arguments + ["--save-credentials", "http://h/"])
        return CredentialSearch(plan.tasks[0].identity, plan.authentication, canAsk: canAsk)
    }

    private static func found(
        _ user: String,
        _ password: String,
        _ source: CredentialSource
    ) -> FoundCredential {
        FoundCredential(user: user, password: Secret(password), source: source)
    }

    @Test func usersWithOtherBytesAreOtherUsers() {
        let composed = Self.found("\u{E9}", "pw", .user)
        let decomposed = Self.found("e\u{301}", "pw", .user)
        #expect(!composed.isSame(as: decomposed))
        var history = CredentialHistory()
        history.refuse(composed)
        #expect(history.hasRefused(composed) && !history.hasRefused(decomposed))
    }

    /// The places that are searched when none of them has credentials.
    private static func places(_ search: CredentialSearch) -> [CredentialSource] {
        var search = search
        var history = CredentialHistory()
        var places: [CredentialSource] = []
        var step = search.begin(history)
        while case .query(let source) = step {
            places.append(source)
            step = search.take(nil, &history)
        }
        #expect(step == .giveUp)
        return places
    }

    @Test func theOrderIsNetrcStorageTerminal() throws {
        #expect(try Self.places(Self.search()) == [.netrc, .storage, .terminal])
        #expect(try Self.places(Self.search(canAsk: false)) == [.netrc, .storage])
        #expect(try Self.places(Self.search("--no-netrc")) == [.storage, .terminal])
        // Credentials of an earlier run are used only when the user requests them.
        let alone = try plan("http://h/")
        let identity = alone.tasks[0].identity
        let search = CredentialSearch(identity, alone.authentication, canAsk: false)
        #expect(Self.places(search) == [.netrc])
        #expect(try Self.places(Self.search("--no-ask-password")) == [.netrc, .storage])
    }

    @Test func anAskpassProgramReplacesTheTerminal() throws {
        let places = try Self.places(Self.search("--use-askpass", "ask"))
        #expect(places == [.netrc, .storage, .askpass])
        let asked = try Self.places(Self.search("--use-askpass", "ask", "--ask-password"))
        #expect(asked == [.askpass])
    }

    @Test func aNameWithAPasswordNeedsNoOtherSource() throws {
        var search = try Self.search("-u", "me:pw")
        var history = CredentialHistory()
        let given = Self.found("me", "pw", .user)
        #expect(search.begin(history) == .offer(given))
        history.refuse(given)
        #expect(search.begin(history) == .giveUp)
        #expect(search.take(nil, &history) == .giveUp)
    }

    @Test func aNameAloneRestrictsTheOtherSources() throws {
        var search = try Self.search("-u", "me")
        var history = CredentialHistory()
        #expect(search.begin(history) == .query(.netrc))
        #expect(search.take(nil, &history) == .query(.storage))
        let stored = Self.found("me", "pw", .storage)
        #expect(search.take(stored, &history) == .offer(stored))
    }

    @Test func aRefusedPasswordIsNeverOfferedAgainFromAnySource() throws {
        var search = try Self.search()
        var history = CredentialHistory()
        history.refuse(Self.found("me", "pw", .netrc))
        #expect(search.begin(history) == .query(.netrc))
        let same = Self.found("me", "pw", .netrc)
        #expect(search.take(same, &history) == .query(.storage))
        let stored = Self.found("me", "pw", .storage)
        #expect(search.take(stored, &history) == .query(.terminal))
    }

    @Test func thePromptIsRepeatedThreeTimes() throws {
        var history = CredentialHistory()
        for attempt in 1...3 {
            var search = try Self.search("--no-netrc")
            _ = search.begin(history)
            #expect(search.take(nil, &history) == .query(.terminal))
            let typed = Self.found("me", "pw\(attempt)", .terminal)
            #expect(search.take(typed, &history) == .offer(typed))
            history.refuse(typed)
        }
        var search = try Self.search("--no-netrc")
        _ = search.begin(history)
        #expect(search.take(nil, &history) == .giveUp)
    }

    @Test func theSamePasswordTypedAgainCountsAsAnAttempt() throws {
        var search = try Self.search("--no-netrc", "-u", "me")
        var history = CredentialHistory()
        let typed = Self.found("me", "pw", .terminal)
        history.refuse(typed)
        _ = search.begin(history)
        _ = search.take(nil, &history)
        #expect(search.take(typed, &history) == .query(.terminal))
        #expect(search.take(typed, &history) == .query(.terminal))
        #expect(search.take(typed, &history) == .giveUp)
    }

    @Test func aProgramThatRepeatsAPasswordIsNotRunAgain() throws {
        var search = try Self.search("--no-netrc", "--use-askpass", "ask")
        var history = CredentialHistory()
        let same = Self.found("me", "pw", .askpass)
        history.refuse(same)
        _ = search.begin(history)
        _ = search.take(nil, &history)
        #expect(search.take(same, &history) == .giveUp)
        #expect(history.isDeclined)
    }

    @Test func aDeclinedPromptIsNotRepeated() throws {
        var history = CredentialHistory()
        var search = try Self.search("--no-netrc")
        _ = search.begin(history)
        _ = search.take(nil, &history)
        #expect(search.take(nil, &history) == .giveUp)
        var another = try Self.search("--no-netrc")
        _ = another.begin(history)
        #expect(another.take(nil, &history) == .giveUp)
    }

    @Test func anAcceptedPasswordIsOfferedAtOnceUntilItIsRefused() throws {
        let search = try Self.search()
        var history = CredentialHistory()
        let typed = Self.found("me", "pw", .terminal)
        history.accept(typed)
        #expect(search.begin(history) == .offer(typed))
        history.refuse(typed)
        #expect(search.begin(history) == .query(.netrc))
    }
}
