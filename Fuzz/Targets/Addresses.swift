import FoundationEssentials

@testable import CurlMulti
@testable import FetchCommand
@testable import URLLoading

// URLs of command lines, lists, redirects and proxies.
extension FuzzTarget {
    static let addresses = [
        FuzzTarget("url") { input in
            if let plain = PlainURL(input.text) { compare(plain, input.text) }
            guard let address = try? WebAddress(input.text) else { return }
            let isClean = address.text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
            check(isClean, "a URL is visible ASCII: \(address.text)")
            // Letters beyond ASCII become escapes, which a host must not contain.
            guard address.host.utf8.allSatisfy({ $0 < 0x80 }) else { return }
            guard let again = try? WebAddress(address.text) else {
                check(false, "a URL reads as it was written: \(address.text)")
                return
            }
            check(again.text.isSame(as: address.text), "a URL stays as it is: \(again.text)")
            check(again.origin == address.origin, "an origin stays as it is")
            let name = FileName.from(address)
            check(!name.utf8.contains(UInt8(ascii: "/")), "a name is no path")
            check(name.utf8.count <= FileName.longest, "a name fits")
            guard address.credential != nil else { return }
            check(!address.redacted.isSame(as: input.text), "a credential is not shown")
        },
        FuzzTarget("url-list") { input in
            check(
                lines(of: [input.bytes[...]]) == lines(of: input.pieces),
                "lines do not depend on how a list is cut"
            )
        },
        // The first line is the redirected URL.
        FuzzTarget("location") { input in
            let lines = input.lines
            let target = lines.dropFirst().joined(separator: "\n")
            redirect(from: "https://me:pw@h.example:8443/a/b?c#d", to: lines[0])
            redirect(from: lines[0], to: target)
        },
        FuzzTarget("data-url") { input in
            guard let url = URL(string: "data:" + input.text) else { return }
            _ = try? DataURL(url)
        },
        // The first line is the proxy, the second one the list of hosts without a proxy.
        FuzzTarget("proxy") { input in
            let lines = input.lines
            // The parser removes one dot at a host's end, so several dots do not survive unchanged.
            if let server = ProxyServer(lines[0]), server.host.utf8.last != UInt8(ascii: ".") {
                check((0...65_535).contains(server.port), "a port is one")
                check(!server.host.isEmpty, "a proxy has a host")
                let again = ProxyServer(server.url)
                check(
                    again?.host == server.host && again?.port == server.port,
                    "a proxy reads as it was written: \(server.url)"
                )
            }
            let list = NoProxyList(lines.last ?? "")
            for host in ["h.example", "127.0.0.1", "[::1]", "localhost", lines[0]] {
                _ = list.contains(host: host, port: 80)
            }
            let environment = ProxyEnvironment(noProxy: lines.last) { _ in lines[0] }
            if let url = URL(string: "http://h.example/"), let origin = Origin(url) {
                _ = environment.choice(for: origin)
            }
        },
        FuzzTarget("international-name") { input in
            guard !input.bytes.contains(0), let name = InternationalName.ascii(input.text) else {
                return
            }
            check(!name.isEmpty, "a name is not empty")
        },
    ]

    /// Checks that the fast parser and Foundation agree.
    private static func compare(_ plain: PlainURL, _ text: String) {
        guard let url = URL(string: text) else {
            check(false, "a plain URL is one: \(text)")
            return
        }
        check(url.scheme == plain.scheme, "the scheme is Foundation's")
        check(url.host() == plain.host, "the host is Foundation's: \(plain.host)")
        check(url.port == plain.explicitPort, "the port is Foundation's: \(plain.port)")
        // Foundation escapes a percent sign without two hexadecimal digits.
        guard !text.utf8.contains(UInt8(ascii: "%")) else { return }
        check(url.absoluteString.isSame(as: text), "the text is Foundation's")
    }

    private static func lines(of pieces: [ArraySlice<UInt8>]) -> [URLLines.Line] {
        var list = URLLines()
        var lines: [URLLines.Line] = []
        for piece in pieces {
            piece.withUnsafeBytes { list.append($0) }
            while let line = list.next() { lines.append(line) }
        }
        list.end()
        while let line = list.next() { lines.append(line) }
        return lines
    }

    private static func redirect(from text: String, to location: String) {
        guard let url = URL(string: text), Origin(url) != nil else { return }
        var request = URLRequest(url: url)
        request.headerFields.add("Basic c2VjcmV0", to: "Authorization")
        var fields = HTTPHeaderFields()
        fields.add(location, to: "Location")
        let response = HTTPURLResponse(
            url: url,
            statusCode: 302,
            httpVersion: nil,
            headerFields: fields
        )
        guard let proposal = try? RedirectPolicy.proposal(after: response, to: request),
            let target = proposal.request.url
        else { return }
        guard let origin = Origin(target) else {
            check(false, "a redirect leads to HTTP: \(target)")
            return
        }
        check((0...65_535).contains(origin.port), "a redirect leads to a port")
        guard origin != Origin(url) else { return }
        check(target.user() == nil, "a user stays with its origin")
        check(proposal.request.headerFields["Authorization"] == nil, "so does a credential")
    }
}
