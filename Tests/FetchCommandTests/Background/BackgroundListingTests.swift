import FoundationEssentials
import Testing

@testable import FetchCommand
@testable import URLLoading

@Suite("The list of background sessions")
struct BackgroundListingTests {
    private let now: Int64 = 1_700_000_000_000_000

    /// The list of a session whose task waits for a retry.
    private func text(until time: Int64, _ tries: Int = 2) throws -> String {
        let url = try #require(URL(string: "https://me:secret@example.org/x"))
        let record = BackgroundTaskRecord(
            identifier: 1,
            kind: .download,
            request: try #require(StoredRequest(URLRequest(url: url))),
            destination: "/home/me/\u{1b}[2J\u{7}.iso",
            made: 1
        )
        let error = StoredError(URLError(.networkConnectionLost))
        let machine = BackgroundStateMachine(
            BackgroundState([
                .session(settings: BackgroundSettings(identifier: "my list", token: "t")),
                .made(task: record),
                .waiting(
                    task: 1,
                    retry: BackgroundRetry(attempts: tries, until: time, error: error)
                ),
            ])
        )
        let status = try #require(BackgroundStatus(machine, process: 5)).with(machine)
        return BackgroundListing.text(of: status, at: EventMoment(wall: now, monotonic: 0))
    }

    /// The list of a session whose task has ended.
    private func text(
        _ error: URLError?,
        status: Int? = nil,
        _ file: BackgroundFile? = nil
    ) throws -> String {
        let url = try #require(URL(string: "http://example.org/x"))
        let record = BackgroundTaskRecord(
            identifier: 1,
            kind: .download,
            request: try #require(StoredRequest(URLRequest(url: url))),
            destination: "/home/me/x",
            takesSuccessOnly: true,
            made: 1
        )
        let response = status.map {
            StoredResponse(url: "http://h/", status: $0, fields: StoredHeader())
        }
        let events = [
            file.map { BackgroundEvent.finished(task: 1, file: $0, response: response) },
            .completed(task: 1, error: error.map { StoredError($0) }, response: response),
        ].compactMap(\.self)
        let records = [
            JournalRecord.session(settings: BackgroundSettings(identifier: "my", token: "t")),
            .made(task: record), .resumed(task: 1),
        ]
        let state = BackgroundState(
            records
                + events.enumerated().map { .event(sequence: $0.offset + 1, event: $0.element) }
        )
        let machine = BackgroundStateMachine(state)
        let status = try #require(BackgroundStatus(machine, process: nil)).with(machine)
        return BackgroundListing.text(of: status, at: EventMoment(wall: now, monotonic: 0))
    }

    @Test("the list shows how a task has ended, and its file's name")
    func ended() throws {
        let file = BackgroundFile(path: "/home/me/x.1", device: 1, inode: 1, size: 2_048)
        #expect(
            try text(nil, status: 200, file).contains(
                "to /home/me/x.1: fetched, 2.0 KiB, not reported yet"
            )
        )
        #expect(
            try text(nil, status: 404).contains("x: failed with 404 Not Found, not reported yet")
        )
        let lost = URLError(.networkConnectionLost)
        #expect(try text(lost).contains("to /home/me/x: failed: "))
    }

    @Test("the list shows a task's remaining wait, and its failed attempts")
    func waiting() throws {
        let text = try text(until: now + 125_000_000)
        #expect(text.hasPrefix("'my list': under way; process 5\n  1 GET https://"))
        #expect(text.contains("tries again in 2 min 5 s, 2 tries have failed: "))
        #expect(try self.text(until: now + 1_000_000, 1).contains("in 1.0 s, 1 try has failed"))
    }

    @Test("the list shows no wait for a past or missing time", arguments: [Int64.min, -1, 0, 1])
    func past(_ time: Int64) throws {
        #expect(try text(until: time).contains("tries again in 0.0 s, "))
        #expect(try text(until: .max).contains("tries again in "))
    }

    @Test("the list contains neither secrets nor control characters")
    func printable() throws {
        let text = try text(until: now)
        #expect(!text.contains("secret"))
        #expect(text.contains("example.org"))
        #expect(!text.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" })
    }
}
