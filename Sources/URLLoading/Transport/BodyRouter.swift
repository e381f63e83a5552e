import FoundationEssentials
import Synchronization

/// Handles a hop's response on the hop's thread: asks the client for a disposition, buffers the body
/// until the client decides, and passes it to a sink.
final class BodyRouter {
    /// Bytes to buffer before the task decides about a body; most decisions arrive before a transfer pauses.
    private static let bufferLimit = 256 << 10
    /// The longest body that may arrive as one piece, bytes: libcurl's largest.
    private static let longestPiece: Int64 = 16 << 10

    let id: HopID
    let responseContext: ResponseContext
    let client: any HopClient
    let control: ResponseControl
    /// Ends the source of the response, which then reports its end.
    let stop: () -> Void
    /// Requests a call of ``wake()`` after the other hops on the thread have run.
    let wakeSoon: () -> Void

    private(set) var head: HopHead?
    /// The length of an HTTP response's body, as its head states it, bytes; `nil`: unknown.
    private(set) var bodyLength: Int64?
    /// The length that a non-HTTP response states, bytes.
    var announcedLength: Int64?
    private var hasResponse = false
    private var isDecided = false
    /// Whether the client is asked about the response when its body arrives, or at the end of the iteration.
    private var isAskedLater = false
    private var sink: (any BodySink)?
    private var buffered: [UInt8] = []
    /// The error that the hop ends with, whatever the transfer's outcome.
    private(set) var failure: URLError?
    var startOver: DownloadStartOver?
    var expected: ExpectedDigest?
    var digests = HopDigests()
    var download: Download?
    /// Whether the client needs no further bytes, without an error.
    private(set) var hadEnough = false

    init(
        _ id: HopID,
        _ responseContext: ResponseContext,
        client: any HopClient,
        control: ResponseControl,
        wakeSoon: @escaping () -> Void,
        stop: @escaping () -> Void
    ) {
        self.id = id
        self.responseContext = responseContext
        self.client = client
        self.control = control
        self.wakeSoon = wakeSoon
        self.stop = stop
    }

    /// Whether the client has not decided about the response yet.
    var awaitsDecision: Bool { hasResponse && !isDecided && failure == nil }

    /// Whether the hop may end when the transfer has ended: no decision is pending, and the router has
    /// passed on every received byte.
    var isSettled: Bool {
        !awaitsDecision && (failure != nil || hadEnough || sink?.isDrained != false)
    }

    func receive(_ head: consuming HopHead) {
        guard !hasResponse else {
            return fail(URLError(.badServerResponse, detail: "a second response to one request"))
        }
        hasResponse = true
        head.isDecoded =
            responseContext.decodesContent && head.codings(responseContext.method) != nil
        head.keepsFraming = responseContext.isRaw && head.fields["Transfer-Encoding"] != nil
        bodyLength = head.bodyLength(responseContext.method)
        self.head = head
        decide(client.hop(id, didReceive: head))
        // The delegate treats a file whose body is whole in another way, and most small bodies follow at once.
        isAskedLater = control.lane != nil && mayArriveWhole(head)
        if !isAskedLater { askAtOnce() }
    }

    /// Whether the body may be one piece, and is written to a file as it is.
    private func mayArriveWhole(_ head: borrowing HopHead) -> Bool {
        guard head.status == 200, !head.isDecoded, !head.keepsFraming, responseContext.split == nil,
            let bodyLength
        else { return false }
        return (1...Self.longestPiece).contains(bodyLength)
    }

    /// Calls the delegate if its call was left until the body arrives, of which `bytes` are there.
    func askIfLeft(after bytes: Int = 0) {
        guard isAskedLater else { return }
        isAskedLater = false
        if bodyLength == Int64(bytes) { control.isWhole.store(true, ordering: .relaxed) }
        askAtOnce()
    }

    /// Calls the delegate before the body arrives, if delegates run on this thread.
    ///
    /// The body then goes directly to its sink, and the loop needs no further iteration.
    private func askAtOnce() {
        guard let lane = control.lane, awaitsDecision else { return }
        if let disposition = control.gate.take(after: { _ = lane.drain() }) { decide(disposition) }
    }

    func receive(_ response: URLResponse) {
        guard !hasResponse else { return }
        hasResponse = true
        if response.expectedContentLength >= 0 { announcedLength = response.expectedContentLength }
        decide(client.hop(id, didReceive: response))
    }

    func receive(_ response: URLResponse, redirectingTo request: URLRequest) {
        guard !hasResponse else { return }
        hasResponse = true
        decide(client.hop(id, didReceive: response, redirectingTo: request))
    }

