import FoundationEssentials
import Testing
import URLLoading

@testable import FetchCommand

/// The outcomes of an attempt, and the following actions.
@Suite("The end of an attempt")
struct AttemptEndTests {
    private func attempting(
        _ arguments: [String] = [],
        _ change: (inout FetchLifecycle.Rules) -> Void = { _ in }
    ) throws -> FetchLife {
        var life = try FetchLife(arguments, change)
        life.life.state = .attempting
        return life
    }

    @Test("the command's own error counts before the session's, and an error status before both")
    func outcomes() throws {
        let file = TaskOutcome.error(URLError(.cannotWriteToFile))
        let table: [(URLError.Code?, Int?, TaskOutcome?, String)] = [
            (nil, 200, nil, "conclude success"),
            (nil, nil, nil, "conclude success"),
            (.cancelled, 304, nil, "conclude notModified"),
            (.cancelled, 204, nil, "conclude success"),
            (.cancelled, 200, nil, "conclude cancelled"),
            (.cancelled, 404, nil, "conclude 404"),
            (nil, 404, nil, "conclude 404"),
            (nil, 503, nil, "pause 3.0 seconds"),
            (.networkConnectionLost, 503, nil, "pause 3.0 seconds"),
            (.networkConnectionLost, nil, nil, "pause 3.0 seconds"),
            (.networkConnectionLost, 200, nil, "pause 3.0 seconds"),
            (.timedOut, nil, nil, "pause 3.0 seconds"),
            (.cannotFindHost, nil, nil, "conclude cannotFindHost"),
            (.cancelled, 200, file, "conclude cannotWriteToFile"),
            (nil, 200, file, "conclude cannotWriteToFile"),
            (.cancelled, 404, file, "conclude 404"),
            (.cancelled, 503, file, "pause 3.0 seconds"),
            (.cancelled, 200, .policy("--max-filesize"), "conclude policy"),
            (.cancelled, 200, .kept(path: "x", .found), "conclude kept"),
            (.cancelled, 200, .outputClosed, "conclude signal 13"),
            (.cancelled, 503, .outputClosed, "conclude signal 13"),
        ]
        for (code, status, stopped, action) in table {
            var life = try attempting()
            if let stopped { life.life.attempt.stop(stopped) }
            #expect(
                life.ended(code, status) == action,
                "\(String(describing: code)) \(status ?? 0)"
            )
        }
    }

    @Test("the first stop of an attempt counts")
    func first() {
        var attempt = Attempt()
        attempt.stop(.policy("one"))
        attempt.stop(.outputClosed)
        #expect(attempt.stopped == .policy("one"))
    }

    @Test("--max-time makes a timeout final")
    func timeLimit() throws {
        for (elapsed, action) in [(9.0, "conclude timedOut"), (10, "conclude time limit")] {
            var life = try attempting(["--max-time", "10", "-t", "1"])
            life.elapsed = .seconds(elapsed)
            #expect(life.ended(.timedOut) == action)
        }
        // The session itself ends only the first attempt.
        var life = try attempting(["--max-time", "10"])
        #expect(life.life.deadline == life.start + .seconds(11))
        life.life.beginAgain()
        #expect(life.life.deadline == life.start + .seconds(10))
    }

    @Test("the end of the wait for an attempt leads to an action, by state")
    func wakes() throws {
        let file = ["-O", "x"]
        let table: [(FetchLifecycle.State, Waiter.Wake, [String], String)] = [
            (.attempting, .late, [], "stop within 1.0 seconds"),
            (.attempting, .interruption(.signal(15)), [], "stop"),
            (.attempting, .interruption(.signal(15)), file, "stop within 5.0 seconds"),
            (.attempting, .interruption(.failEarly), file, "stop within 5.0 seconds"),
            (.late, .bell, [], "conclude time limit, 7 kept"),
            (.late, .late, [], "abandon stuck"),
            (.late, .interruption(.signal(15)), [], "abandon stuck"),
            (.stopping(.signal(15)), .bell, file, "abandon signal 15, 7 kept"),
            (.stopping(.signal(15)), .late, file, "end signal 15"),
            (.stopping(.signal(15)), .interruption(.signal(2)), file, "die 2"),
            (.stopping(.signal(15)), .interruption(.failEarly), file, "abandon signal 15, 7 kept"),
            (.stopping(.failEarly), .bell, file, "abandon early, 7 kept"),
            (.stopping(.failEarly), .interruption(.signal(2)), file, "die 2"),
        ]
        for (state, wake, arguments, action) in table {
            var life = try FetchLife(arguments)
            life.life.state = state
            life.kept = FetchLife.part(7)
            #expect(life.waitEnded(wake) == action, "\(state) \(wake)")
        }
    }

    @Test("a reader of events, or a record, receives the end of an interrupted task")
    func readers() throws {
        var followed = try attempting { $0.isFollowed = true }
        #expect(followed.waitEnded(.interruption(.signal(2))) == "stop within 0.5 seconds")
        var recorded = try attempting { $0.wantsEveryEnd = true }
        #expect(recorded.waitEnded(.interruption(.signal(2))) == "stop within 5.0 seconds")
    }

    @Test("the next attempt starts at the first or the last URL, with or without the kept bytes")
    func next() throws {
        let table: [(redirects: Int, kept: Int64?, isContinuing: Bool, String)] = [
            (0, nil, false, "start"),
            (0, 7, false, "start at 7"),
            (0, 7, true, "start at 7"),
            (2, nil, false, "repeat"),
            (2, 7, true, "repeat at 7"),
            // A kept part without a validator must be compared again.
            (0, nil, true, "examine"),
            (2, nil, true, "examine"),
        ]
        for (redirects, kept, isContinuing, action) in table {
            var life = try attempting(["-O", "x"])
            life.finished.redirects = redirects
            life.kept = kept.map(FetchLife.part)
            life.life.attempt.isContinuing = isContinuing
            life.life.attempt.excerpt = ErrorExcerpt()
            #expect(life.ended(.networkConnectionLost, 200) == "pause 3.0 seconds")
            #expect(life.event { life, _ in life.paused() } == action)
            // No state of the failed attempt remains.
            #expect(life.life.attempts.count == 2)
            #expect(life.life.attempt.status == nil && life.life.attempt.excerpt == nil)
            #expect(life.life.attempt.decision == nil)
        }
        var unsent = try attempting()
        #expect(unsent.failed(FetchLife.lost) == "pause 3.0 seconds")
        #expect(unsent.event { life, _ in life.paused() } == "examine")
    }

    @Test("the task requests the first URL again, once, when a redirect's URL has expired")
    func expiredLink() throws {
        var life = try attempting(["-O", "x"])
        life.finished.redirects = 1
        life.kept = FetchLife.part(7)
        #expect(life.ended(.networkConnectionLost, 200) == "pause 3.0 seconds")
        #expect(life.event { life, _ in life.paused() } == "repeat at 7")
        #expect(life.ended(.cancelled, 403) == "pause 3.0 seconds, from first")
        #expect(life.event { life, _ in life.paused() } == "start at 7")
        #expect(life.life.attempts.hasBegunAtFirst)
        #expect(life.ended(.networkConnectionLost, 200) == "pause 3.0 seconds")
        #expect(life.event { life, _ in life.paused() } == "repeat at 7")
        #expect(life.ended(.cancelled, 403) == "conclude 403, 7 kept")
    }

    @Test("the task counts the attempts that received no new bytes")
    func tries() throws {
        var life = try attempting(["-O", "x", "-t", "2"])
        for count in [Int64(5), 6, 7] {
            life.kept = FetchLife.part(count)
            #expect(life.ended(.networkConnectionLost, 200) == "pause 3.0 seconds")
            #expect(life.event { life, _ in life.paused() } == "start at \(count)")
        }
        #expect(life.ended(.networkConnectionLost, 200) == "conclude networkConnectionLost, 7 kept")
    }

    @Test("a request that the server may have carried out is not repeated")
    func methods() throws {
        var life = try attempting()
        life.finished.method = "POST"
        #expect(life.ended(.networkConnectionLost) == "conclude networkConnectionLost")
        #expect(life.life.attempt.decision == .giveUp(.mayBeDone(method: "POST")))
    }
}

