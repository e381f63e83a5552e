import FoundationEssentials
import URLLoading

extension TransferReport {
    /// A variable's value, as curl would have it, without users and passwords in URLs.
    func value(_ variable: WriteOutVariable) -> WriteOutValue {
        switch variable {
        case .certs: .text(certificates)
        case .certificateCount: .number(Int64(hop.certificates.count))
        case .contentType: .text(response?.headerFields.first("Content-Type"))
        case .errorMessage: .text(errorMessage)
        case .exitCode: .number(Int64(exitCode))
        case .fileName: .text(fileName)
        case .ftpEntryPath: .text(nil)
        case .httpCode, .responseCode: .status(response?.statusCode ?? 0)
        case .connectCode: .status(hop.connectStatus)
        case .httpVersion: .text(httpVersion)
        case .method: .text(last?.request.httpMethod)
        case .scheme: .text(response == nil ? nil : last?.request.url?.scheme?.uppercased())
        case .url: .text(url)
        case .effectiveURL: .text(shown(effectiveURL))
        case .urlNumber: .number(Int64(number))
        case .redirectURL: .text(redirectURL.map(shown))
        case .referer: .text(last?.request.headerFields["Referer"].map(shown))
        default: connectionValue(variable) ?? count(variable)
        }
    }

    private func connectionValue(_ variable: WriteOutVariable) -> WriteOutValue? {
        switch variable {
        case .localAddress: .text(hop.localAddress ?? "")
        case .localPort: .number(Int64(hop.localPort ?? 0))
        case .remoteAddress: .text(hop.remoteAddress ?? "")
        case .remotePort: .number(Int64(hop.remotePort ?? 0))
        case .verdict: .number(Int64(hop.certificateVerdict))
        case .proxyVerdict: .number(Int64(hop.proxyCertificateVerdict))
        case .nameLookupTime: .time(microseconds: sumInTurn(\.nameLookup))
        case .connectTime: .time(microseconds: sumInTurn(\.connect))
        case .secureConnectTime: .time(microseconds: sumInTurn(\.secureConnect))
        case .requestTime: .time(microseconds: sumInTurn(\.requestStart))
        case .redirectTime: .time(microseconds: redirectTime)
        case .firstByteTime: .time(microseconds: fromStart(to: hop.responseStart))
        case .totalTime: .time(microseconds: total)
        default: nil
        }
    }

    private func count(_ variable: WriteOutVariable) -> WriteOutValue {
        switch variable {
        case .connectionCount: .number(Int64(sum(\.connections)))
        case .headerCount: .number(Int64(response?.headerFields.fields.count ?? 0))
        case .redirectCount: .number(Int64(redirectCount))
        case .downloadSize: .number(received)
        case .uploadSize: .number(hop.requestBodyBytes)
        case .headerSize: .number(sum(\.responseHeadBytes))
        case .requestSize: .number(sum(\.requestHeadBytes))
        case .downloadSpeed: .number(rate(received))
        case .uploadSpeed: .number(rate(hop.requestBodyBytes))
        default: .text(nil)
        }
    }

    /// Bytes a second.
    private func rate(_ bytes: Int64) -> Int64 {
        total > 0 ? Int64(clamping: Double(bytes) / (Double(total) / 1e6)) : 0
    }

    private var httpVersion: String {
        switch hop.networkProtocolName {
        case "http/1.0": "1.0"
        case "http/1.1": "1.1"
        case "h2": "2"
        default: "0"
        }
    }

    /// The last URL that was asked for, with the path that was then sent.
    private var effectiveURL: String {
        guard let url = last?.request.url else { return url }
        guard url.path.isEmpty, var parts = URLComponents(url: url, resolvingAgainstBaseURL: true)
        else { return url.absoluteString }
        parts.percentEncodedPath = "/"
        return parts.string ?? url.absoluteString
    }

    private func shown(_ text: String) -> String { UserInfo.redacted(in: text) }

    /// Each certificate's names and dates, and itself, as `openssl x509` prints it.
    private var certificates: String {
        hop.certificates.map { der in
            let data = Data(der)
            var lines: [String] = []
            if let read = ServerCertificate(data) {
                // The names are the server's text: in one line each, whatever is in them.
                let (subject, issuer) = (read.subject, read.issuer)
                lines += [
                    "Subject:\(Printable.text(subject))", "Issuer:\(Printable.text(issuer))",
                ]
                lines += [
                    "Start date:\(date(read.notBefore))", "Expire date:\(date(read.notAfter))",
                ]
            }
            lines.append("-----BEGIN CERTIFICATE-----")
            var base64 = data.base64EncodedString()[...]
            while !base64.isEmpty {
                lines.append(String(base64.prefix(64)))
                base64 = base64.dropFirst(64)
            }
            lines.append("-----END CERTIFICATE-----\n")
            return lines.joined(separator: "\n")
        }.joined()
    }

    private func date(_ date: Date) -> String {
        EventMoment(
            wall: Int64(clamping: date.timeIntervalSince1970).multiplied(clamping: 1_000_000),
            monotonic: 0
        ).timestamp
    }
}
