/// How many streams a download has, by what has become of them.
///
/// A server that refuses a stream, or breaks it off before it has brought anything to speak of, gets
/// one fewer. The last one is tried again a few times, after waits.
struct SplitCrew: Sendable {
    /// What a stream must have brought to be worth another one, bytes.
    static let leastGain: Int64 = 64 << 10
    /// How often the last stream is tried again without a gain.
    private static let mostWaits = 4
    /// Before the first of these tries; each wait is twice the one before it.
    private static let firstWait: Duration = .milliseconds(250)

    /// How many streams there may be at once.
    private(set) var limit: Int
    /// Tries in a row, of one stream alone, that have brought nothing.
    private var barren = 0

    init(limit: Int) {
        self.limit = limit
    }

    /// What follows a stream's end.
    enum Verdict: Equatable {
        /// Others go on, or this one again at once.
        case goOn
        /// There is nobody left; one may try again after this wait.
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
            barren = 0
            return .goOn
        }
        limit = max(1, isFinal ? live : limit - 1)
        guard live == 0 else { return .goOn }
        guard !isFinal, barren < Self.mostWaits else { return .giveUp }
        barren += 1
        return .wait(Self.firstWait * (1 << (barren - 1)))
    }

    /// No further stream shall begin beside the first.
    mutating func disband() {
        limit = 1
    }

    /// A stream has brought something to speak of, and ended in good order.
    mutating func succeeded() {
        barren = 0
    }
}
