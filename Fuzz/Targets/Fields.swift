import FoundationEssentials

@testable import CurlMulti
@testable import FetchCommand
@testable import URLLoading

// Heads of responses, and fields with a syntax of their own.
extension FuzzTarget {
    static let fields = [
        FuzzTarget("head") { input in
            let (choice, rest) = input.choice
            var parser = ResponseHeadParser(isConnectResponse: choice & 1 == 1)
            for line in rest.bytes.split(separator: 0x0A, omittingEmptySubsequences: false) {
                let verdict = (line + [0x0A]).withUnsafeBytes { parser.take($0) }
                switch verdict {
                case .more: continue
                case .malformed: return
                case .head(let head), .interim(let head): inspect(head)
                }
            }
            for field in parser.trailers {
                check(!field.name.isEmpty, "a trailer has a name")
            }
        },
        FuzzTarget("content-range") { input in
            switch ContentRange(input.text) {
            case .bytes(let range, let length):
                check(range.lowerBound >= 0, "a range begins in the body")
                check(range.upperBound < length ?? .max, "a range ends in the body")
                let again = ContentRange(
                    "bytes \(range.lowerBound)-\(range.upperBound)/\(length.map(String.init) ?? "*")"
                )
                check(again == .bytes(range, of: length), "a range reads as it was written")
            case .unsatisfied(let length): check(length >= 0, "a length is not negative")
            case nil: break
            }
        },
        FuzzTarget("http-date") { input in
            let now = 1_800_000_000.0
            if let seconds = HTTPDate.seconds(input.text, now: now), seconds >= 0 {
                let date = HTTPDate.parts(of: seconds)
                let again = HTTPDate.seconds(
                    year: date.year,
                    month: date.month,
                    day: date.day,
                    hour: date.hour,
                    minute: date.minute,
                    second: date.second
                )
                check(again == seconds, "a date has the parts it was made of: \(seconds)")
            }
            let wait = RetryAfter.wait(input.text, date: input.lines.last, now: now)
            check(wait ?? .zero >= .zero, "a wait is not negative")
            check(wait ?? .zero <= .seconds(1 << 33), "a wait has an end")
        },
        FuzzTarget("hsts-field") { input in
            guard let field = HSTSField(input.text) else { return }
            check((0...4_000_000_000).contains(field.maximumAge), "an age is bounded")
            var hosts = HSTSHosts()
            guard let change = hosts.change(by: field, of: "h.example", 1_800_000_000) else {
                return
            }
            hosts[change.host] = change.policy
            _ = hosts.covers("a.h.example", 1_800_000_000)
        },
        FuzzTarget("media-type") { input in
            let type = URLLoading.MediaType(input.text)
            check(type.essence?.isEmpty != true, "an essence has two parts")
            _ = URLLoading.MediaType.parameter("boundary", of: input.text)
            _ = URLLoading.MediaType.parameter("charset", of: input.text)
            let lines = input.lines
            let value = FlagValue(flag: "--accept-type", text: lines[0])
            if let pattern = try? MediaTypePattern(lines[0][...], of: value) {
                _ = pattern.matches(lines.last ?? "")
            }
        },
        FuzzTarget("set-cookie-report") { input in
            var fields = HTTPHeaderFields()
            for line in input.lines { fields.add(line, to: "Set-Cookie") }
            fields.add(input.text, to: "Cookie")
            for value in [HARCookie.received(fields), HARCookie.sent(fields)] {
                let json = JSONText(value)
                let isJSON =
                    (try? JSONDecoder().decode([Named].self, from: Data(json.bytes))) != nil
                check(isJSON, "cookies are reported as JSON")
            }
        },
    ]

    private struct Named: Decodable {
        let name: String
    }

    private static func inspect(_ head: ResponseHead) {
        check((100...999).contains(head.status), "a status has three digits")
        guard let url = URL(string: "https://h.example/") else { return }
        var fields = HTTPHeaderFields()
        for field in head.fields {
            check(!field.name.isEmpty, "a field has a name")
            let isClean = !field.value.utf8.contains { $0 == 0x0A }
            check(isClean, "a value is one line")
            fields.add(field.value, to: field.name)
        }
        let response = HTTPURLResponse(
            url: url,
            statusCode: head.status,
            httpVersion: "HTTP/" + head.version,
            headerFields: fields
        )
        check(response.expectedContentLength >= -1, "a length is not negative")
        _ = (response.mimeType, response.textEncodingName, response.allHeaderFields)
        _ = response.suggestedFilename
        _ = EntityValidator(fields)
        _ = RetryAfter.wait(fields, now: 1_800_000_000)
        _ = ContentCodings(fields)
    }
}