    /// Passes a piece of the body to the sink; `enough` also after an error.
    func take(_ bytes: UnsafeRawBufferPointer) -> SinkVerdict {
        askIfLeft(after: bytes.count)
        guard failure == nil, !hadEnough else { return .enough }
        // libcurl treats the bytes after an unrequested 101 as a body.
        guard hasResponse else {
            failure = URLError(.badServerResponse, detail: "a body arrived before any response")
            return .enough
        }
        guard let sink else {
            guard buffered.count + bytes.count <= Self.bufferLimit else { return .full }
            buffered.append(contentsOf: bytes)
            return .taken
        }
        do throws(URLError) {
            let verdict = try sink.take(bytes)
            if verdict == .enough { hadEnough = true }
            return verdict
        } catch {
            failure = error
            return .enough
        }
    }

    /// Handles the end of an iteration of the hop's thread.
    ///
    /// - Returns: when the next iteration must end even if no byte arrives; `nil`: no deadline.
    func iterationEnded() -> MonotonicInstant? {
        askIfLeft()
        guard failure == nil, let sink else { return nil }
        do throws(URLError) {
            try sink.iterationEnded()
            stopIfEnough(sink.hasEnough)
            return sink.nextDeadline
        } catch {
            fail(error)
            return nil
        }
    }

    /// Applies a pending decision of the client, and passes buffered bytes on.
    func wake() {
        if let disposition = control.gate.take() {
            // A decision after the first is about a part of the body.
            if isDecided { sink?.decide(disposition) } else { decide(disposition) }
        }
        guard failure == nil, !hadEnough, let sink, !sink.isDrained else { return }
        do throws(URLError) {
            stopIfEnough(try sink.flushPending() == .enough)
            try sink.iterationEnded()
        } catch {
            fail(error)
        }
    }

    /// Ends the hop with an error, and stops the source.
    func fail(_ error: URLError) {
        failure = error
        stop()
    }

    /// Handles the end of the body; `end.error` says whether it is complete.
    func finish(_ end: HopEnd) {
        if let failure { end.error = failure }
        do throws(URLError) {
            try sink?.finish(end)
        } catch {
            end.error = end.error ?? error
        }
        readTrailers(end)
        end.startOver = startOver
        settleDigests(end)
        // The router removes an unusable partial file before it notifies the delegate, unless the file
        // existed before.
        if end.hasFailed, let download = end.download, !download.isContinuable {
            download.close(keeping: download.file.isContinued)
            end.download = nil
        }
        sink = nil
    }
}

extension BodyRouter {
    /// Ends the hop if its sink needs no further bytes; the server may never send any.
    private func stopIfEnough(_ isEnough: Bool) {
        guard !hadEnough, isEnough else { return }
        hadEnough = true
        stop()
    }

    private func decide(_ disposition: BodyDisposition) {
        do throws(URLError) {
            guard let sink = try makeSink(for: disposition) else { return }
            isDecided = true
            self.sink = sink
            stopIfEnough(sink.hasEnough)
            guard !buffered.isEmpty else { return }
            defer { buffered = [] }
            // The buffer is small, so the sink takes all of it even if its window is full.
            let verdict = try buffered.withUnsafeBufferPointer { bytes throws(URLError) in
                try sink.take(UnsafeRawBufferPointer(bytes))
            }
            stopIfEnough(verdict == .enough)
            // The buffered bytes must not wait for the end of the next iteration, which may be far off.
            try sink.iterationEnded()
        } catch {
            fail(error)
        }
    }
}

/// What to do with a response's body.
enum BodyDisposition: Sendable {
    /// Undecided; the body is buffered.
    case hold
    /// Read and drop the body, to keep the connection usable; stop early if the body is long.
    case discard
    case deliver
    /// Collect the body in memory, and deliver it at the end.
    case collect
    indirect case write(DownloadDestination, Continuation? = nil)
    /// Write the body into its range of a file that other responses also fill.
    case fill(SplitStream)
    /// Apply the disposition, and record the body for the cache.
    indirect case recorded(BodyDisposition, CacheRecorder)
    /// Apply the disposition, and compare the body with the expected digest.
    indirect case checked(BodyDisposition, ExpectedDigest)

    /// Whether a receiver needs the body.
    var isUse: Bool {
        switch self {
        case .hold, .discard, .write(_, .nothing): false
        case .deliver, .collect, .write, .fill: true
        case .recorded(let disposition, _), .checked(let disposition, _): disposition.isUse
        }
    }

    /// Whether the response says that the partial file is already complete.
    var isComplete: Bool {
        switch self {
        case .write(_, .nothing): true
        case .checked(let disposition, _): disposition.isComplete
        case .hold, .discard, .deliver, .collect, .write, .fill, .recorded: false
        }
    }

    /// How a response continues a partial file.
    enum Continuation: Sendable {
        /// The response contains this range; `total` is the length of the complete file, if it is known.
        case rest(ResumePoint, ClosedRange<Int64>, total: Int64?)
        /// The file is already complete.
        case nothing(ResumePoint)

        var point: ResumePoint {
            switch self {
            case .rest(let point, _, _), .nothing(let point): point
            }
        }
    }
}
