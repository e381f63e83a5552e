import Synchronization

/// A download that may use several streams: the first hop's response, and those of hops for parts.
///
/// To its task it is one hop. While there is one stream, the first hop calls the task directly, except for
/// its end. It opens further streams when the response's head shows that they are worthwhile. The split
/// download ends when all streams have ended. It takes its lock after the task's, and releases it before it
/// calls the task.
final class SplitDownload: Sendable {
    struct Member {
        /// `nil` while the hop is being started.
        var hop: (any RunningHop)?
        var lane: Int
    }

    /// The state of a response whose file is shared among streams.
    struct Work {
        let download: Download
        let validator: EntityValidator
        let trailer: PartFileTrailer
        var allocator: RangeAllocator
        var streamLimit: StreamLimit
        /// Whether hops for parts must not use the first hop's connection.
        var needsOwnConnections: Bool
        var members: [Int: Member] = [0: Member(hop: nil, lane: 0)]
        var made = 1
        /// Whether the file has its trailer, and may have holes.
        var hasTrailer: Bool
        var isWritingTrailer = false
        /// The time before which the download must not open a stream.
        var waitsUntil: MonotonicInstant?
        /// The time before which the server wants no new requests.
        var askedUntil: MonotonicInstant?
        /// The results of the digest checks of all streams.
        var findings: [DigestFinding] = []
        /// The error that ends the download, even if streams still deliver bytes.
        var problem: URLError?
        var startOver: DownloadStartOver?
        var progress: DownloadProgress
        /// Whether bytes have arrived since the last iteration, and the time of the last iteration with
        /// bytes.
        var hasMoved = false
        var lastMove = MonotonicInstant.now

        /// `trailer` is the one that the file already has; `nil`: none.
        init(
            _ download: Download,
            _ validator: EntityValidator,
            _ allocator: RangeAllocator,
            limit: Int,
            needsOwnConnections: Bool,
            trailer: PartFileTrailer? = nil
        ) {
            self.download = download
            self.validator = validator
            self.allocator = allocator
            self.trailer = trailer ?? PartFileTrailer()
            self.needsOwnConnections = needsOwnConnections
            hasTrailer = trailer != nil
            streamLimit = StreamLimit(count: limit)
            progress = DownloadProgress(from: allocator.written.count)
        }
    }

    struct State {
        var first: (any RunningHop)?
        /// How the first hop ended, while others continue.
        var firstEnd: HopEnd?
        var work: Work?
        var isSuspended = false
        var isCancelled = false
        var hasEnded = false
        var stopwatch = Stopwatch()
    }

    let id: HopID
    let client: URLSessionTask
    let transport: any Transport
    /// The first hop's request; the other hops differ from it by their range.
    let template: HopRequest
    /// The most streams at once.
    let limit: Int
    let state = Mutex(State())

    /// Splits the hop of a task into at most `limit` streams, by the first hop's request.
    init(
        _ id: HopID,
        _ template: HopRequest,
        limit: Int,
        transport: any Transport,
        client: URLSessionTask
    ) {
        self.id = id
        self.template = template
        self.limit = limit
        self.transport = transport
        self.client = client
        state.withLock { $0.stopwatch.start() }
    }

    /// Sets the first hop, before that hop reports a response.
    func attach(_ first: any RunningHop) {
        state.withLock { $0.first = first }
    }

    /// Changes the shared work, if there is any; taken out meanwhile, because its lists would be copied.
    func withWork<Value: Sendable>(_ change: (inout Work, inout State) -> Value?) -> Value? {
        state.withLock { state in
            guard var work = state.work.take() else { return nil }
            defer { state.work = work }
            return change(&work, &state)
        }
    }
}

// Sharing a response that goes to a file.
extension SplitDownload {
    /// Shares a whole file among streams; returns the first response's sink, or `nil` for one stream.
    func begin(_ head: HopHead, _ length: Int64?, _ download: Download) -> FileSink? {
        guard limit > 1, head.status == 200, template.responseContext.continuable != nil else {
            return nil
        }
        let units = head.fields["Accept-Ranges"]?.asciiLowercased ?? ""
        let sendsRanges = units.split(byte: UInt8(ascii: ",")).contains { unit in
            HTTPSyntax.trimmed(unit) == "bytes"
        }
        guard let length, let validator = download.validator else {
            return refuse(sendsRanges ? .notIdentified : .rangesNotSupported)
        }
        guard length >= 2 * RangeAllocator.minimumPiece else { return refuse(.tooSmall) }
        guard sendsRanges else { return refuse(.rangesNotSupported) }
        return share(
            0..<length,
            Work(
                download,
                validator,
                RangeAllocator(total: length),
                limit: limit,
                needsOwnConnections: head.httpVersion.startsWithBytes(of: "HTTP/2")
            )
        )
    }

    /// Shares the rest of a file, or the first of its holes; returns as ``begin(_:_:_:)``.
    func resume(
        _ point: ResumePoint,
        _ range: ClosedRange<Int64>,
        _ total: Int64?,
        _ download: Download
    ) -> FileSink? {
        guard let total, let validator = download.validator else { return nil }
        let there = point.hasHoles ? point.data.received.ranges : ByteRanges(0..<point.start)
        if !point.hasHoles {
            guard limit > 1 else { return nil }
            let isLarge = total - there.count >= 2 * RangeAllocator.minimumPiece
            guard isLarge else { return refuse(.tooSmall) }
            guard range.upperBound + 1 == total else { return nil }
        }
        return share(
            range.lowerBound..<range.upperBound + 1,
            Work(
                download,
                validator,
                RangeAllocator(total: total, written: there),
                limit: limit,
                needsOwnConnections: true,
                trailer: point.hasHoles ? point.data.received.trailer : nil
            )
        )
    }

    private func refuse(_ limit: DownloadSplitLimit) -> FileSink? {
        client.hop(id, didSplitInto: 1, limit)
        return nil
    }

    private func share(_ responseRange: Range<Int64>, _ work: Work) -> FileSink {
        var work = work
        work.allocator.open(0, responseRange, among: limit)
        state.withLock { [work] state in
            state.work = work
            state.work?.members[0]?.hop = state.first
        }
        if limit > 1 { client.hop(id, didSplitInto: limit, nil) }
        let download = work.download
        if work.hasTrailer {
            pump()
        } else if limit > 1 {
            // The trailer is on the disk before the file has its first hole.
            download.enqueue { [self, trailer = work.trailer, total = work.allocator.total] in
                writeTrailer(download.file, trailer, behind: total)
            }
        }
        let start = responseRange.lowerBound
        let stream = SplitStream(split: self, number: 0, download: download, start: start)
        return FileSink(download, .stream(stream))
    }

    private func writeTrailer(_ file: PartFile, _ trailer: PartFileTrailer, behind total: Int64) {
        let isWanted = state.withLock { state in
            guard !state.hasEnded, state.work?.allocator.isComplete == false else { return false }
            state.work?.isWritingTrailer = true
            return true
        }
        guard isWanted else { return }
        let hasTrailer = (try? file.write(trailer, behind: total)) != nil
        state.withLock { state in
            state.work?.isWritingTrailer = false
            state.work?.hasTrailer = hasTrailer
            if !hasTrailer { state.work?.streamLimit.stopSplitting() }
        }
        pump()
        concludeIfOver()
    }
}
