import Synchronization

// Digests that a body must have.
extension BodyRouter {
    /// Wraps a sink to compute the body's digests, before or after content decoding.
    ///
    /// No digest is computed unless the caller or the server has stated one.
    func checked(_ sink: any BodySink) throws(URLError) -> any BodySink {
        let content = digests.ofContent
        let announced = digests.announced
        guard head?.isDecoded == true else {
            return try digesting(sink, digests.ofBody + content, announced)
        }
        return try digesting(decoding(digesting(sink, digests.ofBody, [])), content, announced)
    }

    private func digesting(
        _ sink: any BodySink,
        _ requirements: [DigestRequirement],
        _ announced: [DigestSource]
    ) throws(URLError) -> any BodySink {
        guard !requirements.isEmpty || !announced.isEmpty else { return sink }
        return try DigestingSink(sink, requirements, announced: announced)
    }

    /// Leaves the comparison to the download, for a file that comes in several responses.
    func leaveDigests(to download: Download, isContinued: Bool) {
        digests.leaveToFile(isContinued: isContinued)
        download.require(digests.ofFile)
    }

    /// Adds the digests that a part's response states for the whole file.
    func addDigests(to download: Download) {
        guard let head else { return }
        digests = HopDigests(ofPart: head, responseContext)
        download.require(digests.ofFile)
    }

    /// Reads trailer fields with digests of the whole file, from a part's response.
    func readTrailers(_ end: HopEnd) {
        guard !digests.announcedOfFile.isEmpty, !end.hasFailed, let download,
            let late = end.trailers.map({ HopDigests.read($0, digests.announcedOfFile) })
        else { return }
        end.digestFindings += late.fieldFindings
        download.require(late.requirements)
    }

    /// Handles a digest mismatch at the hop's end: removes the file, or asks the task to start over.
    func settleDigests(_ end: HopEnd) {
        end.digestFindings = digests.fieldFindings + end.digestFindings
        guard end.error?.code == .bodyDigestMismatch else { return }
        // A body with a wrong digest must not be continued.
        let isContinued = end.download?.file.isContinued ?? false
        end.download?.close(keeping: false)
        end.download = nil
        guard isContinued, responseContext.startsOverOnDigestMismatch,
            let mismatch = end.error?.digestMismatch
        else { return }
        end.error = nil
        end.startOver = .digestMismatch(mismatch)
    }
}
