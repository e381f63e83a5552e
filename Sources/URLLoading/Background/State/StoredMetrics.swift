import FoundationEssentials

/// What a task has cost, as it is written down: without header fields that carry credentials.
struct StoredMetrics: Codable, Sendable {
    /// One request.
    struct Transaction: Codable, Sendable {
        var request: StoredRequest
        var response: StoredResponse?
        var hop: HopMetrics
        var error: StoredError?
    }

    /// The most transactions that are kept: of a task that was tried more often, the last.
    private static let limit = 50
    /// The most bytes that the transactions come to: a journal has room for thousands of them, and a frame
    /// for one beside all else that an end has.
    private static let sizeLimit = 128 << 10

    var transactions: [Transaction]
    /// When the task was made, and when it had ended, microseconds since 1970.
    var made: Int64
    var ended: Int64
    var redirects: Int

    /// - Parameters:
    ///   - metrics: of the last try.
    ///   - made: when the task was made, microseconds since 1970.
    ///   - isSecret: whether a field of this name stays in the transfer process.
    init(_ metrics: URLSessionTaskMetrics, made: Int64, isSecret: (String) -> Bool) {
        transactions = metrics.transactionMetrics.compactMap { transaction in
            guard var request = StoredRequest(transaction.request) else { return nil }
            request.fields = request.fields.without(isSecret)
            var hop = transaction.hop
            // Neither is told by metrics.
            hop.certificates = []
            hop.requestHead = []
            return Transaction(
                request: request,
                response: (transaction.response as? HTTPURLResponse).map { StoredResponse($0) },
                hop: hop,
                error: transaction.error.map { StoredError($0) }
            )
        }
        self.made = made
        ended = WallClock.now
        redirects = metrics.redirectCount
        bound()
    }

    /// Takes what was tried before in front.
    mutating func prepend(_ earlier: StoredMetrics) {
        transactions = (earlier.transactions + transactions).suffix(Self.limit)
        bound()
    }

    /// Leaves out what is too much: the responses' fields of all, then the earliest transactions.
    ///
    /// A server decides how long its fields are, and how often it redirects.
    private mutating func bound() {
        guard mayBeTooLong, size(of: transactions) > Self.sizeLimit else { return }
        for index in transactions.indices { transactions[index].response?.fields = StoredHeader() }
        var room = Self.sizeLimit
        let kept = transactions.reversed().prefix { transaction in
            room -= size(of: [transaction])
            return room >= 0
        }
        transactions = kept.reversed()
    }

    /// Whether it is worth while to encode the transactions for their length.
    private var mayBeTooLong: Bool {
        let bytes = transactions.reduce(0) { sum, transaction in
            sum + transaction.request.url.utf8.count + transaction.request.fields.size
                + (transaction.response?.fields.size ?? 0)
        }
        // A byte becomes six at the most, and all else of a transaction fewer than 4 KiB.
        return bytes * 6 + transactions.count * 4_096 > Self.sizeLimit
    }

    private func size(of transactions: [Transaction]) -> Int {
        (try? JSONBytes.encode(transactions))?.count ?? .max
    }

    /// Reads what was written down; `nil` where another build has, and this one does not know it all.
    init?(stored: String) {
        guard let known = try? JSONDecoder().decode(Self.self, from: Data(stored.utf8)) else {
            return nil
        }
        self = known
    }

    /// A JSON object.
    var stored: String? {
        (try? JSONBytes.encode(self)).map { String(decoding: $0, as: UTF8.self) }
    }

    /// The metrics as a program sees them.
    var metrics: URLSessionTaskMetrics {
        let ends = [made, ended].map { Double($0) / 1e6 }
        return URLSessionTaskMetrics(
            transactions.compactMap { transaction in
                guard let request = transaction.request.request else { return nil }
                return URLSessionTaskTransactionMetrics(
                    request,
                    transaction.response?.urlResponse,
                    transaction.hop.bounded,
                    transaction.error?.urlError
                )
            },
            taskInterval: DateInterval(
                start: Date(timeIntervalSince1970: ends[0]),
                // The clock may have been set back meanwhile.
                duration: max(0, ends[1] - ends[0])
            ),
            redirectCount: max(0, redirects)
        )
    }
}

extension HopMetrics {
    /// The same, where the journal has times that cannot be added up.
    fileprivate var bounded: HopMetrics {
        var hop = self
        let times = [
            \HopMetrics.begun, \.waited, \.nameLookup, \.connect, \.secureConnect, \.requestStart,
            \.requestEnd, \.responseStart, \.end,
        ]
        for time in times { hop[keyPath: time] = min(max(0, self[keyPath: time]), 1 << 52) }
        return hop
    }
}
