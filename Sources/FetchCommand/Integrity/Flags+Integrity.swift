import URLLoading

extension Flags {
    static let integrity: [Flag] = [
        Flag(
            ["--checksum"],
            value: "ALGO:HEX",
            excludes: .init("--checksum-from", because: "a body has only one checksum"),
            help: "accept the body only with this checksum, such as sha256:HEX",
            details: """
                ALGO is sha256, sha384, sha512, sha1 or md5. `sha256=HEX` means the same. So \
                does `sha256-BASE64`, the form of Subresource Integrity. Several of these may be \
                given, separated by blanks: then the strongest function is used, and any \
                checksum of that function will do. A file gets its name only if its checksum is \
                right. Otherwise it is removed, an existing file of that name is kept, and the \
                exit status is 10. A continued file is first fetched once more from the \
                beginning. A body to standard output is buffered as with --hold, decoded before \
                it is compared, and not written if it is wrong. With --timestamping and \
                --continue, an existing file is checked too. Bodies of errors are not checked.
                """
        ) { $0.checksum = try ChecksumText.expected($1) },
        Flag(
            ["--checksum-from"],
            value: "FILE|URL",
            reads: .init { [$0.checksumSource?.path] },
            secret: .userInfo,
            help: "accept bodies only with the checksums in this list, such as SHA256SUMS",
            details: """
                The list has the format of sha256sum(1) and its relatives, including BSD's. It \
                may also be a file with one checksum and nothing else. `-` is standard input. \
                The entry is found by the end of the URL's path, or else by the name of the \
                local file. If there is no entry, or several that differ, nothing is fetched, \
                and the exit status is 10. A list from a URL is fetched once, before everything \
                else. It may have 1 MiB, and redirects away from TLS are not followed. If the \
                list cannot be fetched, nothing else is, and the exit status says why. Fields of \
                --header are sent for the list only if it has the first URL's origin.
                """
        ) { $0.checksumSource = try ChecksumSource($1) },
        Flag(
            ["--hold"],
            background: .makesWholeFiles,
            help:
                "write nothing to standard output until the whole body has arrived and is verified",
            details: """
                So a shell that reads the body, as in `fetch --hold -qO - URL | sh`, never \
                starts a script that is truncated or changed. If anything fails, nothing is \
                written. Until then, the body is kept in memory, up to 1 MiB, and beyond that in \
                an unnamed temporary file in the folder TMPDIR. A lost connection is retried as \
                for a file. --checksum and --checksum-from imply this flag. --max-time ends when \
                the body has arrived, whatever the reader takes. Files do not need this flag: \
                they are complete or absent.
                """
        ) { $0.responses.buffersBodies = true },
        Flag(
            ["--ignore-digests"],
            help: "do not compare bodies with the digests that servers send",
            details: """
                These are the fields Content-Digest and Repr-Digest (RFC 9530) with SHA-256 or \
                SHA-512, in the header, or after the body if they were announced. Other \
                functions, and invalid digests, are ignored, and -vv reports them. Without this \
                flag, a body that differs is rejected, and the exit status is 10.
                """
        ) { $0.transport.checksDigestFields = false },
    ]
}

extension Conflicts {
    /// Throws unless each checksum belongs to one complete body.
    static func checkIntegrity(_ options: Options) throws(UsageError) {
        guard options.checksum != nil || options.checksumSource != nil else { return }
        let flag = options.checksum != nil ? "--checksum" : "--checksum-from"
        if options.checksum != nil, options.hasMany {
            throw .conflict(
                "--checksum",
                "several URLs",
                reason: "one checksum fits one body; --checksum-from takes a list"
            )
        }
        if let other = bodyFlags(options).first ?? options.headFlag {
            throw .conflict(flag, other, reason: "only a fetched body can be verified")
        }
        let ownRange = options.header("Range") != nil
        if options.responses.range != nil || ownRange {
            throw .conflict(
                flag,
                ownRange ? "--header Range" : "--range",
                reason: "a checksum covers the whole body"
            )
        }
        guard options.checksumSource == .read(.standardInput) else { return }
        let others = [
            "--write-out @-": options.writeOut == .read(.standardInput),
            "--input-file -": options.list == .standardInput,
            "\(options.inputSecret ?? "") @-": options.inputSecret != nil,
        ]
        guard let other = others.first(where: \.value) else { return }
        throw .conflict(
            "--checksum-from -",
            other.key,
            reason: "standard input can be read only once"
        )
    }
}
