/// Which stream downloads which bytes of a file.
///
/// The ranges of the streams, and the written ranges, never overlap. All other ranges are free.
struct RangeAllocator: Sendable {
    /// The smallest piece that is worth its own request, bytes.
    static let minimumPiece: Int64 = 1 << 20
    /// Bytes; pieces begin at multiples of this where possible, so that no two share a page.
    private static let alignment: Int64 = 64 << 10

    /// One response, and its range.
    struct Stream: Sendable, Hashable {
        /// The offset of its first byte.
        let start: Int64
        /// The offset of the first byte that is not in the file.
        fileprivate(set) var written: Int64
        /// The offset of the first byte that has not arrived.
        fileprivate(set) var next: Int64
        /// The offset at which the stream is to stop.
        fileprivate(set) var end: Int64
        /// The offset behind the last byte of its response.
        fileprivate(set) var reach: Int64
        /// Whether its response has begun, and is the requested part.
        fileprivate(set) var hasBegun: Bool

        /// The number of bytes that have arrived.
        var gained: Int64 { next - start }

        fileprivate init(_ range: Range<Int64>, reach: Int64, hasBegun: Bool) {
            (start, written, next) = (range.lowerBound, range.lowerBound, range.lowerBound)
            (end, self.reach, self.hasBegun) = (range.upperBound, reach, hasBegun)
        }
    }

    /// How many bytes of a piece a stream may write.
    struct Grant: Equatable {
        /// The number of bytes to take.
        var count: Int64
        /// Whether the stream needs no further bytes, although its response continues.
        var isEnough: Bool
        /// Another stream, whose range this one has taken over because its response has not begun.
        var superseded: Int?
    }

    /// The length of the file, bytes.
    let total: Int64
    private(set) var written = ByteRanges()
    private(set) var streams: [Int: Stream] = [:]

    var isComplete: Bool { written.isPrefix && written.count == total }

    /// The ranges that are neither written nor assigned to a stream.
    var free: [Range<Int64>] {
        var taken = written
        for stream in streams.values { taken.insert(contentsOf: stream.written..<stream.end) }
        return taken.gaps(upTo: total)
    }

    /// The number of bytes that have arrived, written or not.
    var received: Int64 {
        streams.values.reduce(written.count) { $0 + ($1.next - $1.written) }
    }

    /// Assigns a range to the first stream, whose response has begun, if `sharers` streams share the free
    /// bytes.
    mutating func open(_ number: Int, _ responseRange: Range<Int64>, among sharers: Int) {
        guard let gap = free.first(where: { $0.contains(responseRange.lowerBound) }) else { return }
        let room = responseRange.lowerBound..<min(gap.upperBound, responseRange.upperBound)
        let piece = piece(of: room, among: sharers)
        streams[number] = Stream(piece, reach: responseRange.upperBound, hasBegun: true)
    }

    /// Assigns free bytes to a new stream, or else half of the largest rest; `nil` where that is too small.
    ///
    /// `idle` streams have no range, this one included.
    mutating func assign(_ number: Int, among idle: Int) -> Range<Int64>? {
        let gap = free.max { $0.count < $1.count }
        guard let range = gap.map({ piece(of: $0, among: idle) }) ?? steal() else { return nil }
        streams[number] = Stream(range, reach: range.upperBound, hasBegun: false)
        return range
    }

    /// Notes that a stream's response has bytes up to `reach`; returns whether the download needs them.
    mutating func begin(_ number: Int, reach: Int64) -> Bool {
        guard var stream = streams[number] else { return false }
        stream.hasBegun = true
        stream.reach = reach
        stream.end = min(stream.end, reach)
        streams[number] = stream
        return true
    }

    /// Decides how many of the bytes that have just arrived a stream may write.
    mutating func grant(_ number: Int, _ bytes: Int64) -> Grant {
        guard var stream = streams[number] else { return Grant(count: 0, isEnough: true) }
        defer { streams[number] = stream }
        var superseded: Int?
        if stream.next == stream.end { superseded = extend(&stream) }
        let count = min(bytes, stream.end - stream.next)
        stream.next += count
        // The stream continues past its end, unless another stream downloads the bytes that follow.
        if superseded == nil, stream.next == stream.end { superseded = extend(&stream) }
        return Grant(
            count: count,
            isEnough: stream.next == stream.end && stream.end < stream.reach,
            superseded: superseded
        )
    }

