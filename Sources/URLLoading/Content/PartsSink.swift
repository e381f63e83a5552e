/// Delivers the parts of a `multipart/x-mixed-replace` body, each after its head.
///
/// If the task collects parts, each replaces the one before. The sink delivers the last part at the end, as
/// a page would show it.
final class PartsSink: BodySink {
    /// The receiver of the parts.
    enum Target {
        case deliver(DeliveringSink)
        case collect(CollectingSink)

        var sink: any BodySink {
            switch self {
            case .deliver(let sink): sink
            case .collect(let sink): sink
            }
        }
    }

    /// Bytes; RFC 2046 allows 70.
    private static let maximumBoundaryLength = 256

    private var target: Target
    private var parser: PartParser
    private let begin: ([ReceivedPart]) -> BodyDisposition
    /// Bytes of the parser's buffer for which the target had no room.
    private var pending: Range<Int>?
    private var awaitsDecision = false
    /// An error behind the parts that the sink passed on last.
    private var failure: URLError?
    /// Whether all fed bytes were parsed.
    private var isParsed = true
    private var isDiscarding = false

    /// Calls `begin` with parts for the last one's disposition; throws `cannotParseResponse` without a
    /// boundary.
    init(
        _ target: Target,
        type: String,
        begin: @escaping ([ReceivedPart]) -> BodyDisposition
    ) throws(URLError) {
        guard let boundary = MediaType.parameter("boundary", of: type), !boundary.isEmpty,
            boundary.utf8.count <= Self.maximumBoundaryLength
        else {
            let words = "its parts have no boundary"
            throw URLError(.cannotParseResponse, detail: words)
        }
        self.target = target
        self.begin = begin
        parser = PartParser(boundary: boundary)
    }

    var isDrained: Bool { isParsed }

    func take(_ bytes: UnsafeRawBufferPointer) throws(URLError) -> SinkVerdict {
        guard isDrained else { return .full }
        parser.feed(bytes)
        // Bytes for which the target has no room stay in the parser's buffer.
        _ = try advance()
        return .taken
    }

    func flushPending() throws(URLError) -> SinkVerdict {
        try advance()
    }

    func decide(_ disposition: BodyDisposition) {
        guard awaitsDecision else { return }
        awaitsDecision = false
        settle(disposition)
    }

    /// Passes on the available bytes; `full` if the sink must wait for the delegate or the target.
    private func advance() throws(URLError) -> SinkVerdict {
        isParsed = false
        while !awaitsDecision {
            if let range = pending {
                guard try deliver(range) else { return .full }
                pending = nil
            }
            if let failure { throw failure }
            switch try parser.next() {
            case .data(let range): pending = range
            case .head(let fields):
                // The delegate receives the end of a part before the head of the next.
                try target.sink.iterationEnded()
                settle(begin(gather(behind: fields)))
            case nil:
                isParsed = true
                return .taken
            }
        }
        return .full
    }

    /// The part with this head, and all parts that have arrived behind it.
    ///
    /// The sink passes them on together: the task asks the delegate about one after the other, without a
    /// wake of this thread for each reply. A collected part replaces the one before, so the sink passes it
    /// on alone.
    private func gather(behind fields: HTTPHeaderFields) -> [ReceivedPart] {
        var last = ReceivedPart(fields: fields)
        guard case .deliver(let sink) = target else { return [last] }
        var parts: [ReceivedPart] = []
        do throws(URLError) {
            while let piece = try parser.next() {
                switch piece {
                case .data(let range):
                    last.body.append(contentsOf: parser.buffer[range])
                    sink.note(range.count)
                case .head(let fields):
                    parts.append(last)
                    last = ReceivedPart(fields: fields)
                }
            }
        } catch {
            failure = error
        }
        return parts + [last]
    }

    private func settle(_ disposition: BodyDisposition) {
        switch disposition {
        case .hold: awaitsDecision = true
        case .deliver: isDiscarding = false
        case .collect:
            isDiscarding = false
            target = .collect(CollectingSink(expecting: nil))
        case .recorded(let disposition, _), .checked(let disposition, _): settle(disposition)
        // A single part cannot change the destination of the body.
        case .discard, .write, .fill: isDiscarding = true
        }
    }

    /// Returns whether the target had room.
    private func deliver(_ range: Range<Int>) throws(URLError) -> Bool {
        guard !isDiscarding else { return true }
        return try parser.buffer.withUnsafeBufferPointer { buffer throws(URLError) in
            let bytes = UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: buffer[range]))
            return try target.sink.take(bytes) != .full
        }
    }

    func iterationEnded() throws(URLError) {
        try target.sink.iterationEnded()
    }

    func finish(_ end: HopEnd) throws(URLError) {
        if end.error == nil, !isDiscarding {
            do throws(URLError) {
                if let rest = try parser.finish() { add(rest) }
            } catch {
                end.error = error
            }
        }
        try target.sink.finish(end)
    }

    /// Passes on the last bytes even without room: they are at most one line.
    private func add(_ range: Range<Int>) {
        parser.buffer[range].withUnsafeBytes { bytes in
            switch target {
            case .deliver(let sink): sink.add(bytes)
            case .collect(let sink): _ = sink.take(bytes)
            }
        }
    }
}
