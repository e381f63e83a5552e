/// Which stream brings which bytes of a file: what is written, on its way, and missing.
///
/// The bytes of each stream, and those that are written, never overlap; what neither has is free.
struct RangeAllocator: Sendable {
    /// The least that is worth a request of its own, bytes.
    static let leastPiece: Int64 = 1 << 20
    /// Pieces begin at multiples of this where they can, so that none shares a page with another.
    private static let alignment: Int64 = 64 << 10

    /// One response, and its range.
    struct Stream: Sendable, Hashable {
        /// Where it began.
        let start: Int64
        /// The first byte that it has not written.
        fileprivate(set) var written: Int64
        /// The first byte that it has not taken.
        fileprivate(set) var next: Int64
        /// Where it is to stop.
        fileprivate(set) var end: Int64
        /// Where its response ends.
        fileprivate(set) var reach: Int64
        /// Whether its response has begun, and is the right one.
        fileprivate(set) var hasBegun: Bool

        /// The bytes that it has taken.
        var gained: Int64 { next - start }
    }

    /// What a stream may do with a piece.
    struct Grant: Equatable {
        /// The bytes that it takes.
        var count: Int64
        /// Whether the stream needs no more of its response, which would continue.
        var isEnough: Bool
        /// A stream whose bytes it has taken over, since their response has not begun.
        var superseded: Int?
    }

    /// The length of the file.
    let total: Int64
    private(set) var written: ByteRanges
    private(set) var streams: [Int: Stream] = [:]

    init(total: Int64, written: ByteRanges = ByteRanges()) {
        self.total = total
        self.written = written
    }

    var isComplete: Bool { written.isPrefix && written.count == total }

    /// The ranges that no stream has brought, or brings.
    var free: [Range<Int64>] {
        var taken = written
        for stream in streams.values { taken.insert(contentsOf: stream.written..<stream.end) }
        return taken.gaps(upTo: total)
    }

    /// All bytes that have been taken, written or not.
    var received: Int64 {
        streams.values.reduce(written.count) { $0 + ($1.next - $1.written) }
    }

    /// The response that is there already begins to bring its share.
    ///
    /// - Parameters:
    ///   - number: the stream's.
    ///   - responseRange: what the response has; it begins where free bytes do.
    ///   - sharers: among how many what is free is going to be shared.
    mutating func open(_ number: Int, _ responseRange: Range<Int64>, among sharers: Int) {
        guard let gap = free.first(where: { $0.contains(responseRange.lowerBound) }) else { return }
        let room = responseRange.lowerBound..<min(gap.upperBound, responseRange.upperBound)
        let end = piece(of: room, among: sharers).upperBound
        streams[number] = Stream(
            start: responseRange.lowerBound,
            written: responseRange.lowerBound,
            next: responseRange.lowerBound,
            end: end,
            reach: responseRange.upperBound,
            hasBegun: true
        )
    }

    /// Gives a new stream bytes to ask for: of those that no stream brings, or else half of what is
    /// left to the one that has most.
    ///
    /// - Parameters:
    ///   - number: the stream's.
    ///   - idle: how many streams look for bytes, itself included.
    /// - Returns: the bytes; `nil` where there are too few to share.
    mutating func assign(_ number: Int, among idle: Int) -> Range<Int64>? {
        let range: Range<Int64>
        if let gap = free.max(by: { $0.count < $1.count }) {
            range = piece(of: gap, among: idle)
        } else if let stolen = steal() {
            range = stolen
        } else {
            return nil
        }
        streams[number] = Stream(
            start: range.lowerBound,
            written: range.lowerBound,
            next: range.lowerBound,
            end: range.upperBound,
            reach: range.upperBound,
            hasBegun: false
        )
        return range
    }

    /// A stream's response has begun, and has bytes up to there.
    ///
    /// - Returns: whether the stream is still wanted.
    mutating func begin(_ number: Int, reach: Int64) -> Bool {
        guard var stream = streams[number] else { return false }
        stream.hasBegun = true
        stream.reach = reach
        stream.end = min(stream.end, reach)
        streams[number] = stream
        return true
    }

    /// A stream's response has brought so many bytes: how many of them are wanted.
    mutating func grant(_ number: Int, _ bytes: Int64) -> Grant {
        guard var stream = streams[number] else { return Grant(count: 0, isEnough: true) }
        defer { streams[number] = stream }
        var superseded: Int?
        if stream.next == stream.end { superseded = extend(&stream) }
        let count = min(bytes, stream.end - stream.next)
        stream.next += count
        // No other stream may bring what follows: then it goes on.
        if superseded == nil, stream.next == stream.end { superseded = extend(&stream) }
        return Grant(
            count: count,
            isEnough: stream.next == stream.end && stream.end < stream.reach,
            superseded: superseded
        )
    }

