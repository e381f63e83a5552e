import FoundationEssentials
import URLLoading

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
        .init("http_code") { .number(Int64($0.response?.statusCode ?? 0)) },
        .init("http_connect") { .number(Int64($0.hop.connectStatus)) },
        .init("http_version") { .plain($0.httpVersion) },
        .init("local_ip") { .plain($0.hop.localAddress ?? "") },
        .init("local_port") { .number(Int64($0.hop.localPort ?? 0)) },
        .init("method") { .plain($0.last?.request.httpMethod) },
        .init("num_certs") { .number(Int64($0.hop.certificates.count)) },
        .init("num_connects") { .number(Int64($0.sum(\.connections))) },
        .init("num_headers") { .number(Int64($0.response?.headerFields.fields.count ?? 0)) },
        .init("num_redirects") { .number(Int64($0.redirectCount)) },
        .init("proxy_ssl_verify_result") { .number(Int64($0.hop.proxyCertificateVerdict)) },
        .init("redirect_url") { .plain($0.redirectURL.map($0.shown)) },
        .init("referer") { .plain($0.last?.request.headerFields["Referer"].map($0.shown)) },
        .init("remote_ip") { .plain($0.hop.remoteAddress ?? "") },
        .init("remote_port") { .number(Int64($0.hop.remotePort ?? 0)) },
        .init("response_code") { .number(Int64($0.response?.statusCode ?? 0)) },
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
        .init("url_effective") { .plain($0.shown($0.effectiveURL)) },
        .init("urlnum") { .number(Int64($0.number)) },
    ]
}

extension WriteOutVariable: Equatable {
    static func == (one: WriteOutVariable, other: WriteOutVariable) -> Bool {
        one.name == other.name
    }
}

extension EventValue {
    fileprivate static func plain(_ text: String?) -> EventValue {
        text.map { .plain($0) } ?? .none
    }
}
