import TestSupport

@testable import URLLoading

/// Servers and connections at random: responses that begin late or never, are short, and break off.
struct SplitWorld {
    private var random: PseudoRandom
    private var allocator: RangeAllocator
    private let limit: Int
    private var made = 1
    /// The bytes that each stream has taken and not written.
    private var pending: [Int: Int64] = [0: 0]
    private var file = ByteRanges()
    private var violation: String?

    init(seed: UInt64) {
        random = PseudoRandom(seed: seed)
        let total = Int64.random(in: 1...60_000_000, using: &random)
        let there = Int64.random(in: 0..<total, using: &random)
        limit = Int.random(in: 1...9, using: &random)
        if Bool.random(using: &random) { file.insert(contentsOf: 0..<there) }
        allocator = RangeAllocator(total: total, written: file)
        allocator.open(0, file.prefix..<total, among: limit)
    }

    /// Continues until the file is whole.
    ///
    /// Returns whether it has become so, each byte written once.
    mutating func run() -> Bool {
        for _ in 0..<100_000 where violation == nil {
            if allocator.isComplete { return file == ByteRanges(0..<allocator.total) }
            step()
        }
        return false
    }

    private mutating func step() {
        if pending.count < limit, let range = allocator.assign(made, among: limit - pending.count) {
            if range.isEmpty { violation = "an empty range" }
            pending[made] = 0
            made += 1
        }
        let numbers = pending.keys.sorted()
        guard let number = numbers.randomElement(using: &random),
            let stream = allocator.streams[number]
        else { return }
        switch Int.random(in: 0..<20, using: &random) {
        case 0: close(number)
        case _ where !stream.hasBegun: begin(number, stream)
        default: take(number)
        }
    }

    private mutating func begin(_ number: Int, _ stream: RangeAllocator.Stream) {
        let isShort = Int.random(in: 0..<5, using: &random) == 0
        let reach =
            isShort
            ? Int64.random(in: stream.start + 1...stream.reach, using: &random) : stream.reach
        if !allocator.begin(number, reach: reach) { violation = "\(number) is not wanted" }
    }

    private mutating func take(_ number: Int) {
        let bytes = Int64.random(in: 1...3_000_000, using: &random)
        let grant = allocator.grant(number, bytes)
        pending[number, default: 0] += grant.count
        if let superseded = grant.superseded {
            if pending[superseded] != 0 { violation = "\(superseded) had begun" }
            pending[superseded] = nil
        }
        if Bool.random(using: &random) { write(number) }
        let isAtEnd = allocator.streams[number].map { $0.next == $0.reach } ?? true
        if grant.isEnough || isAtEnd {
            write(number)
            close(number)
        }
    }

    private mutating func write(_ number: Int) {
        guard let stream = allocator.streams[number], let bytes = pending[number], bytes > 0 else {
            return
        }
        let range = stream.written..<stream.written + bytes
        let before = file.count
        file.insert(contentsOf: range)
        if file.count != before + bytes { violation = "\(range) was there" }
        allocator.write(number, bytes)
        pending[number] = 0
    }

    private mutating func close(_ number: Int) {
        _ = allocator.close(number)
        pending[number] = nil
    }
}
