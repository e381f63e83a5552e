import FoundationEssentials
import URLLoading

struct TransferReport {
    /// The URL of the command line, without secrets.
    let url: String
    /// The URL's index on the command line, from 0.
    let number: Int
    let exitCode: Int32
    /// The error message; `nil` for a successful task.
    let errorMessage: String?
    /// The file with the body, or the other output to which it was written.
    let fileName: String?
    let metrics: URLSessionTaskMetrics?

    /// The metrics of the requests, without those that fetched further parts concurrently.
    private var transactions: [URLSessionTaskTransactionMetrics] {
        (metrics?.transactionMetrics ?? []).filter { !$0.hop.isPart }
    }

    /// The metrics of requests that fetched further parts of the body concurrently.
    private var parts: [HopMetrics] {
        (metrics?.transactionMetrics ?? []).map(\.hop).filter(\.isPart)
    }

    var redirectCount: Int { metrics?.redirectCount ?? 0 }

    var last: URLSessionTaskTransactionMetrics? { transactions.last }

    var response: HTTPURLResponse? { last?.response as? HTTPURLResponse }

    var hop: HopMetrics { last?.hop ?? HopMetrics() }

    /// Received bytes of the body, from all streams.
    var received: Int64 { parts.reduce(hop.responseBodyBytes) { $0 + $1.responseBodyBytes } }

    /// The sum of a count over all requests, including those for parts.
    func sum<Count: AdditiveArithmetic>(_ count: (HopMetrics) -> Count) -> Count {
        parts.reduce(sequentialSum(count)) { $0 + count($1) }
    }

    /// The sum of a time over the requests that were sent one after another.
    func sequentialSum<Count: AdditiveArithmetic>(_ count: (HopMetrics) -> Count) -> Count {
        transactions.reduce(.zero) { $0 + count($1.hop) }
    }

    /// Microseconds from the first request's start to the end of the request that ended last.
    var total: Int64 {
        parts.reduce(fromStart(to: hop.end)) { max($0, fromStart(to: $1.end, of: $1)) }
    }

    /// Microseconds from the first request's start to the last one's `moment`; 0 if not reached.
    func fromStart(to moment: Int64, of hop: HopMetrics? = nil) -> Int64 {
        guard moment > 0, let first = transactions.first?.hop else { return 0 }
        let hop = hop ?? self.hop
        return max(moment, hop.begun + hop.waited + moment - first.begun - first.waited)
    }

    /// Microseconds from the first request's start to the start of the last redirect's target.
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

    /// The target of a redirect that was not followed.
    var redirectURL: String? {
        guard let response, (300..<400).contains(response.statusCode),
            let location = response.headerFields.first("Location")
        else { return nil }
        return URLReference.url(location, relativeTo: response.url)?.absoluteString
    }

    /// A variable's text as in curl; a status code has three digits.
    func text(_ variable: WriteOutVariable) -> String {
        switch variable.value(self) {
        case .none: ""
        case .number(let status) where variable.isStatus:
            String(String(1_000 + status).dropFirst())
        case let value: value.text
        }
    }

    /// Bytes per second.
    func rate(_ bytes: Int64) -> Int64 {
        total > 0 ? Int64(clamping: Double(bytes) / (Double(total) / 1e6)) : 0
    }

    var httpVersion: String {
        switch hop.networkProtocolName {
        case "http/1.0": "1.0"
        case "http/1.1": "1.1"
        case "h2": "2"
        default: "0"
        }
    }

    /// The last requested URL; an empty path becomes `/`, as sent.
    var effectiveURL: String {
        guard let url = last?.request.url else { return url }
        guard url.path(percentEncoded: true).isEmpty,
            var parts = URLComponents(url: url, resolvingAgainstBaseURL: true)
        else { return url.absoluteString }
        parts.percentEncodedPath = "/"
        return parts.string ?? url.absoluteString
    }

    /// Each certificate's names, dates and PEM text, in the form of `openssl x509`.
    var certificates: String {
        hop.certificates.map { der in
            let data = Data(der)
            var lines: [String] = []
            if let read = ServerCertificate(data) {
                // The certificate's issuer chose the names, so line ends in them are escaped.
                let (subject, issuer) = (read.subject, read.issuer)
                lines += ["Subject:\(Printable.text(subject))", "Issuer:\(Printable.text(issuer))"]
                lines.append("Start date:\(EventMoment(read.notBefore).timestamp)")
                lines.append("Expire date:\(EventMoment(read.notAfter).timestamp)")
            }
            let form: Data.Base64EncodingOptions = [.lineLength64Characters, .endLineWithLineFeed]
            lines += [
                "-----BEGIN CERTIFICATE-----", data.base64EncodedString(options: form),
                "-----END CERTIFICATE-----\n",
            ]
            return lines.joined(separator: "\n")
        }.joined()
    }