/// Bodies of which a part was written irrevocably.
@Suite("Attempts that continue a written body")
struct DeliveredAttemptTests {
    private static let tagged = ["ETag": "\"a\"", "Content-Length": "1000000"]

    /// A task that has written a number of bytes.
    private func delivered(
        _ count: Int,
        _ fields: [String: String] = Self.tagged
    ) throws -> FetchLife {
        var life = try FetchLife(["-t", "9"])
        life.life.state = .attempting
        let action = life.received(try FetchLife.response(200, fields))
        #expect(action == .deliver)
        life.life.wrote(count)
        return life
    }

    private func part(_ start: Int, _ end: Int) throws -> HTTPURLResponse {
        let range = "bytes \(start)-\(end)/1000000"
        return try FetchLife.response(206, ["ETag": "\"a\"", "Content-Range": range])
    }

    @Test("a body that can be continued is; any other ends the task, unless it is still buffered")
    func goesOn() throws {
        var life = try delivered(50)
        #expect(life.ended(.networkConnectionLost) == "pause 3.0 seconds")
        #expect(life.event { life, _ in life.paused() } == "start after 50")
        var other = try delivered(50, ["Content-Length": "1000000"])
        #expect(other.ended(.networkConnectionLost) == "conclude networkConnectionLost")
        guard case .giveUp(.cannotGoOn)? = other.life.attempt.decision else {
            Issue.record("\(String(describing: other.life.attempt.decision))")
            return
        }
        var held = try delivered(50, ["Content-Length": "1000000"])
        held.buffer.isBuffered = true
        #expect(held.ended(.networkConnectionLost) == "pause 3.0 seconds, discard")
        var undiscarded = held
        held.life.discard()
        #expect(held.event { life, _ in life.paused() } == "start")
        let end = undiscarded.event { life, _ in life.cannotContinue() }
        #expect(end == "conclude networkConnectionLost")
    }

