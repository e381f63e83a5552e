import URLLoading

extension PastedSpelling {
    /// Spellings with one meaning.
    static let accepted: [PastedSpelling] = credentials + tls + habits + others + socks

    private static let others = [
        PastedSpelling(["--continue-at", "-C"], value: "OFFSET|-") { value, _ in
            if value.text == "-" { return ["--continue"] }
            return try start(value)
        },
        PastedSpelling(["--start-pos"], value: "OFFSET") { value, _ in try start(value) },
        // curl's file also contains session cookies.
        PastedSpelling(["--cookie-jar"], value: "FILE") { value, _ in
            ["--save-cookies", value.text, "--keep-session-cookies"]
        },
        PastedSpelling(["--https-only"], means: ["--proto", "=https"]),
        PastedSpelling(["--proto-default"], value: "SCHEME") { value, _ in
            let scheme = value.text.asciiLowercased
            guard ["http", "https"].contains(where: { scheme.hasBytes(of: $0) }) else {
                throw value.invalid("cannot be the default scheme", hint: "use http or https")
            }
            return []
        },
        PastedSpelling(["--spider"], means: ["--head", "--output", "/dev/null"]),
        PastedSpelling(["--stderr"], value: "FILE") { value, _ in ["--output-file", value.text] },
        PastedSpelling(["--dns-timeout"], value: "SECONDS") { value, options in
            // The look-up is part of connecting, so an explicit --connect-timeout takes precedence.
            options.given.contains("--connect-timeout") ? [] : ["--connect-timeout", value.text]
        },
        PastedSpelling(["--prefer-family"], value: "FAMILY") { value, _ in
            guard ["IPv4", "IPv6", "none"].contains(value.text) else {
                throw value.invalid("is not one of IPv4, IPv6, none")
            }
            return []
        },
        PastedSpelling(["-p"], means: ["--proxytunnel"]),
        PastedSpelling(["--progress-bar", "-#"], means: ["--progress", "bar"]),
        PastedSpelling(["--no-progress-meter"], means: ["--progress", "none"]),
        PastedSpelling(["--retry"], value: "N") { value, _ in
            // The number of attempts is the number of retries plus the first attempt.
            ["--tries", String(try value.integer(in: 0...Int(Int32.max) - 1) + 1)]
        },
    ]

    private static let socks: [PastedSpelling] = ["socks4", "socks4a", "socks5", "socks5h"].map {
        scheme in
        let name = scheme == "socks5h" ? "--socks5-hostname" : "--\(scheme)"
        return PastedSpelling([name], value: "HOST[:PORT]") { value, _ in
            ["--proxy", "\(scheme)://\(value.text)"]
        }
    }

    private static let credentials = [
        PastedSpelling(["--anyauth"], means: ["--auth", "any"]),
        PastedSpelling(["--basic"], means: ["--auth", "basic"]),
        PastedSpelling(["--auth-no-challenge"], means: ["--auth", "basic"]),
        PastedSpelling(["--digest"], means: ["--auth", "digest"]),
        PastedSpelling(["--ntlm"], means: ["--auth", "ntlm"]),
        PastedSpelling(["--negotiate"], means: ["--auth", "negotiate"]),
        // .netrc is read by default.
        PastedSpelling(["--netrc", "--netrc-optional", "-n"], means: []),
    ]

    private static let tls: [PastedSpelling] =
        [
            PastedSpelling(["--tlsv1", "--tlsv1.0", "-1"], means: ["--tls-min", "1.0"]),
            PastedSpelling(["--secure-protocol"], value: "PROTOCOL") { value, _ in
                switch value.text.lowercased() {
                case "auto", "pfs": return []
                case "tlsv1": return ["--tls-min", "1.0"]
                case "tlsv1_1": return ["--tls-min", "1.1"]
                case "tlsv1_2": return ["--tls-min", "1.2"]
                case "tlsv1_3": return ["--tls-min", "1.3"]
                default:
                    throw value.invalid(
                        "is not supported any more",
                        hint: "use auto, TLSv1, TLSv1_1, TLSv1_2 or TLSv1_3"
                    )
                }
            },
            PastedSpelling(["--private-key-type", "--key-type"], value: "TYPE") { value, _ in
                guard value.text.lowercased() == "pem" else {
                    throw value.invalid(
                        "cannot be set for the key alone",
                        hint: "--certificate-type TYPE sets it for certificate and key"
                    )
                }
                return []
            },
        ]
        + ["1.1", "1.2", "1.3"].map { PastedSpelling(["--tlsv\($0)"], means: ["--tls-min", $0]) }

    /// Flags that state fetch's default behaviour.
    private static let habits: [PastedSpelling] =
        [
            PastedSpelling(["--no-buffer"], means: []),
            PastedSpelling(["--parallel", "--parallel-immediate", "-Z"], means: []),
            PastedSpelling(["--no-directories", "-nd"], means: []),
            PastedSpelling(["--use-server-timestamps"], means: []),
            PastedSpelling(["--remove-on-error", "--unlink"], means: []),
            PastedSpelling(["--disable"], means: ["--no-config"]),
            PastedSpelling(["--tcp-nodelay", "--no-keepalive", "--no-http-keep-alive"], means: []),
            PastedSpelling(["--no-sessionid", "--no-dns-cache", "--no-iri"], means: []),
            PastedSpelling(["--ssl-no-revoke", "--ssl-revoke-best-effort"], means: []),
        ]
        + ["--keepalive-time", "--happy-eyeballs-timeout-ms"].map { name in
            PastedSpelling([name], value: "TIME") { value, _ in
                _ = try value.duration()
                return []
            }
        }

    /// The range from an offset to the end; empty for offset 0.
    private static func start(_ value: FlagValue) throws(UsageError) -> [String] {
        let offset = try value.integer(in: 0...Int(Int64.max - 1))
        return offset == 0 ? [] : ["--range", "\(offset)-"]
    }
}
