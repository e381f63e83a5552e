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
    ///
    /// Without those that have brought further parts of one body at the same time.
    private let transactions: [URLSessionTaskTransactionMetrics]
    /// What those have cost.
    private let parts: [HopMetrics]
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
        let all = metrics?.transactionMetrics ?? []
        transactions = all.filter { !$0.hop.isPart }
        parts = all.map(\.hop).filter(\.isPart)
        redirectCount = metrics?.redirectCount ?? 0
    }

    /// The last request.
    var last: URLSessionTaskTransactionMetrics? { transactions.last }

    /// Its answer.
    var response: HTTPURLResponse? { last?.response as? HTTPURLResponse }

    /// What the last request has cost.
    var hop: HopMetrics { last?.hop ?? HopMetrics() }

    /// Bytes of the body, as they came, from all who have brought a part of it.
    var received: Int64 { parts.reduce(hop.responseBodyBytes) { $0 + $1.responseBodyBytes } }

    /// A count of all requests, those for parts included.
    func sum<Count: AdditiveArithmetic>(_ count: (HopMetrics) -> Count) -> Count {
        parts.reduce(sumInTurn(count)) { $0 + count($1) }
    }

    /// A time of all requests that were sent one after the other.
    func sumInTurn<Count: AdditiveArithmetic>(_ count: (HopMetrics) -> Count) -> Count {
        transactions.reduce(.zero) { $0 + count($1.hop) }
    }

    /// From the first request's start to the end of the one that has ended last, microseconds.
    var total: Int64 {
        parts.reduce(fromStart(to: hop.end)) { max($0, fromStart(to: $1.end, of: $1)) }
    }

    /// From the first request's start to a moment of the last one; 0 where that was not come to.
    func fromStart(to moment: Int64) -> Int64 { fromStart(to: moment, of: hop) }

    private func fromStart(to moment: Int64, of hop: HopMetrics) -> Int64 {
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
