extension Flags {
    /// Whom to trust, and how to prove who we are.
    static let tls: [Flag] = [
        Flag(
            ["--tls-min"],
            value: "VERSION",
            kind: .choice(TLSVersion.allCases.map(\.rawValue)),
            section: .tls,
            help: "the oldest TLS accepted: 1.0, 1.1, 1.2 or 1.3"
        ) { options, value throws(UsageError) in
            options.tlsMin = try value.choice(TLSVersion.self)
        },
        Flag(
            ["--tls-max"],
            value: "VERSION",
            kind: .choice(TLSVersion.allCases.map(\.rawValue)),
            section: .tls,
            help: "the newest TLS offered"
        ) { options, value throws(UsageError) in
            options.tlsMax = try value.choice(TLSVersion.self)
        },
        Flag(
            ["--ca-certificate", "--cacert"],
            value: "FILE",
            kind: .file,
            section: .tls,
            help: "trust the authorities in FILE (PEM) instead of the system's"
        ) { options, value throws(UsageError) in
            options.caCertificate = try value.path()
        },
        Flag(
            ["--ca-directory", "--capath"],
            value: "DIR",
            kind: .directory,
            section: .tls,
            help: "trust the authorities in DIR (c_rehash)"
        ) { options, value throws(UsageError) in
            options.caDirectory = try value.path()
        },
        Flag(
            ["--crl-file"],
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
            help: "show the server this client certificate"
        ) { options, value throws(UsageError) in
            options.certificate = try value.path()
        },
        Flag(
            ["--private-key", "--key"],
            value: "FILE",
            kind: .file,
            section: .tls,
            help: "the client certificate's key, if it is in a file of its own"
        ) { options, value throws(UsageError) in
            options.privateKey = try value.path()
        },
        Flag(
            ["--certificate-type"],
            value: "TYPE",
            kind: .choice(CertificateType.allCases.map(\.rawValue)),
            section: .tls,
            help: "what certificate and key are: PEM, DER or P12"
        ) { options, value throws(UsageError) in
            options.certificateType = try value.choice(CertificateType.self)
        },
        Flag(
            ["--ciphers"],
            value: "LIST",
            section: .tls,
            help: "offer these ciphers, in OpenSSL's notation"
        ) { options, value throws(UsageError) in
            options.ciphers = try value.nonEmpty("a list of ciphers")
        },
        Flag(
            ["--pinned-pubkey"],
            value: "HASHES|FILE",
            kind: .file,
            section: .tls,
            help: "demand this public key of the server",
            details: """
                Either a file with the key (PEM or DER), or hashes in base64: \
                sha256//HASH[;sha256//HASH], any of which will do.
                """
        ) { options, value throws(UsageError) in
            options.pinnedPublicKey = try PublicKeyPin(value)
        },
        Flag(
            ["--no-check-certificate", "-k", "--insecure"],
            section: .tls,
            help: "accept any certificate: anyone on the way can read and change all"
        ) { $0.verifiesServer = false },
    ]
}
