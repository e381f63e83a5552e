import Synchronization

// Digests that a body must have.
extension AnswerIntake {
    /// Has the digests of a body made on its way to a sink, before or after its codings are undone,
    /// where anybody has said what they must be.
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

    /// What reads a file behind its writer, where its digest is wanted.
    func follower(of file: PartFile, from offset: Int64 = 0) throws(URLError) -> FileFollower? {
        digestedFile = file
        guard !digests.ofFile.isEmpty else { return nil }
        file.requirements.withLock { $0 = digests.ofFile }
        let digest = try FileDigest(
            file.openForReading(),
            file.path,
            digests.ofFile.algorithms
        )
        digest.advance(to: offset)
        return FileFollower(digest: digest, requirements: digests.ofFile)
    }

    /// Has a file that comes in several answers compared once it is whole.
    func leaveDigests(to file: PartFile, isContinued: Bool) {
        digests.leaveToFile(isContinued: isContinued)
        digestedFile = file
        file.requirements.withLock { $0 = digests.ofFile }
    }

    /// Has a file compared with what the answer that brings one of its parts says of the whole.
    func addDigests(to file: PartFile) {
        guard let head else { return }
        digests = HopDigests(ofPart: head, handling)
        digestedFile = file
        require(digests.ofFile, of: file)
    }

    private func require(_ requirements: [DigestRequirement], of file: PartFile) {
        file.requirements.withLock { known in
            known += requirements.filter { !known.contains($0) }
        }
    }

    /// Reads what has come behind the body, and speaks of the file of which that is a part.
    func readTrailers(_ end: inout HopEnd) {
        guard end.error == nil, !digests.announcedOfFile.isEmpty, let file = digestedFile,
            let late = end.trailers.map({ HopDigests.read($0, digests.announcedOfFile) })
        else { return }
        end.digestFindings += late.flaws
        guard !late.requirements.isEmpty else { return }
        require(late.requirements, of: file)
        // Whoever has read it so far may not have made this digest: it is read once more.
        end.fileCheck?.digest.stop()
        end.fileCheck = nil
    }

    /// Looks at an end that a digest has made a bad one.
    func settleDigests(_ end: inout HopEnd) {
        end.digestFindings = digests.flaws + end.digestFindings
        guard end.error?.code == .bodyDigestMismatch else { return }
        // Whatever is wrong with it is not to be gone on with.
        let isContinued = end.file?.file.isContinued ?? false
        end.file?.file.close(keeping: false)
        end.file = nil
        guard isContinued, handling.startsOverOnDigestMismatch,
            let mismatch = end.error?.digestMismatch
        else { return }
        end.error = nil
        end.startOver = .digestMismatch(mismatch)
    }
}
