import FoundationEssentials

/// The metrics of a task in their stored form, without header fields that carry credentials.
struct StoredMetrics: Codable, Sendable {
    struct Transaction: Codable, Sendable {
        var request: StoredRequest
        var response: StoredResponse?
        var hop: HopMetrics
        var error: StoredError?
    }

    /// The most transactions that are kept; the earliest are dropped first.
    private static let limit = 50
    /// The most bytes of the transactions: a frame, and a journal of thousands of tasks, must hold them.
    private static let sizeLimit = 128 << 10

    var transactions: [Transaction]
    /// The times when the task was made and when it ended, microseconds since 1970.
    var made: Int64
    var ended: Int64
    var redirects: Int

    init(_ metrics: URLSessionTaskMetrics, made: Int64, isSecret: (String) -> Bool) {
        transactions = metrics.transactionMetrics.compactMap { transaction in
            guard var request = StoredRequest(transaction.request) else { return nil }
            request.fields = request.fields.without(isSecret)
            var hop = transaction.hop
            // A program's metrics have neither.
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

    mutating func prepend(_ earlier: StoredMetrics) {
        transactions = (earlier.transactions + transactions).suffix(Self.limit)
        bound()
    }

    /// Keeps the size below the limit: drops the fields of all responses, then the earliest transactions.
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

    /// Whether the transactions may be over the limit, so that they must be encoded to find their length.
    private var mayBeTooLong: Bool {
        let bytes = transactions.reduce(0) { sum, transaction in
            sum + transaction.request.url.utf8.count + transaction.request.fields.size
                + (transaction.response?.fields.size ?? 0)
        }
        // JSON makes at most six bytes of one; the rest of a transaction is shorter than 4 KiB.
        return bytes * 6 + transactions.count * 4_096 > Self.sizeLimit
    }

    private func size(of transactions: [Transaction]) -> Int {
        (try? JSONBytes.encode(transactions))?.count ?? .max
    }

    /// Decodes stored metrics; `nil` if this build cannot decode another build's.
    init?(stored: String) {
        guard let known = try? JSONDecoder().decode(Self.self, from: Data(stored.utf8)) else {
            return nil
        }
        self = known
    }

    var stored: String? {
        (try? JSONBytes.encode(self)).map { String(decoding: $0, as: UTF8.self) }
    }

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
    /// The same with bounded times: an edited journal may have some whose sum would overflow.
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
