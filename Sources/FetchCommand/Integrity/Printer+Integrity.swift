import URLLoading

// Messages about bodies with another digest.
extension Printer {
    /// Reports that an existing file has another digest, and is downloaded again.
    func otherDigest(_ run: TaskRun, _ path: String, _ mismatch: DigestMismatch) {
        let name = Printable.text(path)
        note(run, "\(name) does not match (\(mismatch)), and is downloaded again")
    }

    /// The hint for a body with another digest; `nil` for other errors.
    func digestHint(_ run: TaskRun, _ error: URLError) -> String? {
        guard error.code == .bodyDigestMismatch else { return nil }
        var words: [String] = []
        if run.bufferedBody != nil {
            words.append("nothing was written")
        } else if run.get(\.naming.file) == nil, run.get(\.bytes) > 0 {
            words.append("do not trust what was already written to the output")
        }
        if let source = error.digestMismatch?.source, source != .caller {
            words.append("--ignore-digests skips the check")
        }
        return words.isEmpty ? nil : words.joined(separator: "\nfetch: ")
    }
}
