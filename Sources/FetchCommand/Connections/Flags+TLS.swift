import URLLoading

extension Flags {
    static let tls: [Flag] = [
        Flag(
            ["--tls-min"],
            value: "VERSION",
            kind: .choice(tlsVersions),
            help: "use TLS VERSION or newer: 1.0, 1.1, 1.2 or 1.3"
        ) {
            $0.session.settings.tlsMinimum = try $1.choice(tlsVersions, TLSProtocolVersion.allCases)
        },
        Flag(
            ["--tls-max"],
            value: "VERSION",
            kind: .choice(tlsVersions),
            help: "use TLS VERSION or older: 1.0, 1.1, 1.2 or 1.3"
        ) {
            $0.session.settings.tlsMaximum = try $1.choice(tlsVersions, TLSProtocolVersion.allCases)
        },
        Flag(
            ["--ca-certificate", "--cacert"],
            value: "FILE",
            reads: .init { [$0.transport.trust.certificateAuthorityFile] },
            help: "trust the certificate authorities in FILE (PEM) instead of the system's",
            details: "It takes precedence over CURL_CA_BUNDLE, SSL_CERT_FILE and SSL_CERT_DIR."
        ) { $0.transport.trust.certificateAuthorityFile = try $1.path() },
        Flag(
            ["--ca-directory", "--capath"],
            value: "DIR",
            help: "trust the certificate authorities in DIR instead of the system's",
            details: "The certificates must have the names that openssl rehash gives them."
        ) { $0.transport.trust.certificateAuthorityFolder = try $1.path() },
        Flag(
            ["--crl-file", "--crlfile"],
            value: "FILE",
            reads: .init { [$0.transport.trust.revocationListFile] },
            help: "refuse the certificates revoked in FILE (PEM)"
        ) { $0.transport.trust.revocationListFile = try $1.path() },
        Flag(
            ["--certificate", "--cert"],
            value: "FILE",
            reads: .init { [$0.certificate.file.isEmpty ? nil : $0.certificate.file] },
            help: "use the client certificate in FILE",
            details: "--certificate-type allows other formats than PEM."
        ) { options, value in
            let path = try value.path()
            // curl's notation has the password after the name.
            if let colon = path.utf8.lastIndex(of: UInt8(ascii: ":")), !FileFacts.exists(path),
                FileFacts.exists(String(path[..<colon]))
            {
                throw value.invalidSecret(
                    "FILE:PASSWORD is not supported",
                    hint: "--private-key-password PASSWORD decrypts the key"
                )
            }
            options.certificate.file = path
        },
        Flag(
            ["--private-key", "--key"],
            value: "FILE",
            reads: .init { [$0.certificate.keyFile] },
            help: "read the client certificate's key from FILE",
            details: "Without this flag, the key is in the file of --certificate."
        ) { $0.certificate.keyFile = try $1.path() },
        Flag(
            ["--private-key-password", "--pass"],
            value: "PHRASE",
            background: .keepsNoPassword,
            reads: .init { [$0.keyPassword?.path] },
            secret: .value,
            help: "decrypt the private key with PHRASE; also @FILE, env:NAME or fd:N",
            details: """
                @FILE takes the first line of FILE (@- of standard input), env:NAME takes the \
                environment variable NAME, and fd:N takes the next line of descriptor N. fetch \
                never asks for the phrase: without it, an encrypted key is an error.
                """
        ) { $0.keyPassword = try SecretSource($1) },
        Flag(
            ["--certificate-type", "--cert-type"],
            value: "TYPE",
            kind: .choice(
                URLSessionConfiguration.ClientCertificate.Format.allCases.map(\.rawValue)
            ),
            help: "read certificate and key as PEM, DER or P12"
        ) { $0.certificate.format = try $1.choice() },
        Flag(
            ["--ciphers"],
            value: "LIST",
            help: "offer the ciphers of LIST, in OpenSSL's notation",
            details: "This applies to TLS 1.2 and older. The ciphers of TLS 1.3 are not affected."
        ) { $0.transport.ciphers = try $1.nonEmpty("a list of ciphers") },
        Flag(
            ["--pinned-pubkey", "--pinnedpubkey"],
            value: "HASHES|FILE",
            reads: .init { [$0.transport.trust.pinnedKeyFile] },
            help: "require this public key from the server",
            details: """
                FILE has the key as PEM or DER. HASHES are sha256// and a hash in base64, as in \
                sha256//HASH;sha256//HASH, and any of them will do. The key is required even \
                with --no-check-certificate.
                """
        ) { $0.transport.trust.pinnedPublicKey = try $1.publicKeyPin() },
        Flag(
            ["--no-check-certificate", "-k", "--insecure"],
            help:
                "accept any certificate; others on the network can then read and change everything",
            details: "A warning is printed on standard error."
        ) { $0.transport.trust.verifiesServer = false },
    ]

