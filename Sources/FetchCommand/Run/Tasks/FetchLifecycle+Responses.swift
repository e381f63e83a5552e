import FoundationEssentials
import URLLoading

// Queries by the delegate, which return without blocking.
extension FetchLifecycle {
    /// How many bytes are checked before they are written to a terminal, as in curl.
    private static let examinedBytes: Int64 = 2_000
    private static let binaryWords =
        "the body is binary, and standard output is a terminal; -O FILE saves it, --force prints it"

    /// Decides at a response's head about its body, and whether a buffered body is discarded.
    mutating func received(
        _ response: URLResponse,
        to method: @autoclosure () -> String,
        isDownload: Bool,
        isTerminal: @autoclosure () -> Bool,
        _ buffer: @autoclosure () -> BufferState,
        _ moment: @autoclosure () -> Moment
    ) -> (action: BodyAction, discards: Bool) {
        var discards = false
        if !isDownload {
            // The response has another part of the same body.
            if attempt.status != nil { return (.deliverPart, false) }
            if let delivered {
                let rest: BodyAction?
                (rest, discards) = continueBody(
                    after: delivered,
                    response,
                    method(),
                    buffer(),
                    moment()
                )
                if discards { discard() }
                if let rest { return (rest, discards) }
            }
        }
        var action = decide(on: response, method, buffer, moment)
        switch action {
        case .deliver where !isDownload && becomesFile(response, isTerminal): action = .becomeFile
        case .deliver where !isDownload:
            output.delivered = DeliveredBody(
                response,
                to: method(),
                asksForPart: rules.responses.asksForPart || kind.isHead,
                isRaw: rules.isRaw
            )
        case .saveAsError: attempt.errorBody = rules.responses.errorBody
        case .stop(let outcome): attempt.stop(outcome)
        default: break
        }
        return (action, discards)
    }

    /// The current time by two clocks.
    struct Moment {
        var now = MonotonicInstant.now
        /// Seconds since 1970.
        var date = Date.now.timeIntervalSince1970
    }

    /// Decides about a response that does not continue a body, and records its metadata.
    private mutating func decide(
        on response: URLResponse,
        _ method: () -> String,
        _ buffer: () -> BufferState,
        _ moment: () -> Moment
    ) -> BodyAction {
        guard let http = response as? HTTPURLResponse else {
            return BodyAction(of: response, by: rules.responses)
        }
        let status = status(of: http)
        attempt.status = status
        attempt.offersBearer = AuthenticationAttempts.offersBearer(http)
        isMultiplexed = http.httpVersion == "HTTP/2"
        let tag = http.headerFields.first("ETag")
        // A partial response may omit the tag.
        if tag != nil || !attempt.isContinuing { entityTag = tag }
        if status >= 400, isRetried(http, method(), buffer(), moment()) { return .drop }
        return BodyAction(
            of: http,
            by: rules.responses,
            isHead: kind.isHead,
            // A file is not overwritten with the head of an error.
            showsErrorHead: kind.isHead && kind.destination.file == nil,
            isContinuing: attempt.isContinuing
        )
    }

    /// The effective status: a success if the command line, or a complete part, makes it one.
    private func status(of response: HTTPURLResponse) -> Int {
        let status = response.statusCode
        if attempt.isContinuing { return status == 416 ? 206 : status }
        return status >= 400 && rules.responses.acceptedStatuses.contains(status) ? 200 : status
    }

    /// Applies `--auto`; once the body is saved as a file, later attempts save it too.
    private mutating func becomesFile(_ response: URLResponse, _ isTerminal: () -> Bool) -> Bool {
        guard case .automatic(let file) = kind.destination else { return false }
        if naming.file != nil { return true }
        guard AutomaticChoice.isFile(response, isTerminal: isTerminal()) else { return false }
        naming.file = file
        return true
    }

    mutating func isRetried(
        _ response: HTTPURLResponse,
        _ method: String,
        _ buffer: @autoclosure () -> BufferState,
        _ moment: Moment
    ) -> Bool {
        let asked = RetryAfter.wait(response.headerFields, now: moment.date)
        let event = RetryFailure.Event.status(response.statusCode, retryAfter: asked)
        return decide(event, method: method, reached: nil, buffer(), moment.now).isRetry
    }