    /// All variables by name, followed by libcurl's version.
    var json: EventValue {
        let members = WriteOutVariable.all.map { EventMember($0.name, $0.value(self)) }
        let version = EventMember("curl_version", .plain(URLLoadingVersion.libraries))
        return .object(members + [version], summary: "")
    }

    /// The fields by lower-case name; a secret one is `(redacted)`, as it was not asked for.
    var headerJSON: EventValue {
        var members: [(name: String, values: [EventValue])] = []
        for field in response?.headerFields.fields ?? [] {
            let isSecret = Redaction.isSecret(header: field.name)
            let value = isSecret ? EventValue.plain(Redaction.placeholder) : .text(field.value)
            let name = field.name.asciiLowercased
            if let place = members.firstIndex(where: { $0.name.hasBytes(of: name) }) {
                members[place].values.append(value)
            } else {
                members.append((name, [value]))
            }
        }
        return .object(members.map { EventMember($0.name, .list($0.values)) }, summary: "")
    }

    /// The first field of a name, as received.
    func header(_ name: String) -> String { response?.headerFields.first(name) ?? "" }
}

/// A variable of `--write-out`.
struct WriteOutVariable: Sendable {
    /// Curl's name.
    let name: String
    /// As in curl, without users and passwords in URLs.
    let value: @Sendable (TransferReport) -> EventValue

    private init(_ name: String, _ value: @escaping @Sendable (TransferReport) -> EventValue) {
        self.name = name
        self.value = value
    }

    static func named(_ name: String) -> WriteOutVariable? { all.first { $0.name == name } }

    var isStatus: Bool { ["http_code", "http_connect", "response_code"].contains(name) }

    /// All variables, in the order of `%{json}`.
    static let all: [WriteOutVariable] = [
        .init("certs") { .plain($0.certificates) },
        .init("content_type") { .plain($0.response?.headerFields.first("Content-Type")) },
        .init("errormsg") { .plain($0.errorMessage) },
        .init("exitcode") { .number(Int64($0.exitCode)) },
        .init("filename_effective") { .plain($0.fileName) },
        .init("ftp_entry_path") { _ in .none },
        .init("http_code") { .integer($0.response?.statusCode ?? 0) },
        .init("http_connect") { .integer($0.hop.connectStatus) },
        .init("http_version") { .plain($0.httpVersion) },
        .init("local_ip") { .plain($0.hop.localAddress ?? "") },
        .init("local_port") { .integer($0.hop.localPort ?? 0) },
        .init("method") { .plain($0.last?.request.httpMethod) },
        .init("num_certs") { .integer($0.hop.certificates.count) },
        .init("num_connects") { .integer($0.sum(\.connections)) },
        .init("num_headers") { .integer($0.response?.headerFields.fields.count ?? 0) },
        .init("num_redirects") { .integer($0.redirectCount) },
        .init("proxy_ssl_verify_result") { .number(Int64($0.hop.proxyCertificateVerdict)) },
        .init("redirect_url") { .plain($0.redirectURL.map(UserInfo.redacted(in:))) },
        .init("referer") {
            .plain($0.last?.request.headerFields["Referer"].map(UserInfo.redacted(in:)))
        },
        .init("remote_ip") { .plain($0.hop.remoteAddress ?? "") },
        .init("remote_port") { .integer($0.hop.remotePort ?? 0) },
        .init("response_code") { .integer($0.response?.statusCode ?? 0) },
        .init("scheme") {
            .plain($0.response == nil ? nil : $0.last?.request.url?.scheme?.uppercased())
        },
        .init("size_download") { .number($0.received) },
        .init("size_header") { .number($0.sum(\.responseHeadBytes)) },
        .init("size_request") { .number($0.sum(\.requestHeadBytes)) },
        .init("size_upload") { .number($0.hop.requestBodyBytes) },
        .init("speed_download") { .number($0.rate($0.received)) },
        .init("speed_upload") { .number($0.rate($0.hop.requestBodyBytes)) },
        .init("ssl_verify_result") { .number(Int64($0.hop.certificateVerdict)) },
        .init("time_appconnect") { .seconds(microseconds: $0.sequentialSum(\.secureConnect)) },
        .init("time_connect") { .seconds(microseconds: $0.sequentialSum(\.connect)) },
        .init("time_namelookup") { .seconds(microseconds: $0.sequentialSum(\.nameLookup)) },
        .init("time_pretransfer") { .seconds(microseconds: $0.sequentialSum(\.requestStart)) },
        .init("time_redirect") { .seconds(microseconds: $0.redirectTime) },
        .init("time_starttransfer") {
            .seconds(microseconds: $0.fromStart(to: $0.hop.responseStart))
        },
        .init("time_total") { .seconds(microseconds: $0.total) },
        .init("url") { .plain($0.url) },
        .init("url_effective") { .plain(UserInfo.redacted(in: $0.effectiveURL)) },
        .init("urlnum") { .integer($0.number) },
    ]
}

extension WriteOutVariable: Equatable {
    static func == (one: WriteOutVariable, other: WriteOutVariable) -> Bool {
        one.name == other.name
    }
}
