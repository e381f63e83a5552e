import FoundationEssentials

/// Collects the metrics of a task's hops; empty without a delegate.
struct MetricsCollector: Sendable {
    /// The running hop.
    private struct Transaction {
        var request: URLRequest
        var begun: Int64
        var response: URLResponse?
        /// The time at which the head arrived, by the wall clock.
        var responded: Int64?
        /// The number of body bytes delivered.
        var delivered: Int64 = 0
    }

    private var finished: [URLSessionTaskTransactionMetrics] = []
    private var current: Transaction?
    /// Whether other hops have received parts of the body.
    private var hasParts = false
    /// The metrics that another process has collected.
    private var gathered: URLSessionTaskMetrics?

    /// Takes the metrics that another process has collected.
    mutating func take(_ metrics: URLSessionTaskMetrics?) {
        gathered = metrics
    }

    /// Notes the begin of a hop, with the header fields that it sends.
    mutating func begin(_ request: URLRequest, sending fields: [HTTPHeaderFields.Field]) {
        var request = request
        request.headerFields = HTTPHeaderFields(separate: fields)
        current = Transaction(request: request, begun: WallClock.now)
    }

    /// Notes the head of the hop's response.
    mutating func receive(_ response: URLResponse) {
        current?.response = response
        if current?.responded == nil { current?.responded = WallClock.now }
    }

    /// Counts delivered bytes of the body.
    mutating func deliver(_ bytes: Int64) {
        current?.delivered += bytes
    }

    /// Adds a hop that requested a range.
    mutating func add(part request: URLRequest, _ response: URLResponse?, _ end: HopEnd) {
        guard current != nil, var hop = end.metrics else { return }
        hasParts = true
        hop.isPart = true
        hop.responseBodyBytesAfterDecoding = hop.responseBodyBytes
        var request = request
        if let sent = HTTPHeaderFields(requestHead: hop.requestHead) { request.headerFields = sent }
        finished.append(URLSessionTaskTransactionMetrics(request, response, hop, end.error))
    }

    mutating func end(_ end: HopEnd) {
        guard let transaction = current else { return }
        current = nil
        var hop = end.metrics ?? HopMetrics()
        if hop.begun == 0 {
            // The response did not use the network.
            hop.begun = transaction.begun
            if let responded = transaction.responded {
                hop.responseStart = max(1, responded - hop.begun)
            }
            hop.end = max(1, hop.responseStart, WallClock.now - hop.begun)
            hop.responseBodyBytesAfterDecoding = transaction.delivered
        } else {
            // The task did not decode a discarded body.
            hop.responseBodyBytesAfterDecoding =
                transaction.delivered > 0 ? transaction.delivered : hop.responseBodyBytes
        }
        if hasParts {
            // Another hop may have received the last byte.
            hop.end = max(hop.end, WallClock.now - hop.begun - hop.waited)
            hasParts = false
        }
        var request = transaction.request
        if let sent = HTTPHeaderFields(requestHead: hop.requestHead) { request.headerFields = sent }
        finished.append(
            URLSessionTaskTransactionMetrics(
                request,
                transaction.response ?? end.proxyHead,
                hop,
                end.error
            )
        )
    }

    /// Removes the last hop that ended.
    mutating func forgetLast() {
        _ = finished.popLast()
    }

    /// The metrics of the ended task.
    func metrics(since created: Int64, redirects: Int) -> URLSessionTaskMetrics {
        if let gathered { return gathered }
        let start = Date(timeIntervalSince1970: Double(created) / 1e6)
        return URLSessionTaskMetrics(
            finished,
            // The user may have set the clock back meanwhile.
            taskInterval: DateInterval(
                start: start,
                duration: Double(max(0, WallClock.now - created)) / 1e6
            ),
            redirectCount: redirects
        )
    }
}

extension HTTPHeaderFields {
    /// The fields in the text of a sent request head; `nil` where it is empty.
    fileprivate init?(requestHead head: [UInt8]) {
        guard !head.isEmpty else { return nil }
        self.init()
        let lines = head.split(separator: UInt8(ascii: "\n")).dropFirst()
        for line in lines {
            guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { continue }
            let value = line[(colon + 1)...].drop { $0 == 0x20 }
            add(
                String(decoding: value.last == 0x0D ? value.dropLast() : value, as: UTF8.self),
                to: String(decoding: line[..<colon], as: UTF8.self)
            )
        }
    }
}
