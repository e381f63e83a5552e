import URLLoading

/// A file that a flag names to be read, or to be changed by what it says.
struct InputFile: Equatable, Sendable {
    let flag: String
    let path: String
}

extension Options {
    /// Every file that is read: nothing else may be written there.
    var inputFiles: [InputFile] {
        var files: [(flag: String, path: String?)] = []
        files += data.map { ("--data", $0.source.path) }
        files += json.map { ("--json", $0.source.path) }
        files += form.map { ("--form", $0.source.path) }
        for case .file(let path) in headers { files.append(("--header", path)) }
        if let upload {
            files.append(
                (upload.kind == .put ? "--upload-file" : "--post-file", upload.source.path)
            )
        }
        files += [
            ("--ca-certificate", transport.trust.certificateAuthorityFile),
            ("--crl-file", transport.trust.revocationListFile),
            ("--certificate", certificate.file.isEmpty ? nil : certificate.file),
            ("--private-key", certificate.keyFile),
            ("--pinned-pubkey", transport.trust.pinnedKeyFile),
            ("--netrc-file", netrcFile), ("--user", user?.path), ("--password", password?.path),
            ("--bearer", bearer?.path), ("--proxy-user", proxyUser?.path),
            ("--private-key-password", keyPassword?.path), ("--write-out", writeOut?.path),
            ("--cookie", cookie?.path), ("--load-cookies", loadedCookies),
            ("--config", configurationPath), ("--etag-compare", entityTagInput),
        ]
        if case .file(let path) = list { files.append(("--input-file", path)) }
        if case .file(let path) = checksumSource { files.append(("--checksum-from", path)) }
        return files.compactMap { file in file.path.map { InputFile(flag: file.flag, path: $0) } }
    }
}

extension InputSource {
    /// The file's path, where it is one.
    fileprivate var path: String? {
        if case .file(let path) = self { path } else { nil }
    }
}

extension SecretSource {
    /// The file's path, where it is one.
    fileprivate var path: String? {
        if case .file(let path) = self { path } else { nil }
    }
}
