import URLLoading

extension Flags {
    /// What bodies have to come to.
    static let integrity: [Flag] = [
        Flag(
            ["--checksum"],
            value: "ALGO:HEX",
            excludes: [
                .init("--checksum-from", because: "each says what the body must come to")
            ],
            section: .task,
            help: "accept the body only with this checksum, such as sha256:HEX",
            details: """
                ALGO is sha256, sha384, sha512, sha1 or md5; `sha256=HEX` is the same, and so is \
                `sha256-BASE64`, the form of Subresource Integrity, of which several may stand \
                between blanks: then the strongest function counts, and any checksum by it. A file \
                gets its name only if it is right; else it is removed, what has the name stays, \
                and the exit status is 10. One that was continued begins once more at its first \
                byte before that. A body to standard output is kept back as with --hold, and nothing \
                of a wrong one is written; it is compared unpacked. With --timestamping \
                and --continue a file that is there already is compared too. Bodies of errors are \
                not.
                """
        ) { options, value throws(UsageError) in
            options.checksum = try ChecksumText.expected(value)
        },
        Flag(
            ["--checksum-from"],
            value: "FILE|URL",
            kind: .file,
            reads: .init { [$0.checksumSource?.path] },
            secret: .userInfo,
            section: .task,
            help: "accept bodies only with the checksums in this list, such as SHA256SUMS",
            details: """
                The list is one of sha256sum(1) or its siblings, BSD's form included, or a file \
                with one checksum and nothing else; `-` is standard input. Its entry is found \
                by the end of the URL's path, or else by the name that the file gets here. \
                Where it has none, or several that differ, nothing is fetched, and the exit status \
                is 10. A list from a URL is fetched first, once, has 1 MiB at the most, and no \
                redirect out of TLS is followed; where it cannot be had, nothing else is fetched, \
                and the exit status says why. Header fields of --header go to it only where it is \
                of the first URL's origin.
                """
        ) { options, value throws(UsageError) in
            options.checksumSource = try ChecksumSource(value)
        },
        Flag(
            ["--hold"],
            background: .makesWholeFiles,
            section: .task,
            help:
                "write nothing to standard output until the whole body has arrived and is verified",
            details: """
                So a shell that reads it, as in `fetch --hold -qO - URL | sh`, never begins to run a \
                script that is cut short or changed: where anything fails, nothing is written. \
                Meanwhile the body is kept, up to 1 MiB in memory and then in a temporary file without \
                a name, in the folder TMPDIR. A lost connection is tried again as with a file. \
                --checksum and --checksum-from imply it. --max-time counts until the body has come, \
                and not while the reader takes it. A file is always whole or absent.
                """
        ) { $0.responses.buffersBodies = true },
        Flag(
            ["--ignore-digests"],
            section: .task,
            help: "do not compare bodies with the digests that servers send",
            details: """
                These are the fields Content-Digest and Repr-Digest (RFC 9530), in the header or \
                announced behind the body, by SHA-256 or SHA-512; other functions, and what is no \
                digest, are passed over, and -vv says so. A body that differs is not taken, \
                and the exit status is 10.
                """
        ) { $0.transport.checksDigestFields = false },
    ]
}

extension Conflicts {
    /// A checksum is of one whole body that is fetched.
    static func checkIntegrity(_ options: Options) throws(UsageError) {
        guard options.checksum != nil || options.checksumSource != nil else { return }
        let flag = options.checksum != nil ? "--checksum" : "--checksum-from"
        if options.checksum != nil, options.urls.count > 1 || options.list != nil {
            throw .conflict(
                "--checksum",
                "several URLs",
                reason: "one checksum is of one body; --checksum-from has a list of them"
            )
        }
        let head = options.head ? "--head" : options.method == .head ? "--request HEAD" : nil
        if let other = bodyFlags(options).first ?? head {
            throw .conflict(flag, other, reason: "what is compared is a body that is fetched")
        }
        let ownRange = options.headers.contains { $0.name.lowercased() == "range" }
        if options.responses.range != nil || ownRange {
            throw .conflict(
                flag,
                ownRange ? "--header Range" : "--range",
                reason: "a checksum is of the whole"
            )
        }
        guard options.checksumSource == .standardInput else { return }
        let secrets = [options.user, options.password, options.bearer, options.cookie]
        let others = [
            "--write-out @-": options.writeOut == .standardInput,
            "--input-file -": options.list == .standardInput,
            "a secret from it": secrets.contains(.standardInput),
        ]
        guard let other = others.first(where: \.value) else { return }
        throw .conflict(
            "--checksum-from -",
            other.key,
            reason: "standard input can be read only once"
        )
    }
}