    @Test("an error status after written bytes is reported with their count")
    func status() throws {
        var life = try delivered(50)
        #expect(life.ended(.networkConnectionLost) == "pause 3.0 seconds")
        _ = life.event { life, _ in life.paused() }
        #expect(life.received(try FetchLife.response(404)) == .cancel)
        #expect(life.ended(.cancelled) == "conclude networkConnectionLost")
    }

    @Test(
        "a part shorter than requested is followed by the next part, slowly if the parts are small"
    )
    func parts() throws {
        var life = try delivered(1)
        #expect(life.ended(.networkConnectionLost) == "pause 3.0 seconds")
        #expect(life.event { life, _ in life.paused() } == "start after 1")
        for count in 1...17 {
            #expect(
                life.received(try part(count, count))
                    == .continueBody(from: Int64(count), of: 1_000_000)
            )
            life.life.wrote(1)
            let next = life.ended()
            #expect(next == (count < 17 ? "start after \(count + 1)" : "pause 0.5 seconds"))
        }
        #expect(life.event { life, _ in life.paused() } == "start after 18")
        #expect(life.life.attempts.nextParts == 17)
        // A large part ends the slow pace.
        #expect(life.received(try part(18, 99_999)) == .continueBody(from: 18, of: 1_000_000))
        life.life.wrote(99_982)
        #expect(life.ended() == "start after 100000")
    }

    @Test("a part without bytes, and a body that has become shorter, are failures")
    func nothing() throws {
        var life = try delivered(50)
        _ = life.ended(.networkConnectionLost)
        _ = life.event { life, _ in life.paused() }
        _ = life.received(try part(50, 60))
        #expect(life.ended() == "pause 3.0 seconds")
        _ = life.event { life, _ in life.paused() }
        // The whole body arrives again, and the written bytes are skipped.
        let whole = try FetchLife.response(200, Self.tagged)
        #expect(life.received(whole) == .continueBody(from: 50, of: 1_000_000))
        #expect(life.life.received(Data(count: 20), isTerminal: false) == .drop)
        #expect(life.life.received(Data(count: 40), isTerminal: false) == .write(Data(count: 10)))
        life.life.attempt.skip = 5
        #expect(life.ended().hasPrefix("pause") == true)
    }

    @Test("a response of another body is delivered only where the earlier bytes can be forgotten")
    func otherBody() throws {
        let other = try FetchLife.response(200, ["ETag": "\"b\""])
        let table: [(HTTPURLResponse, Bool, BodyAction, discards: Bool)] = [
            (other, true, .deliver, true),
            (other, false, .cancel, false),
            (try FetchLife.response(206, ["ETag": "\"b\""]), true, .cancel, false),
            (try FetchLife.response(404), true, .cancel, true),
            (try FetchLife.response(404), false, .cancel, false),
            (try FetchLife.response(503), true, .cancel, false),
        ]
        for (response, canDiscard, action, discards) in table {
            var life = try delivered(50)
            _ = life.ended(.networkConnectionLost)
            _ = life.event { life, _ in life.paused() }
            life.buffer = BufferState(isBuffered: canDiscard, canDiscard: canDiscard)
            #expect(life.received(response) == action)
            #expect((life.life.bytes == 0) == discards)
        }
    }
}
