import FoundationEssentials
import URLLoading

@testable import FetchCommand

/// A life cycle that takes events at moments after its beginning, and returns actions as words.
struct FetchLife {
    /// A temporary network failure.
    static let lost = TaskOutcome.error(URLError(.networkConnectionLost))
    /// A file that cannot be opened.
    static let unopened = TaskOutcome.error(URLError(.cannotOpenFile))

    let start = MonotonicInstant.now
    var life: FetchLifecycle
    /// The time since the beginning.
    var elapsed = Duration.zero
    /// The session's task that has ended.
    var finished = FetchLifecycle.Finished()
    var buffer = BufferState()
    /// The kept part of a download.
    var kept: ResumeData?

    /// Makes a life cycle from a command line.
    ///
    /// - Parameters:
    ///   - arguments: Arguments of the command line.
    ///   - hasTurn: Whether the task waits for its turn to write.
    ///   - change: Changes the rules of the command line.
    /// - Throws: The errors of an invalid command line.
    init(
        _ arguments: [String] = [],
        hasTurn: Bool = false,
        _ change: (inout FetchLifecycle.Rules) -> Void = { _ in }
    ) throws {
        // The output is standard output, unless the command line names another.
        let names = ["-O", "-N", "--auto"].contains { arguments.contains($0) }
        let plan = try plan(["h/x"] + arguments + (names ? [] : ["-O", "-"]))
        var rules = FetchLifecycle.Rules(responses: plan.responses, maxTime: plan.session.maxTime)
        change(&rules)
        var retries = plan.session.retries(of: plan.tasks[0])
        // Fixes the wait, which is random otherwise.
        retries.fixedWait = .seconds(3)
        life = FetchLifecycle(
            plan.tasks[0].kind,
            rules,
            retries: retries,
            hasTurn: hasTurn,
            now: start
        )
    }

    /// Passes an event to the life cycle, and returns the action.
    mutating func event(
        _ event: (inout FetchLifecycle, MonotonicInstant) -> FetchLifecycle.Action
    ) -> String {
        event(&life, start + elapsed).word
    }

    mutating func failed(_ outcome: TaskOutcome) -> String {
        let buffer = buffer
        return life.failed(outcome, buffer, now: start + elapsed).word
    }

    mutating func waitEnded(_ wake: Waiter.Wake) -> String {
        let (finished, buffer) = (finished, buffer)
        return life.waitEnded(wake, kept: kept, finished, buffer, now: start + elapsed).word
    }

    /// The end of the session's task.
    mutating func ended(_ code: URLError.Code? = nil, _ status: Int? = nil) -> String {
        life.attempt.status = status ?? life.attempt.status
        life.attempt.error = code.map { URLError($0) }
        return waitEnded(.bell)
    }

    var state: String {
        let name = "\(life.state)"
        return String(name.prefix { $0 != "(" })
    }

    /// Resume data of a download with a number of received bytes.
    static func part(_ count: Int64) -> ResumeData {
        ResumeData(
            url: "http://h/x",
            fields: [],
            validator: nil,
            received: ReceivedRanges(prefix: count),
            totalBytes: nil,
            file: .partFile("/x.part"),
            identity: nil
        )
    }

    static func response(
        _ status: Int = 200,
        _ fields: [String: String] = [:]
    ) throws -> HTTPURLResponse {
        guard let url = URL(string: "http://h/x"),
            let response = HTTPURLResponse(
                url: url,
                statusCode: status,
                httpVersion: nil,
                headerFields: fields
            )
        else { throw URLError(.badURL) }
        return response
    }
}

extension FetchLifecycle.Action {
    /// The action in a few words.
    var word: String {
        switch self {
        case .findDigest: return "find digest"
        case .examine: return "examine"
        case .compareEnd: return "compare end"
        case .compareDigest(_, let isKept): return isKept ? "compare kept" : "compare digest"
        case .examineAgain: return "examine again"
        case .take: return "take"
        case .start(let start):
            return [
                start.isRepeating ? "repeat" : "start",
                start.resumeData.map { "at \($0.receivedBytes)" },
                start.delivered.map { "after \($0.count)" },
                start.isConditional ? nil : "anyway",
                start.startsOver.map { "over: \($0)" },
            ].compactMap(\.self).joined(separator: " ")
        case .stop(let limit): return "stop" + (limit.map { " within \($0)" } ?? "")
        case .pause(let pause):
            let words = "pause \(pause.duration)" + (pause.mustDiscard ? ", discard" : "")
            return words + (pause.retry?.fromFirst == true ? ", from first" : "")
        case .awaitTurn: return "await turn"
        case .conclude(let outcome, let kept): return "conclude " + Self.word(outcome, kept)
        case .abandon(let outcome, let kept): return "abandon " + Self.word(outcome, kept)
        case .die(let number): return "die \(number)"
        case .end(let outcome): return "end " + Self.word(outcome, nil)
        }
    }

    private static func word(_ outcome: TaskOutcome, _ kept: ResumeData?) -> String {
        let word =
            switch outcome {
            case .error(let error): "\(error.code)"
            case .timeLimit: "time limit"
            case .status(let status): "\(status)"
            case .policy: "policy"
            case .unproven: "unproven"
            case .alreadyComplete: "complete"
            case .kept: "kept"
            case .interrupted(.signal(let number)): "signal \(number)"
            case .interrupted(.failEarly): "early"
            case .success, .notModified, .stuck: "\(outcome)"
            }
        return word + (kept.map { ", \($0.receivedBytes) kept" } ?? "")
    }
}