    /// So many bytes of those that a stream has taken are in the file.
    mutating func write(_ number: Int, _ bytes: Int64) {
        guard var stream = streams[number] else { return }
        written.insert(contentsOf: stream.written..<stream.written + bytes)
        stream.written += bytes
        streams[number] = stream
    }

    /// What a stream has written is not to be used.
    mutating func forget(_ stream: Stream) {
        written.remove(contentsOf: stream.start..<stream.written)
    }

    /// Whether a stream has brought all that its response has.
    func isAtEnd(_ number: Int) -> Bool {
        streams[number].map { $0.hasBegun && $0.next == $0.reach } ?? false
    }

    /// A stream is over; what it has not written is free.
    mutating func close(_ number: Int) -> Stream? {
        streams.removeValue(forKey: number)
    }
}

extension RangeAllocator {
    /// The part of a gap for one of several streams.
    private func piece(of gap: Range<Int64>, among idle: Int) -> Range<Int64> {
        let sum = free.reduce(0) { $0 + Int64($1.count) }
        let share = Self.aligned(sum / Int64(max(1, idle)))
        let wanted = max(Self.leastPiece, share)
        let rest = Int64(gap.count) - wanted
        return rest < Self.leastPiece ? gap : gap.lowerBound..<gap.lowerBound + wanted
    }

    private mutating func steal() -> Range<Int64>? {
        let most = streams.max { $0.value.end - $0.value.next < $1.value.end - $1.value.next }
        guard let (number, stream) = most, stream.end - stream.next >= 2 * Self.leastPiece else {
            return nil
        }
        let middle = Self.aligned(stream.next + (stream.end - stream.next) / 2)
        streams[number]?.end = middle
        return middle..<stream.end
    }

    /// Has a stream go on past its end where its response does, and no other stream brings what
    /// follows.
    ///
    /// - Returns: the stream whose bytes these were, if its response has not begun.
    private mutating func extend(_ stream: inout Stream) -> Int? {
        guard stream.end < stream.reach else { return nil }
        let end = stream.end
        if let next = streams.first(where: { !$0.value.hasBegun && $0.value.start == end }) {
            streams[next.key] = nil
            stream.end = min(stream.reach, next.value.end)
            return next.key
        }
        guard let gap = free.first(where: { $0.lowerBound == end }) else { return nil }
        stream.end = min(gap.upperBound, stream.reach, end.adding(clamping: Self.leastPiece))
        return nil
    }

    private static func aligned(_ offset: Int64) -> Int64 {
        offset.adding(clamping: alignment - 1) / alignment * alignment
    }
}

/// How many streams a download has, by what has become of them.
///
/// A server that refuses a stream, or breaks it off before it has brought anything to speak of, gets
/// one fewer. The last one is tried again a few times, after waits.
struct StreamLimit: Sendable {
    /// What a stream must have brought to be worth another one, bytes.
    static let leastGain: Int64 = 64 << 10
    /// How often the last stream is tried again without a gain.
    private static let mostWaits = 4
    /// Before the first of these tries; each wait is twice the one before it.
    private static let firstWait: Duration = .milliseconds(250)

    /// How many streams there may be at once.
    private(set) var count: Int
    /// Tries in a row, of one stream alone, that have brought nothing.
    private var failures = 0

    init(count: Int) {
        self.count = count
    }

    /// What follows a stream's end.
    enum Verdict: Equatable {
        /// Others go on, or this one again at once.
        case goOn
        /// No stream is left; one may begin again after this wait.
        case wait(Duration)
        /// No stream gets anywhere.
        case giveUp
    }

    /// A stream has ended before its time.
    ///
    /// - Parameters:
    ///   - gained: the bytes that it has brought.
    ///   - live: how many others there are.
    ///   - isFinal: whether the server will not say otherwise the next time.
    /// - Returns: what follows.
    mutating func failed(gained: Int64, live: Int, isFinal: Bool) -> Verdict {
        if gained >= Self.leastGain, !isFinal {
            failures = 0
            return .goOn
        }
        count = max(1, isFinal ? live : count - 1)
        guard live == 0 else { return .goOn }
        guard !isFinal, failures < Self.mostWaits else { return .giveUp }
        failures += 1
        return .wait(Self.firstWait * (1 << (failures - 1)))
    }

    /// No further stream shall begin beside the first.
    mutating func stopSplitting() {
        count = 1
    }

    /// A stream has brought something to speak of, and ended in good order.
    mutating func succeeded() {
        failures = 0
    }
}
