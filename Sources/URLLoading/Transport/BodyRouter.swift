import FoundationEssentials

/// What takes a hop's response, on the hop's thread: asks its client what becomes of it, holds it
/// until that is settled, and hands it to its sink.
final class BodyRouter {
    /// What is taken of a body before the task has decided about it, bytes: enough that most
    /// decisions never stop a transfer.
    private static let bufferLimit = 256 << 10

    let id: HopID
    let responseContext: ResponseContext
    let client: any HopClient
    let control: ResponseControl
    /// Ends what the response comes from, which then reports its end.
    let stop: () -> Void
    /// Has ``wake()`` called once other hops on the thread have run.
    let wakeSoon: () -> Void

    private(set) var head: HopHead?
    /// What a response that is not HTTP's says of its length, bytes.
    var announcedLength: Int64?
    private var hasResponse = false
    private var isDecided = false
    private var sink: (any BodySink)?
    private var buffered: [UInt8] = []
    /// What the hop fails with, whatever becomes of the transfer.
    private(set) var failure: URLError?
    var startOver: DownloadStartOver?
    /// What the caller wants the body to come to.
    var expected: ExpectedDigest?
    /// Which digests are made, and what they must be.
    var digests = HopDigests()
    /// What the body is a part of, or the whole.
    var download: Download?
    /// Whether the client wants no more of a body that it has no quarrel with.
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

    /// Whether the client has still to say what becomes of the response.
    var awaitsDecision: Bool { hasResponse && !isDecided && failure == nil }

    /// Whether the hop may end, once nothing more comes: no delegate is being asked, and all
    /// that has come was handed on.
    var isSettled: Bool {
        !awaitsDecision && (failure != nil || hadEnough || sink?.isDrained != false)
    }

    func receive(_ head: HopHead) {
        guard !hasResponse else {
            return fail(URLError(.badServerResponse, detail: "a second response to one request"))
        }
        hasResponse = true
        var head = head
        head.losesCodings =
            responseContext.undoesCodings && head.codings(responseContext.method) != nil
        head.keepsFraming = responseContext.isRaw && head.fields["Transfer-Encoding"] != nil
        self.head = head
        decide(client.hop(id, didReceive: head))
        askAtOnce()
    }

    /// Has the delegate asked before the body comes, where it is called on this thread: so the body goes
    /// straight to its sink, and the loop needs no further iteration.
    private func askAtOnce() {
        guard let lane = control.lane, awaitsDecision else { return }
        if let disposition = control.gate.take(after: { _ = lane.drain() }) { decide(disposition) }
    }

    /// Takes the description of a response that is not HTTP's.
    func receive(_ response: URLResponse) {
        guard !hasResponse else { return }
        hasResponse = true
        if response.expectedContentLength >= 0 { announcedLength = response.expectedContentLength }
        decide(client.hop(id, didReceive: response))
    }

    /// Takes a response that sends the client elsewhere.
    func receive(_ response: URLResponse, redirectingTo request: URLRequest) {
        guard !hasResponse else { return }
        hasResponse = true
        decide(client.hop(id, didReceive: response, redirectingTo: request))
    }

