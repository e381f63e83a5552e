/// What a program wants of its transfer process: in order, and kept until that has said that it is on
/// the disk, since it may have to be said again to the next one.
struct BackgroundOrders {
    /// One order.
    enum Order {
        case resume(Int)
        case suspend(Int)
        case cancel(Int, keepsPart: Bool = false)
        case settings(BackgroundSettings)
    }

    /// The most orders that one request gives.
    private static let batchLimit = 500

    /// Tasks that only this program knows of, by number.
    private var drafts: [Int: BackgroundTaskRecord] = [:]
    /// Tasks that are to be made, by number.
    private var makes: [BackgroundTaskRecord] = []
    private var waiting: [Order] = []
    /// What was said and is not answered: one request at a time.
    private var sent: Request?

    /// A request, for when it has to be taken back.
    private enum Request {
        case makes([BackgroundTaskRecord])
        case orders([Order])
    }

    /// Whether all of it is on the disk, but for tasks of which nothing was said yet.
    var isSettled: Bool { makes.isEmpty && waiting.isEmpty && sent == nil }

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
            makes.append(record)
        }
    }

    /// Adds an order, behind those that wait.
    mutating func add(_ order: Order) {
        waiting.append(order)
    }

    /// The next that is to be said; `nil`: nothing before the last was answered.
    ///
    /// Tasks are made before anything else is ordered: no order concerns a task that is not.
    mutating func next() -> BackgroundRequest? {
        guard sent == nil else { return nil }
        if !makes.isEmpty { return nextMakes() }
        guard let first = waiting.first else { return nil }
        let batch = Array(
            waiting.prefix(Self.batchLimit).prefix { $0.isLike(first) }
        )
        waiting.removeFirst(batch.count)
        sent = .orders(batch)
        return Self.request(batch)
    }

    private mutating func nextMakes() -> BackgroundRequest {
        let batch = Array(BackgroundBatch.first(of: makes[...]))
        makes.removeFirst(batch.count)
        sent = .makes(batch)
        return .make(tasks: batch)
    }

    /// What was said is on the disk, or refused for good.
    mutating func answered() {
        sent = nil
    }

    /// What was said is not on the disk, or nobody knows: it is to be said once more.
    mutating func takeBack() {
        switch sent {
        case .makes(let records): makes = records + makes
        case .orders(let orders): waiting = orders + waiting
        case nil: break
        }
        sent = nil
    }

    private static func request(_ batch: [Order]) -> BackgroundRequest? {
        switch batch.first {
        case .resume: .resume(tasks: batch.compactMap(\.task))
        case .suspend: .suspend(tasks: batch.compactMap(\.task))
        case .cancel(_, let keepsPart):
            .cancel(tasks: batch.compactMap(\.task), keepsParts: keepsPart ? true : nil)
        case .settings(let settings): .settings(settings: settings)
        case nil: nil
        }
    }
}

extension BackgroundOrders.Order {
    fileprivate var task: Int? {
        switch self {
        case .resume(let task), .suspend(let task), .cancel(let task, _): task
        case .settings: nil
        }
    }

    /// Whether the two can be said in one request.
    fileprivate func isLike(_ other: Self) -> Bool {
        switch (self, other) {
        case (.resume, .resume), (.suspend, .suspend): true
        case (.cancel(_, let one), .cancel(_, let two)): one == two
        case (.settings(let one), .settings(let two)): one == two
        default: false
        }
    }
}