    /// Compares a response with the delivered bytes.
    ///
    /// - Returns: what is done with the response, or `nil` if it does not continue the body; and
    ///   whether the buffered body is discarded, because none of it was delivered.
    private mutating func continueBody(
        after delivered: DeliveredBody,
        _ response: URLResponse,
        _ method: String,
        _ buffer: BufferState,
        _ moment: Moment
    ) -> (BodyAction?, discards: Bool) {
        guard let http = response as? HTTPURLResponse else { return (.cancel, false) }
        attempt.status = http.statusCode
        if http.statusCode >= 400 {
            let isLast = !isRetried(http, method, buffer, moment)
            return (.cancel, isLast && buffer.canDiscard)
        }
        switch delivered.verdict(on: http) {
        case .continues(_, let length?) where length > rules.responses.maxFileSize ?? .max:
            let words = "the body has \(length) bytes, more than --max-filesize allows"
            attempt.stop(.policy(words))
            return (.cancel, false)
        case .continues(let skip, let length):
            attempt.skip = skip
            attempt.continued = length.map { (from: delivered.count, whole: $0) }
            return (.continueBody(from: delivered.count, of: length), false)
        case .isOther where http.statusCode == 200 && buffer.canDiscard: return (nil, true)
        case .isOther(let why):
            attempt.stop(.error(delivered.end(why)))
            return (.cancel, false)
        }
    }

    /// Resets the counts, because the buffer was discarded and the body begins again.
    mutating func discard() {
        bytes = 0
        output.delivered = nil
        attempt.skip = 0
        attempt.continued = nil
    }

    /// What is done with received bytes.
    enum DataAction: Equatable {
        /// Write these bytes; bytes delivered before are removed.
        case write(Data)
        case drop
        case cancel
    }

    /// Decides what is done with received bytes of a body.
    mutating func received(_ data: Data, isTerminal: @autoclosure () -> Bool) -> DataAction {
        guard attempt.stopped == nil else { return .cancel }
        if attempt.excerpt != nil { return attempt.excerpt?.take(data) == true ? .drop : .cancel }
        let dropped = min(attempt.skip, Int64(data.count))
        attempt.skip -= dropped
        let new = dropped == 0 ? data : data.dropFirst(Int(dropped))
        guard !new.isEmpty else { return .drop }
        if !rules.responses.forcesTerminal, bytes < Self.examinedBytes,
            isTerminal(), new.prefix(Int(Self.examinedBytes)).contains(0)
        {
            attempt.stop(.policy(Self.binaryWords))
            return .cancel
        }
        return .write(new)
    }

    mutating func wrote(_ count: Int) {
        bytes += Int64(count)
        output.delivered?.count += Int64(count)
    }

    /// Whether to read an excerpt from an undelivered error's body that is readable text.
    mutating func beginsExcerpt(of response: URLResponse, sendsBody: Bool) -> Bool {
        guard let status = attempt.status, status >= 400, attempt.decision?.isRetry != true,
            !kind.isHead, kind.destination == .standardOutput, response.expectedContentLength != 0
        else { return false }
        let isReadable = ErrorExcerpt.isReadable(response)
        // After an upload, the hint at least names the flag that prints the body.
        if isReadable || sendsBody { attempt.excerpt = ErrorExcerpt() }
        return isReadable
    }
}

// Progress of a body that is delivered as it arrives.
extension FetchLifecycle {
    var delivered: DeliveredBody? { output.delivered.flatMap { $0.count > 0 ? $0 : nil } }

    /// The number of new bytes in a response that continues a body.
    var advance: Int64 {
        guard let continued = attempt.continued, let delivered = output.delivered else { return 0 }
        return delivered.count - continued.from
    }

    /// Whether a continuing response ended early: a server may send less than requested.
    var isShort: Bool {
        guard let continued = attempt.continued, let delivered = output.delivered else {
            return false
        }
        return delivered.count < continued.whole
    }

    var isProvable: Bool { attempt.isCompared && attempt.stopped == nil && !isShort }

    /// Whether the body is complete, and the attempt was not stopped.
    var isWhole: Bool { attempt.stopped == nil && !isShort && attempt.skip == 0 }
}
