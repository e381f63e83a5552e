extension Flags {
    /// Whom to trust, and how to prove who we are.
    static let tls: [Flag] = [
        Flag(
            ["--tls-min"],
            value: "VERSION",
            kind: .choice(TLSVersion.allCases.map(\.rawValue)),
            section: .tls,
            help: "accept no TLS older than VERSION: 1.0, 1.1, 1.2 or 1.3"
        ) { options, value throws(UsageError) in
            options.tlsMin = try value.choice(TLSVersion.self)
        },
        Flag(
            ["--tls-max"],
            value: "VERSION",
            kind: .choice(TLSVersion.allCases.map(\.rawValue)),
            section: .tls,
            help: "offer no TLS newer than VERSION: 1.0, 1.1, 1.2 or 1.3"
        ) { options, value throws(UsageError) in
            options.tlsMax = try value.choice(TLSVersion.self)
        },
        Flag(
            ["--ca-certificate", "--cacert"],
            value: "FILE",
            kind: .file,
            section: .tls,
            help: "trust the authorities in FILE (PEM) instead of the system's",
            details: "It goes before CURL_CA_BUNDLE, SSL_CERT_FILE and SSL_CERT_DIR."
        ) { options, value throws(UsageError) in
            options.caCertificate = try value.path()
        },
        Flag(
            ["--ca-directory", "--capath"],
            value: "DIR",
            kind: .directory,
            section: .tls,
            help: "trust the authorities in DIR instead of the system's",
            details: "The certificates have the names that openssl rehash gives them."
        ) { options, value throws(UsageError) in
            options.caDirectory = try value.path()
        },
        Flag(
            ["--crl-file", "--crlfile"],
            value: "FILE",
            kind: .file,
            section: .tls,
            help: "refuse the certificates revoked in FILE (PEM)"
        ) { options, value throws(UsageError) in
            options.crlFile = try value.path()
        },
        Flag(
            ["--certificate", "--cert"],
            value: "FILE",
            kind: .file,
            section: .tls,
            help: "prove who you are with the client certificate in FILE",
            details: "With --certificate-type it may be other than PEM."
        ) { options, value throws(UsageError) in
            options.certificate = try value.path()
        },
        Flag(
            ["--private-key", "--key"],
            value: "FILE",
            kind: .file,
            section: .tls,
            help: "take the client certificate's key from FILE",
            details: "Without this flag it stands in the file of --certificate."
        ) { options, value throws(UsageError) in
            options.privateKey = try value.path()
        },
        Flag(
            ["--private-key-password", "--pass"],
            value: "PHRASE",
            secret: .value,
            section: .tls,
            help: "open the private key with PHRASE; also @FILE, env:NAME or fd:N",
            details: """
                It is the first line of FILE (@- of standard input), the environment variable NAME, \
                or the next line of descriptor N. Nobody is asked for it: without it a key that is \
                encrypted is an error.
                """
        ) { options, value throws(UsageError) in
            options.keyPassword = try SecretSource(value)
        },
        Flag(
            ["--certificate-type", "--cert-type"],
            value: "TYPE",
            kind: .choice(CertificateType.allCases.map(\.rawValue)),
            section: .tls,
            help: "read certificate and key as PEM, DER or P12"
        ) { options, value throws(UsageError) in
            options.certificateType = try value.choice(CertificateType.self)
        },
        Flag(
            ["--ciphers"],
            value: "LIST",
            section: .tls,
            help: "offer the ciphers of LIST, in OpenSSL's notation",
            details: "It speaks of TLS 1.2 and older; those of TLS 1.3 are not affected."
        ) { options, value throws(UsageError) in
            options.ciphers = try value.nonEmpty("a list of ciphers")
        },
        Flag(
            ["--pinned-pubkey", "--pinnedpubkey"],
            value: "HASHES|FILE",
            kind: .file,
            section: .tls,
            help: "demand this public key of the server",
            details: """
                FILE holds the key as PEM or DER. HASHES are sha256// and a hash in base64, as in \
                sha256//HASH;sha256//HASH, any of which will do. It is asked for even with \
                --no-check-certificate.
                """
        ) { options, value throws(UsageError) in
            options.pinnedPublicKey = try PublicKeyPin(value)
        },
        Flag(
            ["--no-check-certificate", "-k", "--insecure"],
            section: .tls,
            help: "accept any certificate, so that anyone on the way can read and change all",
            details: "A warning says so on standard error."
        ) { $0.verifiesServer = false },
    ]
}