    /// Takes a piece of the body; `enough` also where the hop has failed.
    func take(_ bytes: UnsafeRawBufferPointer) -> SinkVerdict {
        guard failure == nil, !hadEnough else { return .enough }
        // libcurl takes what follows a 101 that was not asked for as a body.
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

    /// An iteration of the hop's thread is over.
    ///
    /// - Returns: when the next must be, though nothing more has come; `nil`: not then.
    func iterationEnded() -> MonotonicInstant? {
        guard failure == nil, let sink else { return nil }
        do throws(URLError) {
            try sink.iterationEnded()
            lookWhetherEnough(sink)
            return sink.nextDeadline
        } catch {
            fail(error)
            return nil
        }
    }

    /// Takes the client's decision, if that is what it was woken for, and goes on with what has
    /// come.
    func wake() {
        if let disposition = control.gate.take() {
            // What is decided after the whole is a part of it.
            if isDecided { sink?.decide(disposition) } else { decide(disposition) }
        }
        guard failure == nil, !hadEnough, let sink, !sink.isDrained else { return }
        do throws(URLError) {
            if try sink.goOn() == .enough {
                hadEnough = true
                stop()
            }
            try sink.iterationEnded()
        } catch {
            fail(error)
        }
    }

    /// Has the hop fail, and what it comes from end.
    func fail(_ error: URLError) {
        failure = error
        stop()
    }

    /// The body has ended, whole or not, as `end` says so far.
    func finish(_ end: inout HopEnd) {
        end.error = failure ?? end.error
        do throws(URLError) {
            try sink?.finish(&end)
        } catch {
            end.error = end.error ?? error
        }
        readTrailers(&end)
        end.startOver = startOver
        settleDigests(&end)
        // What cannot be continued goes before the delegate hears of the end, unless it was there
        // before.
        if end.error != nil, let download = end.download, !download.isContinuable {
            download.close(keeping: download.file.isContinued)
            end.download = nil
        }
        sink = nil
    }
}

extension BodyRouter {
    /// Ends the hop where nothing more is wanted of its body, though nothing may ever come.
    private func lookWhetherEnough(_ sink: any BodySink) {
        guard !hadEnough, sink.hasEnough else { return }
        hadEnough = true
        stop()
    }

    private func decide(_ disposition: BodyDisposition) {
        do throws(URLError) {
            guard let sink = try makeSink(for: disposition) else { return }
            isDecided = true
            self.sink = sink
            lookWhetherEnough(sink)
            guard !buffered.isEmpty else { return }
            defer { buffered = [] }
            // The buffered part is small: it goes on whole, whether there is room or not.
            let verdict = try buffered.withUnsafeBufferPointer { bytes throws(URLError) in
                try sink.take(UnsafeRawBufferPointer(bytes))
            }
            hadEnough = verdict == .enough
            // The next iteration's end may be far: nothing more need come for this to be wanted.
            try sink.iterationEnded()
        } catch {
            fail(error)
        }
    }
}

/// What becomes of a hop's response.
enum BodyDisposition: Sendable {
    /// Not decided yet; the body is buffered.
    case hold
    /// Read and forget it, so that its connection can serve again; end early where it is long.
    case discard
    /// Hand it on in pieces.
    case deliver
    /// Gather it in memory, and hand it on at the end.
    case collect
    /// Write it to a file.
    indirect case write(DownloadDestination, Continuation? = nil)
    /// Write it to its place in a file that other responses are written to, too.
    case fill(SplitStream)
    /// Do this, and record it for the cache.
    indirect case recorded(BodyDisposition, CacheRecorder)
    /// Do this, and see that it comes to what the caller expects.
    indirect case checked(BodyDisposition, ExpectedDigest)

    /// Whether the body has a receiver.
    var isUse: Bool {
        switch self {
        case .hold, .discard, .write(_, .nothing): false
        case .deliver, .collect, .write, .fill: true
        case .recorded(let disposition, _), .checked(let disposition, _): disposition.isUse
        }
    }

    /// Whether it is word that a file is whole as it is.
    var isComplete: Bool {
        switch self {
        case .write(_, .nothing): true
        case .checked(let disposition, _): disposition.isComplete
        case .hold, .discard, .deliver, .collect, .write, .fill, .recorded: false
        }
    }

    /// What a response is to the bytes of a file that are there.
    enum Continuation: Sendable {
        /// These, which follow them; the length of the whole, where it is known.
        case rest(ResumePoint, ClosedRange<Int64>, total: Int64?)
        /// Word that nothing follows them.
        case nothing(ResumePoint)

        var point: ResumePoint {
            switch self {
            case .rest(let point, _, _), .nothing(let point): point
            }
        }
    }
}
