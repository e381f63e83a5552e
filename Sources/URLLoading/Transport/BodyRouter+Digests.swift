import Synchronization

// Digests that a body must have.
extension BodyRouter {
    /// Has the digests of a body made on its way to a sink, before or after its codings are undone.
    ///
    /// It does so where the caller or the server has said what they must be.
    func checked(_ sink: any BodySink) throws(URLError) -> any BodySink {
        let content = digests.ofContent
        let announced = digests.announced
        guard head?.losesCodings == true else {
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

    /// Has a file that comes in several responses compared once it is whole.
    func leaveDigests(to download: Download, isContinued: Bool) {
        digests.leaveToFile(isContinued: isContinued)
        download.require(digests.ofFile)
    }

    /// Has a file compared with what the response that brings one of its parts says of the whole.
    func addDigests(to download: Download) {
        guard let head else { return }
        digests = HopDigests(ofPart: head, responseContext)
        download.require(digests.ofFile)
    }

    /// Reads the fields behind the body that cover the file of which it is a part.
    func readTrailers(_ end: inout HopEnd) {
        guard end.error == nil, !digests.announcedOfFile.isEmpty, let download,
            let late = end.trailers.map({ HopDigests.read($0, digests.announcedOfFile) })
        else { return }
        end.digestFindings += late.fieldFindings
        download.require(late.requirements)
    }

    /// Looks at an end that a digest has made a bad one.
    func settleDigests(_ end: inout HopEnd) {
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
