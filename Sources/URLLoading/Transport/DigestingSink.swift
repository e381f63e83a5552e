/// Makes the digests of a body on its way to another sink, and fails where they are not those that
/// they were to be.
///
/// Nobody makes one where nobody asks: hashing costs as much as all else that is done with a byte.
final class DigestingSink: WitnessingSink {
    let sink: any BodySink
    private let requirements: [DigestRequirement]
    private let announced: [DigestSource]
    private let digests: RunningDigests
    var isCutShort = false

    /// - Parameters:
    ///   - sink: who takes the body.
    ///   - requirements: what it has to come to.
    ///   - announced: fields with digests that follow it.
    /// - Throws: `bodyDigestMismatch` where the function is not allowed.
    init(
        _ sink: any BodySink,
        _ requirements: [DigestRequirement],
        announced: [DigestSource] = []
    ) throws(URLError) {
        self.sink = sink
        self.requirements = requirements
        self.announced = announced
        // Which function a trailer is going to name nobody knows before.
        let possible: Set<BodyDigest.Algorithm> = announced.isEmpty ? [] : [.sha256, .sha512]
        digests = try RunningDigests(requirements.algorithms.union(possible))
    }

    func note(_ bytes: UnsafeRawBufferPointer) { digests.update(bytes) }

    func finish(_ end: inout HopEnd) throws(URLError) {
        try sink.finish(&end)
        guard end.error == nil, !isCutShort else { return }
        let late = end.trailers.map { HopDigests.read($0, announced) }
        let made = digests.finish()
        let findings = (requirements + (late?.requirements ?? [])).findings(in: made)
        end.digestFindings += (late?.flaws ?? []) + findings
        end.error = findings.error
    }
}