    static let strictTransport: [Flag] = [
        Flag(
            ["--hsts"],
            help: "use TLS for hosts that have required it before (HSTS; the default)",
            details: """
                A host asks for this with Strict-Transport-Security, in a response over TLS with \
                a valid certificate. From then on, http URLs of that host become https before \
                anything is sent, and port 80 becomes 443. With -vv, the event didUpgradeTo \
                reports it.
                """
        ) { $0.transport.strictTransportSecurity = .automatic },
        Flag(
            ["--no-hsts"],
            help: "ignore which hosts require TLS (HSTS)"
        ) { $0.transport.strictTransportSecurity = .none },
        Flag(
            ["--hsts-file"],
            value: "FILE",
            help: "remember the HSTS hosts in FILE, which curl --hsts can share"
        ) { options, value in
            let path = try value.path()
            // Nothing can be remembered there.
            options.transport.strictTransportSecurity =
                path.hasBytes(of: "/dev/null") ? .none : .file(path)
        },
    ]

    /// In the order of `TLSProtocolVersion.allCases`.
    private static let tlsVersions = ["1.0", "1.1", "1.2", "1.3"]

    static func word(for version: TLSProtocolVersion) -> String {
        zip(TLSProtocolVersion.allCases, tlsVersions).first { $0.0 == version }?.1 ?? ""
    }
}

extension FlagValue {
    /// Parses `sha256//BASE64[;sha256//BASE64]…`, one of which must match, or the path of a key.
    fileprivate func publicKeyPin() throws(UsageError) -> String {
        guard text.startsWithBytes(of: "sha256//") else { return try path() }
        for part in text.split(separator: ";", omittingEmptySubsequences: false) {
            guard let hash = part.droppingBytes(of: "sha256//"), Self.isHash(hash) else {
                throw invalid(
                    "is not a list of hashes",
                    hint: "each is sha256// and 32 bytes in base64"
                )
            }
        }
        return text
    }

    /// In base64, 32 bytes are 43 characters and one padding character.
    private static func isHash(_ text: Substring) -> Bool {
        guard text.utf8.count == 44, text.utf8.last == UInt8(ascii: "=") else { return false }
        return text.utf8.dropLast().allSatisfy { $0.isAlphanumeric || "+/".utf8.contains($0) }
    }
}

extension Conflicts {
    /// Throws if no TLS version is left, or if a key has no certificate.
    static func checkTLS(_ options: Options) throws(UsageError) {
        // A later --hsts or --no-hsts overrides the file.
        if options.session.isEphemeral, case .file = options.transport.strictTransportSecurity {
            throw .conflict("--ephemeral", "--hsts-file", reason: "nothing is saved then")
        }
        if let min = options.session.settings.tlsMinimum,
            let max = options.session.settings.tlsMaximum, min.rawValue > max.rawValue
        {
            throw .conflict(
                "--tls-min \(Flags.word(for: min))",
                "--tls-max \(Flags.word(for: max))",
                reason: "no version is left"
            )
        }
        if options.certificate.keyFile != nil, options.certificate.file.isEmpty {
            throw .unusable(
                flag: "--private-key",
                reason: "a key needs its certificate",
                hint: "--certificate FILE names the certificate it belongs to"
            )
        }
        if options.keyPassword != nil, options.certificate.file.isEmpty {
            throw .unusable(
                flag: "--private-key-password",
                reason: "there is no key for it",
                hint: "--certificate FILE and --private-key FILE name certificate and key"
            )
        }
    }
}
