import FoundationEssentials

@testable import CurlMulti
@testable import URLLoading

// Challenges, credentials in files, and the message bus of the key store.
extension FuzzTarget {
    static let authentication = [
        FuzzTarget("challenge") { input in
            var fields = HTTPHeaderFields()
            for line in input.lines { fields.add(line, to: "WWW-Authenticate") }
            for offer in AuthenticationOffer.offers(in: fields, isProxy: false) {
                guard case .digest(let challenge) = offer else { continue }
                respond(to: challenge)
            }
            let info = HTTPChallenge.parameters(in: input.text)
            for parameter in info.parameters {
                check(!parameter.name.isEmpty, "a parameter has a name")
            }
        },
        FuzzTarget("netrc") { input in
            guard let netrc = try? Netrc(input.bytes) else { return }
            for entry in netrc.entries {
                check(entry.line >= 1, "lines are counted from 1")
                guard let machine = entry.machine else { continue }
                let found = netrc.entry(for: machine)
                check(
                    found != nil || machine.utf8.first == UInt8(ascii: "["),
                    "an entry is found by its machine"
                )
            }
            _ = netrc.entry(for: "[::1]", login: "me")
        },
        FuzzTarget("credential-file") { input in
            let decoder = JSONDecoder()
            if let holder = try? decoder.decode(LockHolder.self, from: Data(input.bytes)) {
                let text = try? JSONEncoder().encode(holder)
                let again = text.flatMap { try? decoder.decode(LockHolder.self, from: $0) }
                check(again == holder, "a holder reads as written")
            }
            guard let list = try? CredentialList(Data(input.bytes), path: "file") else { return }
            let again = (try? list.encoded()).flatMap { try? CredentialList($0, path: "file") }
            check(again == list, "credentials read as they were written")
        },
        FuzzTarget("certificate-bundle") { input in
            guard let bundle = CertificateBundle(path: "bundle", input.bytes) else { return }
            check(bundle.count > 0, "a bundle has certificates")
        },
        FuzzTarget("certificate") { input in
            guard let certificate = ParsedCertificate(Data(input.bytes)) else {
                let isTaken = input.bytes.withUnsafeBytes { CertificateShape($0) != nil }
                check(!isTaken, "of a bundle only that is taken which OpenSSL can parse")
                return
            }
            for text in [certificate.subject, certificate.issuer] {
                check(!text.utf8.contains { $0 < 0x20 || $0 == 0x7F }, "a name is printable")
            }
            _ = (certificate.names, certificate.publicKeyPin)
            _ = (certificate.notBefore, certificate.notAfter)
        },
    ]

    private static func respond(to challenge: DigestChallenge) {
        var digest = DigestAuthentication(challenge, user: "Jäger\"", password: Secret("pä ss"))
        for _ in 0..<2 {
            let credentials = try? digest.credentials(
                method: "GET",
                target: "/a?b",
                body: .none,
                cnonce: "0123456789abcdef"
            )
            guard let credentials else { return }
            let isClean = !credentials.field.utf8.contains(where: HTTPSyntax.isControl)
            check(isClean, "a field of ours has no control character")
        }
        guard let url = URL(string: "https://h.example/a/b"),
            let other = URL(string: "https://other.example/a/b")
        else { return }
        _ = challenge.covers(url, challenged: url)
        check(!challenge.covers(other, challenged: url), "a credential stays with its origin")
    }
}
