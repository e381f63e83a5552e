import FoundationEssentials
import URLLoading

/// What there is to tell of a task that is over, for `--write-out`.
struct TransferReport {
    /// The URL of the command line, as it may be shown.
    let url: String
    /// Its place there, from 0.
    let number: Int
    let exitCode: Int32
    /// What went wrong, if anything did.
    let errorMessage: String?
    /// The file that the body is in, or what else it was written to.
    let fileName: String?
    /// What the task's requests have cost; of one that was tried again, those of the last try.
    private let transactions: [URLSessionTaskTransactionMetrics]
    let redirectCount: Int

    init(
        url: String,
        number: Int,
        exitCode: Int32,
        errorMessage: String?,
        fileName: String?,
        metrics: URLSessionTaskMetrics?
    ) {
        self.url = url
        self.number = number
        self.exitCode = exitCode
        self.errorMessage = errorMessage
        self.fileName = fileName
        transactions = metrics?.transactionMetrics ?? []
        redirectCount = metrics?.redirectCount ?? 0
    }

    /// The last request.
    var last: URLSessionTaskTransactionMetrics? { transactions.last }

    /// Its answer.
    var response: HTTPURLResponse? { last?.response as? HTTPURLResponse }

    /// What the last request has cost.
    var hop: HopMetrics { last?.hop ?? HopMetrics() }

    /// A count of all requests.
    func sum<Count: AdditiveArithmetic>(_ count: (HopMetrics) -> Count) -> Count {
        transactions.reduce(.zero) { $0 + count($1.hop) }
    }

    /// From the first request's start to the last one's end, microseconds.
    var total: Int64 { fromStart(to: hop.end) }

    /// From the first request's start to a moment of the last one; 0 where that was not come to.
    func fromStart(to moment: Int64) -> Int64 {
        guard moment > 0, let first = transactions.first?.hop else { return 0 }
        return max(moment, hop.begun + hop.waited + moment - first.begun - first.waited)
    }

    /// From the first request's start to that of the request that the last redirect led to.
    var redirectTime: Int64 {
        guard redirectCount > 0, let first = transactions.first?.hop else { return 0 }
        let redirect = transactions.dropLast().lastIndex { transaction in
            let response = transaction.response as? HTTPURLResponse
            return (300..<400).contains(response?.statusCode ?? 0)
        }
        guard let redirect else { return 0 }
        let hop = transactions[redirect + 1].hop
        return max(0, hop.begun + hop.waited - first.begun - first.waited)
    }

    /// Where a redirect that was not followed leads.
    var redirectURL: String? {
        guard let response, (300..<400).contains(response.statusCode),
            let location = response.headerFields.first("Location")
        else { return nil }
        return URL(string: location, relativeTo: response.url)?.absoluteString
    }
}
