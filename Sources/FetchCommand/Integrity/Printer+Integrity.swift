import URLLoading

// Bodies that are not what they were to be.
extension Printer {
    /// A file that is there already is not what it was to be, and is fetched again.
    func otherDigest(_ run: TaskRun, _ path: String, _ mismatch: DigestMismatch) {
        note(
            "\(run.plan.address.redacted): \(Printable.text(path)) is not what it was to be"
                + " (\(mismatch)), and is fetched again"
        )
    }

    /// What to do about a body that is not what it was to be.
    func digestHint(_ run: TaskRun, _ error: URLError) -> String? {
        guard error.code == .bodyDigestMismatch else { return nil }
        var words: [String] = []
        if run.held != nil {
            words.append("nothing of it was written")
        } else if run.get(\.naming.file) == nil, run.get(\.bytes) > 0 {
            words.append("what was written to the output, which is no file, is not to be trusted")
        }
        if let source = error.digestMismatch?.source, source != .caller {
            words.append("--ignore-digests takes a body whatever the server says of it")
        }
        return words.isEmpty ? nil : words.joined(separator: "\nfetch: ")
    }
}
