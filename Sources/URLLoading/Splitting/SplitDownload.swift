import Dispatch
import Synchronization

/// A download whose bytes may come in several streams: the first hop's response, and those of hops
/// that ask for parts.
///
/// To its task it is the one hop that is out. It adds nothing to the first hop, which tells the
/// task of all but its end, until the response's head says that more streams are worth it. It ends
/// when all streams have. Its lock is taken behind the task's, and released before the task is called
/// anything.
final class SplitDownload: Sendable {
    /// A stream that is there.
    struct Member {
        /// `nil` while it is being started.
        var hop: (any RunningHop)?
        var lane: Int
    }

    /// What is known once there is a response to share.
    struct Work {
        let download: Download
        let validator: EntityValidator
        let trailer: PartFileTrailer
        var allocator: RangeAllocator
        var streamLimit: StreamLimit
        /// Whether the parts' connections must not be shared with the first hop's.
        var needsOwnConnections: Bool
        var members: [Int: Member] = [0: Member(hop: nil, lane: 0)]
        var made = 1
        /// Whether the file says that it has holes, so that it may have some.
        var hasTrailer: Bool
        /// Whether that is being written.
        var isWritingTrailer = false
        /// Until when no stream may begin.
        var waitsUntil: MonotonicInstant?
        /// Until when the server wants to be left alone by those that it does not serve already.
        var askedUntil: MonotonicInstant?
        /// What was found about digests of what the streams have brought.
        var findings: [DigestFinding] = []
        /// What ends the download, whichever stream still brings bytes.
        var problem: URLError?
        /// What the last stream that failed has failed with.
        var lastFailure: (limit: DownloadSplitLimit, error: URLError)?
        var startOver: DownloadStartOver?
        var progress: DownloadProgress
        /// Whether a byte has come since the last iteration, and when the last one had.
        var hasMoved = false
        var lastMove = MonotonicInstant.now

        /// With the trailer that the file has already; `nil` where it has none.
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
        /// How the first hop ended, while others go on.
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
    /// The first hop, from which the others differ by their range.
    let template: HopRequest
    /// How many streams there may be.
    let limit: Int
    let state = Mutex(State())

    /// - Parameters:
    ///   - id: what the task knows the hop by.
    ///   - template: the first hop's request.
    ///   - limit: how many streams there may be.
    ///   - transport: what carries out the others.
    ///   - client: the task.
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

    /// Says which hop is the first; before its client hears of a response.
    func attach(_ first: any RunningHop) {
        state.withLock { $0.first = first }
    }
}

// The response is there, and goes to a file.
extension SplitDownload {
    /// Takes over the whole of a file, where sharing it is worth it.
    ///
    /// - Returns: what takes the first response's bytes; `nil`: it comes in one stream.
    func begin(
        _ head: HopHead,
        _ length: Int64?,
        _ download: Download
    ) -> FileSink? {
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
        guard length >= 2 * RangeAllocator.leastPiece else { return refuse(.tooSmall) }
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

    /// Takes over the rest of a file, or the first of its holes.
    ///
    /// - Returns: what takes the first response's bytes; `nil`: they come in one stream.
    func resume(
        _ point: ResumePoint,
        _ range: ClosedRange<Int64>,
        _ total: Int64?,
        _ download: Download
    ) -> FileSink? {
        guard let total, let validator = download.validator else { return nil }
        let there = point.hasHoles ? point.data.received.ranges : ByteRanges(0..<point.start)
        guard point.hasHoles || limit > 1 else { return nil }
        guard point.hasHoles || total - there.count >= 2 * RangeAllocator.leastPiece else {
            return refuse(.tooSmall)
        }
        guard point.hasHoles || range.upperBound + 1 == total else { return nil }
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
            // The file says that it has holes before it has one, also on the disk.
            download.enqueue { [self, trailer = work.trailer, total = work.allocator.total] in
                writeTrailer(download.file, trailer, behind: total)
            }
        }
        let stream = SplitStream(
            split: self,
            number: 0,
            download: download,
            start: responseRange.lowerBound
        )
        return FileSink(download, .stream(stream))
    }
}

extension SplitDownload {
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
