/// What a program wants of its transfer process: in order, and kept until that has said that it is on
/// the disk, since it may have to be said again to the next one.
struct BackgroundOrders {
    /// One order.
    enum Order {
        case make(BackgroundTaskRecord)
        case resume(Int)
        case suspend(Int)
        case cancel(Int)
        case settings(BackgroundSettings)
    }

    /// The most that one request says.
    private static let batchLimit = (count: 500, bytes: 1 << 20)

    /// Tasks that only this program knows of, by number.
    private var drafts: [Int: BackgroundTaskRecord] = [:]
    private var waiting: [Order] = []
    /// What was said and not answered: whatever is answered comes in this order.
    private var sent: [[Order]] = []

    /// Whether all of it is on the disk, but for tasks of which nothing was said yet.
    var isSettled: Bool { waiting.isEmpty && sent.isEmpty }

    /// Keeps a task, of which nothing is said yet.
    mutating func draft(_ record: BackgroundTaskRecord) {
        drafts[record.identifier] = record
    }

    /// Whether nothing was said of a task yet.
    func isDraft(_ task: Int) -> Bool { drafts[task] != nil }

    /// Forgets a task of which nothing was said.
    mutating func drop(_ task: Int) {
        drafts[task] = nil
    }

    /// The drafts whose numbers somebody else has used meanwhile.
    func drafts(below next: Int) -> [Int] {
        drafts.keys.filter { $0 < next }.sorted()
    }

    /// Has tasks made, with those before them, since numbers are given in order.
    ///
    /// - Parameters:
    ///   - last: up to this number; `nil`: all.
    ///   - change: what the program has said of them meanwhile.
    mutating func commit(
        upTo last: Int? = nil,
        _ change: (inout BackgroundTaskRecord) -> Void
    ) {
        for number in drafts.keys.sorted() where number <= last ?? .max {
            guard var record = drafts.removeValue(forKey: number) else { continue }
            change(&record)
            waiting.append(.make(record))
        }
    }

    /// Adds an order, behind those that wait.
    mutating func add(_ order: Order) {
        waiting.append(order)
    }

    /// The next that is to be said; `nil`: nothing for now.
    ///
    /// What concerns a task that is being made waits: files to be sent may have to be copied first.
    mutating func next() -> BackgroundRequest? {
        guard sent.last?.first?.record == nil, let first = waiting.first else { return nil }
        var size = 0
        let batch = Array(
            waiting.prefix(Self.batchLimit.count).prefix { order in
                size += order.size
                return order.isLike(first) && (size <= Self.batchLimit.bytes || order.size == size)
            }
        )
        waiting.removeFirst(batch.count)
        sent.append(batch)
        return Self.request(batch)
    }

    /// The oldest request was answered.
    mutating func answered() {
        if !sent.isEmpty { sent.removeFirst() }
    }

    /// The oldest request could not be written down: it is to be said once more.
    mutating func failed() {
        guard !sent.isEmpty else { return }
        waiting = sent.removeFirst() + waiting
    }

    /// Whoever was spoken to has gone: what was not answered is to be said to the next one.
    mutating func takeBack() {
        waiting = sent.flatMap { $0 } + waiting
        sent = []
    }

    private static func request(_ batch: [Order]) -> BackgroundRequest? {
        switch batch.first {
        case .make: .make(tasks: batch.compactMap(\.record))
        case .resume: .resume(tasks: batch.compactMap(\.task))
        case .suspend: .suspend(tasks: batch.compactMap(\.task))
        case .cancel: .cancel(tasks: batch.compactMap(\.task))
        case .settings(let settings): .settings(settings: settings)
        case nil: nil
        }
    }
}

extension BackgroundOrders.Order {
    fileprivate var record: BackgroundTaskRecord? {
        if case .make(let record) = self { record } else { nil }
    }

    fileprivate var task: Int? {
        switch self {
        case .resume(let task), .suspend(let task), .cancel(let task): task
        case .make, .settings: nil
        }
    }

    /// What it comes to in a frame, bytes, about.
    fileprivate var size: Int {
        guard let record else { return 8 }
        return record.request.fields.reduce(512 + record.request.url.utf8.count) { size, field in
            size + field.reduce(8) { $0 + $1.utf8.count }
        }
    }

    /// Whether the two can be said in one request.
    fileprivate func isLike(_ other: Self) -> Bool {
        switch (self, other) {
        case (.make, .make), (.resume, .resume), (.suspend, .suspend), (.cancel, .cancel): true
        case (.settings(let one), .settings(let two)): one == two
        default: false
        }
    }
}
