import FoundationEssentials

/// The hosts that a session reaches only over TLS.
struct HSTSHosts: Sendable, Hashable {
    /// How long a host requires TLS, and for which hosts.
    struct Policy: Sendable, Hashable {
        /// Seconds since 1970; `nil`: without end.
        var end: Int64?
        var includesSubdomains: Bool

        func hasEnded(_ now: Int64) -> Bool { end.map { $0 <= now } ?? false }
    }

    /// By their names in lower case, without a trailing dot.
    private(set) var policies: [ExactText: Policy] = [:]

    /// The longest name of a host with a dot at its end, bytes
    /// ([RFC 1035 §2.3.4](https://www.rfc-editor.org/rfc/rfc1035#section-2.3.4)).
    static let longestName = 254

    var isEmpty: Bool { policies.isEmpty }

    subscript(_ host: ExactText) -> Policy? {
        get { policies[host] }
        set { policies[host] = newValue }
    }

    /// Whether a host requires TLS, or a domain above it that includes subdomains ([RFC 6797
    /// §8.2](https://www.rfc-editor.org/rfc/rfc6797#section-8.2)).
    func covers(_ host: String, _ now: Int64) -> Bool {
        guard !policies.isEmpty, host.utf8.count <= Self.longestName,
            let host = Self.name(host)?.text
        else { return false }
        var rest = host.utf8[...]
        while !rest.isEmpty {
            if let policy = policies[ExactText(Substring(rest))], !policy.hasEnded(now),
                policy.includesSubdomains || rest.count == host.utf8.count
            {
                return true
            }
            rest = rest.drop { $0 != UInt8(ascii: ".") }.dropFirst()
        }
        return false
    }

    /// The host and its new policy, if a host's field changes it (§8.1); a policy of `nil` removes the
    /// host.
    ///
    /// We ignore a new expiry that is less than a day later, so that not every response causes a write.
    func change(
        by field: HSTSField,
        of host: String,
        _ now: Int64
    ) -> (host: ExactText, policy: Policy?)? {
        guard let host = Self.name(host) else { return nil }
        let known = policies[host].flatMap { $0.hasEnded(now) ? nil : $0 }
        guard field.maximumAge > 0 else { return known == nil ? nil : (host, nil) }
        let policy = Policy(
            end: now + field.maximumAge,
            includesSubdomains: field.includesSubdomains
        )
        if let known, known.includesSubdomains == policy.includesSubdomains,
            let end = known.end, (end...end + 86_400).contains(now + field.maximumAge)
        {
            return nil
        }
        return (host, policy)
    }

    /// The canonical name of a host; `nil` for addresses, which cannot require TLS (§8.1.1), and for
    /// invalid names, such as one with two trailing dots.
    static func name(_ host: String) -> ExactText? {
        guard var name = CanonicalHost.known(host) else { return nil }
        if name.endsWithBytes(of: ".") { name = String(Substring(name.utf8.dropLast())) }
        let labels = name.split(byte: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard !labels.contains(where: \.isEmpty), !name.startsWithBytes(of: "["),
            IPAddress(host: name) == nil,
            !name.utf8.contains(where: { $0 <= 0x20 || $0 == 0x22 || $0 == 0x3A || $0 == 0x7F })
        else { return nil }
        return ExactText(name)
    }

    /// The URL to load over TLS instead: port 80 becomes 443, other ports remain ([RFC 6797
    /// §8.3](https://www.rfc-editor.org/rfc/rfc6797#section-8.3)).
    func upgraded(_ url: URL, _ now: Int64) -> URL? {
        guard url.scheme?.lowercased() == "http", let host = url.host(),
            covers(host, now), var parts = URLComponents(url: url, resolvingAgainstBaseURL: true)
        else { return nil }
        parts.scheme = "https"
        if parts.port == 80 { parts.port = nil }
        return parts.url
    }
}

/// A `Strict-Transport-Security` field
/// ([RFC 6797 §6.1](https://www.rfc-editor.org/rfc/rfc6797#section-6.1)).
struct HSTSField: Hashable {
    /// The lifetime, seconds; 0: the host no longer requires TLS.
    let maximumAge: Int64
    /// Whether the field includes subdomains.
    let includesSubdomains: Bool

    /// The longest lifetime, a hundred years in seconds; a longer one is limited to it.
    private static let maximumLifetime: Int64 = 100 * 365 * 86_400

    /// Parses a field's value; `nil` where the age is missing, or a directive is repeated.
    init?(_ value: String) {
        var age: Int64?
        var includesSubdomains = false
        var seen: Set<String> = []
        for directive in value.split(byte: UInt8(ascii: ";")) {
            let parts = directive.split(byte: UInt8(ascii: "="), maxSplits: 1)
                .map { HTTPSyntax.trimmed($0) }
            guard let name = parts.first?.asciiLowercased, !name.isEmpty else { continue }
            guard name.utf8.allSatisfy(HTTPSyntax.isTokenByte), seen.insert(name).inserted else {
                return nil
            }
            switch name {
            case "max-age":
                guard parts.count == 2, let seconds = Self.seconds(parts[1]) else { return nil }
                age = seconds
            case "includesubdomains":
                guard parts.count == 1 else { return nil }
                includesSubdomains = true
            default: break
            }
        }
        guard let age else { return nil }
        maximumAge = age
        self.includesSubdomains = includesSubdomains
    }

    private static func seconds(_ text: Substring) -> Int64? {
        var digits = text
        if digits.utf8.count > 1, digits.startsWithBytes(of: "\""), digits.endsWithBytes(of: "\"") {
            digits = Substring(digits.utf8.dropFirst().dropLast())
        }
        guard digits.isDigits else { return nil }
        return min(Int64(digits) ?? maximumLifetime, maximumLifetime)
    }
}
