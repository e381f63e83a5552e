/// The expected digests of a hop's bytes.
struct HopDigests: Sendable, Equatable {
    /// The size, bytes, from which a file is hashed on another thread while it is written.
    ///
    /// For smaller ones that costs more than it saves.
    static let leastFollowed: Int64 = 4 << 20

    /// Of the whole file, with the bytes of an earlier part.
    var ofFile: [DigestRequirement] = []
    /// Of the delivered bytes.
    var ofBody: [DigestRequirement] = []
    /// Of the received bytes.
    var ofContent: [DigestRequirement] = []
    /// The fields that will follow the body, and cover it.
    var announced: [DigestSource] = []
    /// The fields that will follow the body, and cover the file of which it is a part.
    var announcedOfFile: [DigestSource] = []
    /// The findings for fields that could not be used.
    var fieldFindings: [DigestFinding] = []

    /// - Parameters:
    ///   - head: of the response; `nil` where it has none.
    ///   - context: the context of the response.
    ///   - disposition: the body's disposition.
    ///   - expected: the caller's expected digest.
    init(
        _ head: HopHead?,
        _ context: borrowing ResponseContext,
        _ disposition: BodyDisposition,
        _ expected: ExpectedDigest?
    ) {
        // These responses have no content.
        guard context.method != "HEAD", head?.status != 304 else { return }
        if let expected { ofBody = [DigestRequirement(source: .caller, expected: expected)] }
        var isContinued = false
        if case .write(_, let continuation?) = disposition {
            isContinued = true
            ofFile = ofBody
            ofBody = []
            // There is no content, except that of a refusal.
            if case .nothing = continuation { return }
        }
        if context.checksDigestFields, let head, head.status != 204 {
            readFields(head, isContinued: isContinued)
        }
        if case .write(_, nil) = disposition { follow(head, context) }
    }

    /// `Repr-Digest` covers the whole, of which a 206 is a part.
    private mutating func readFields(_ head: HopHead, isContinued: Bool) {
        let isPart = head.status == 206
        if let requirement = requirement(.contentDigest, head.fields) {
            ofContent.append(requirement)
        }
        if !isPart || isContinued, let requirement = requirement(.reprDigest, head.fields) {
            if isPart { ofFile.append(requirement) } else { ofContent.append(requirement) }
        }
        guard let names = head.fields["Trailer"] else { return }
        for name in names.split(byte: UInt8(ascii: ",")) {
            let name = HTTPSyntax.trimmed(name)
            for source in [DigestSource.contentDigest, .reprDigest]
            where HTTPHeaderFields.areSame(String(name), source.rawValue) {
                if !isPart || source == .contentDigest {
                    announced.append(source)
                } else if isContinued {
                    announcedOfFile.append(source)
                }
            }
        }
    }

    private mutating func requirement(
        _ source: DigestSource,
        _ fields: HTTPHeaderFields
    ) -> DigestRequirement? {
        guard let text = fields[source.rawValue] else { return nil }
        switch DigestField.read(text) {
        case .nothing: return nil
        case .digest(let digest):
            return DigestRequirement(source: source, expected: ExpectedDigest(digest))
        case .malformed(let why):
            fieldFindings.append(.unusable(source, why))
            return nil
        }
    }

    /// Lets another thread hash a large file.
    private mutating func follow(_ head: HopHead?, _ context: ResponseContext) {
        let isDecoded = head?.losesCodings == true
        let length = isDecoded ? nil : head?.bodyLength(context.method)
        guard length ?? .max >= Self.leastFollowed else { return }
        ofFile = ofBody
        ofBody = []
        if !isDecoded {
            ofFile += ofContent
            ofContent = []
        }
    }
}

extension HopDigests {
    /// The digests of a range hop's response.
    ///
    /// - Parameters:
    ///   - head: of the response.
    ///   - context: the context of the response.
    init(ofPart head: HopHead, _ context: ResponseContext) {
        if context.checksDigestFields { readFields(head, isContinued: true) }
    }

    /// Verifies the file when it is complete, because several responses bring it, in any order.
    ///
    /// - Parameter isContinued: whether this response's content is a part of it, which is hashed while it
    ///   arrives, unless the response is abandoned.
    mutating func leaveToFile(isContinued: Bool) {
        guard !isContinued else { return }
        ofFile += ofBody + ofContent
        (ofBody, ofContent) = ([], [])
        (announcedOfFile, announced) = (announced, [])
    }

    /// Reads the fields behind the body.
    ///
    /// - Returns: the findings for the received bytes.
    static func read(
        _ trailers: HTTPHeaderFields,
        _ announced: [DigestSource]
    ) -> (requirements: [DigestRequirement], fieldFindings: [DigestFinding]) {
        var digests = HopDigests()
        let requirements = announced.compactMap { digests.requirement($0, trailers) }
        return (requirements, digests.fieldFindings)
    }

    /// No digests.
    init() {}
}

extension URLError {
    /// The error of a body with another digest than expected.
    package init(_ mismatch: DigestMismatch) {
        self.init(.bodyDigestMismatch, detail: "\(mismatch)")
        digestMismatch = mismatch
    }
}

extension [DigestFinding] {
    /// The error of the task; the caller's expected digest has precedence.
    var error: URLError? {
        lazy.compactMap { finding -> URLError? in
            if case .differs(let mismatch) = finding { URLError(mismatch) } else { nil }
        }.first
    }
}