    /// Notes that this many bytes of a stream are now in the file.
    mutating func write(_ number: Int, _ bytes: Int64) {
        guard var stream = streams[number] else { return }
        written.insert(contentsOf: stream.written..<stream.written + bytes)
        stream.written += bytes
        streams[number] = stream
    }

    /// Removes a stream's bytes from the written ones.
    mutating func forget(_ stream: Stream) {
        written.remove(contentsOf: stream.start..<stream.written)
    }

    /// Whether all bytes of a stream's response have arrived.
    func isAtEnd(_ number: Int) -> Bool {
        streams[number].map { $0.hasBegun && $0.next == $0.reach } ?? false
    }

    /// Removes a stream; its unwritten bytes are free again.
    mutating func close(_ number: Int) -> Stream? {
        streams.removeValue(forKey: number)
    }
}

extension RangeAllocator {
    /// The piece of a gap for one of several streams.
    private func piece(of gap: Range<Int64>, among idle: Int) -> Range<Int64> {
        let sum = free.reduce(0) { $0 + Int64($1.count) }
        let share = Self.aligned(sum / Int64(max(1, idle)))
        let wanted = max(Self.minimumPiece, share)
        let rest = Int64(gap.count) - wanted
        return rest < Self.minimumPiece ? gap : gap.lowerBound..<gap.lowerBound + wanted
    }

    private mutating func steal() -> Range<Int64>? {
        let most = streams.max { $0.value.end - $0.value.next < $1.value.end - $1.value.next }
        guard let (number, stream) = most, stream.end - stream.next >= 2 * Self.minimumPiece else {
            return nil
        }
        let middle = Self.aligned(stream.next + (stream.end - stream.next) / 2)
        streams[number]?.end = middle
        return middle..<stream.end
    }

    /// Moves the end of a stream whose response continues, if no other stream downloads the bytes that
    /// follow.
    ///
    /// Returns the stream that has lost its range, because its response has not begun.
    private mutating func extend(_ stream: inout Stream) -> Int? {
        guard stream.end < stream.reach else { return nil }
        let end = stream.end
        if let next = streams.first(where: { !$0.value.hasBegun && $0.value.start == end }) {
            streams[next.key] = nil
            stream.end = min(stream.reach, next.value.end)
            return next.key
        }
        guard let gap = free.first(where: { $0.lowerBound == end }) else { return nil }
        stream.end = min(gap.upperBound, stream.reach, end.adding(clamping: Self.minimumPiece))
        return nil
    }

    private static func aligned(_ offset: Int64) -> Int64 {
        offset.adding(clamping: alignment - 1) / alignment * alignment
    }
}

/// How many streams a download may have, after failures.
///
/// Each time the server refuses a stream, or closes it before it has delivered 64 KiB, the limit falls by one.
/// The download repeats the last stream four times, after waits.
struct StreamLimit: Sendable {
    /// Bytes; a stream that delivers fewer before it fails lowers the limit.
    static let minimumGain: Int64 = 64 << 10
    /// How often the download repeats the last stream after it delivered too few bytes.
    private static let maximumWaits = 4
    /// The wait before the first of these attempts; each further wait is twice as long.
    private static let firstWait: Duration = .milliseconds(250)

    /// The most streams at once.
    private(set) var count: Int
    /// Consecutive failures of the last stream.
    private var failures = 0

    init(count: Int) {
        self.count = count
    }

    /// What to do after the end of a stream.
    enum Verdict: Equatable {
        /// Open further streams where the limit allows.
        case proceed
        /// There is no stream; begin one after this wait.
        case wait(Duration)
        /// The download fails.
        case giveUp
    }

    /// Notes that a stream has failed beside `live` others; `isFinal`: a further request would fail alike.
    mutating func failed(gained: Int64, live: Int, isFinal: Bool) -> Verdict {
        if gained >= Self.minimumGain, !isFinal {
            failures = 0
            return .proceed
        }
        count = max(1, isFinal ? live : count - 1)
        guard live == 0 else { return .proceed }
        guard !isFinal, failures < Self.maximumWaits else { return .giveUp }
        failures += 1
        return .wait(Self.firstWait * (1 << (failures - 1)))
    }

    /// Allows no further streams beside the first.
    mutating func stopSplitting() {
        count = 1
    }

    /// Notes that a stream has ended without an error.
    mutating func succeeded() {
        failures = 0
    }
}
