import Testing
import URLLoading

@testable import FetchCommand

@Suite("Flags for retries")
struct RetryFlagTests {
    @Test("fetch attempts again after the statuses of the list")
    func statuses() throws {
        let none = try options("--retry-on", "none", "http://h/").session.retries.statuses
        #expect(!none.contains(503))
        let own = try options("--retry-on", "404,520-522", "http://h/").session.retries.statuses
        #expect([404, 520, 521, 522].allSatisfy(own.contains))
        #expect(!own.contains(503))
    }

    @Test("--tries limits the attempts, and 0 means no limit")
    func limit() throws {
        #expect(try options("-t", "0", "http://h/").session.retries.tries == nil)
        #expect(try options("--tries", "1", "http://h/").session.retries.tries == 1)
    }

    @Test("--waitretry takes fractions and 0")
    func flag() throws {
        #expect(
            try options("--waitretry", "0.05", "http://h/").session.retries.longestWait
                == .milliseconds(50)
        )
        #expect(try options("--waitretry", "0", "http://h/").session.retries.longestWait == .zero)
        #expect(
            try options("--waitretry", "2m", "http://h/").session.retries.longestWait
                == .seconds(120)
        )
        #expect(usageError(["--waitretry", "soon", "http://h/"]) != nil)
        #expect(usageError(["--retry-on", "50", "http://h/"]) != nil)
        #expect(usageError(["--retry-on", "", "http://h/"]) != nil)
    }
}
