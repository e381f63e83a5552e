import FoundationEssentials
import Testing
import URLLoading

@testable import FetchCommand

extension FetchLife {
    /// The arrival of a response's head.
    mutating func received(_ response: URLResponse, isTerminal: Bool = false) -> BodyAction {
        let (method, buffer) = (finished.method, buffer)
        let moment = FetchLifecycle.Moment(now: start + elapsed, date: 0)
        return life.received(
            response,
            to: method,
            isDownload: life.kind.file != nil,
            isTerminal: isTerminal,
            buffer,
            moment
        ).action
    }
}

/// The disposition that the task returns for a response.
@Suite("Responses of a task")
struct FetchResponseTests {
    @Test("the status and the command line decide what happens to a body")
    func bodies() throws {
        let file = ["-O", "nowhere.tmp"]
        let table: [([String], Int, BodyAction)] = [
            ([], 200, .deliver), (file, 200, .deliver), ([], 404, .drop), (file, 404, .drop),
            ([], 503, .drop), ([], 304, .drop), (["--content-on-error"], 404, .deliver),
            // Another attempt follows.
            (["--content-on-error"], 503, .drop),
            (["--content-on-error", "-t", "1"], 503, .deliver),
            (["--error-body", "other.tmp"], 404, .saveAsError),
            (["--accept-status", "404"], 404, .deliver),
        ]
        for (arguments, status, action) in table {
            var life = try FetchLife(arguments)
            #expect(life.received(try FetchLife.response(status)) == action, "\(arguments)")
            let isAccepted = arguments.contains("--accept-status")
            #expect(life.life.attempt.status == (isAccepted ? 200 : status))
            #expect((life.life.attempt.errorBody != nil) == (action == .saveAsError))
        }
    }

    @Test("--auto makes a file of a body that a terminal cannot show, and keeps that decision")
    func automatic() throws {
        let binary = try FetchLife.response(200, ["Content-Type": "image/png"])
        let text = try FetchLife.response(200, ["Content-Type": "text/plain"])
        for (response, isTerminal, action) in [
            (binary, true, BodyAction.becomeFile), (binary, false, .deliver),
            (text, true, .deliver),
        ] {
            var life = try FetchLife(["--auto"])
            #expect(life.received(response, isTerminal: isTerminal) == action)
            #expect((life.life.naming.file != nil) == (action == .becomeFile))
            guard action == .becomeFile else { continue }
            life.life.beginAgain()
            #expect(life.received(text, isTerminal: false) == .becomeFile)
        }
    }

    @Test("a response that the command line forbids ends the attempt with a message")
    func policies() throws {
        var life = try FetchLife(["--max-filesize", "99"])
        let response = try FetchLife.response(200, ["Content-Length": "100"])
        guard case .stop(.policy(let words)) = life.received(response) else {
            Issue.record("it is taken")
            return
        }
        #expect(life.life.attempt.stopped == .policy(words))
    }

    @Test("the task decides about an error status once, at its head")
    func decisions() throws {
        var life = try FetchLife()
        life.life.state = .attempting
        let head = try FetchLife.response(503, ["Retry-After": "7"])
        #expect(life.received(head) == .drop)
        #expect(life.life.attempts.counter.failed == 1)
        #expect(life.ended(.cancelled) == "pause 7.0 seconds")
        #expect(life.life.attempts.counter.failed == 1)
    }

    @Test("the task keeps a response's entity tag, which a later part may omit")
    func tags() throws {
        for (isContinuing, tag) in [(false, nil), (true, "\"a\"")] as [(Bool, String?)] {
            var life = try FetchLife(["-O", "nowhere.tmp"])
            _ = life.received(try FetchLife.response(200, ["ETag": "\"a\""]))
            life.life.beginAgain()
            life.life.attempt.isContinuing = isContinuing
            _ = life.received(try FetchLife.response(206))
            #expect(life.life.entityTag == tag)
        }
    }

    @Test("a second head is one more part of the same body")
    func furtherParts() throws {
        var life = try FetchLife()
        #expect(life.received(try FetchLife.response(200)) == .deliver)
        #expect(life.received(try FetchLife.response(404)) == .deliverPart)
        #expect(life.life.attempt.status == 200)
    }

    @Test("the terminal and the flags decide what happens to bytes")
    func bytes() throws {
        let text = Data("text".utf8)
        let binary = Data([1, 0, 2])
        for (arguments, data, isTerminal, action) in [
            ([], text, true, FetchLifecycle.DataAction.write(text)),
            ([], binary, false, .write(binary)),
            ([], binary, true, .cancel),
            (["--force"], binary, true, .write(binary)),
        ] {
            var life = try FetchLife(arguments)
            #expect(life.life.received(data, isTerminal: isTerminal) == action)
            #expect((life.life.attempt.stopped != nil) == (action == .cancel))
        }
        var late = try FetchLife()
        late.life.wrote(2_000)
        #expect(late.life.received(binary, isTerminal: true) == .write(binary))
        var stopped = try FetchLife()
        stopped.life.attempt.stop(.outputClosed)
        #expect(stopped.life.received(text, isTerminal: false) == .cancel)
    }

    @Test("fetch reads the beginning of an error's body where it can show it")
    func excerpts() throws {
        let json = ["Content-Type": "application/json", "Content-Length": "9"]
        let table: [([String], Int, [String: String], sends: Bool, reads: Bool, shows: Bool)] = [
            ([], 404, json, false, true, true),
            ([], 200, json, false, false, false),
            ([], 404, ["Content-Type": "text/html"], false, false, false),
            ([], 404, ["Content-Type": "text/html"], true, false, true),
            (
                [], 404, ["Content-Type": "application/json", "Content-Length": "0"], false, false,
                false
            ),
            (["-O", "nowhere.tmp"], 404, json, false, false, false),
            // Another attempt follows.
            ([], 503, json, false, false, false),
        ]
        for (arguments, status, fields, sends, reads, shows) in table {
            var life = try FetchLife(arguments)
            let response = try FetchLife.response(status, fields)
            _ = life.received(response)
            #expect(life.life.beginsExcerpt(of: response, sendsBody: sends) == reads)
            #expect((life.life.attempt.excerpt != nil) == shows)
        }
        var life = try FetchLife()
        life.life.attempt.excerpt = ErrorExcerpt()
        #expect(life.life.received(Data(count: 100), isTerminal: false) == .drop)
        #expect(life.life.received(Data(count: 4_000), isTerminal: false) == .cancel)
    }
}
