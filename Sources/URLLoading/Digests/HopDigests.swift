/// The expected digests of a hop's bytes.
struct HopDigests: Sendable, Equatable {
    /// The file size in bytes from which another thread hashes a file while the task writes it.
    ///
    /// For smaller files that costs more than it saves.
    static let minimumFollowed: Int64 = 4 << 20

    /// Digests of the whole file, including the bytes of an earlier partial file.
    var ofFile: [DigestRequirement] = []
    /// Digests of the delivered bytes.
    var ofBody: [DigestRequirement] = []
    /// Digests of the received bytes.
    var ofContent: [DigestRequirement] = []
    /// Trailer fields that were announced, with digests of the body.
    var announced: [DigestSource] = []
    /// Trailer fields that were announced, with digests of the file that this response is a part of.
    var announcedOfFile: [DigestSource] = []
    /// Findings about unusable fields.
    var fieldFindings: [DigestFinding] = []

    /// - Parameters:
    ///   - head: the head of the response; `nil`: none.
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
            // Without a rest to send, a response has no content, except an error.
            if case .nothing = continuation { return }
        }
        if context.checksDigestFields, let head, head.status != 204 {
            readFields(head, isContinued: isContinued)
        }
        if case .write(_, nil) = disposition { follow(head, context) }
    }

    /// Parses the digest fields; `Repr-Digest` covers the whole file, also in a partial response (206).
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
        case .flawed(let why):
            fieldFindings.append(.unusable(source, why))
            return nil
        }
    }

    /// Lets another thread hash a large file.
    private mutating func follow(_ head: HopHead?, _ context: borrowing ResponseContext) {
        guard !ofBody.isEmpty || !ofContent.isEmpty else { return }
        let isDecoded = head?.isDecoded == true
        let length = isDecoded ? nil : head?.bodyLength(context.method)
        guard length ?? .max >= Self.minimumFollowed else { return }
        ofFile = ofBody
        ofBody = []
        if !isDecoded {
            ofFile += ofContent
            ofContent = []
        }
    }
}

extension HopDigests {
    /// The digests in the response of a hop that requested a range.
    ///
    /// - Parameters:
    ///   - head: the head of the response.
    ///   - context: the context of the response.
    init(ofPart head: HopHead, _ context: ResponseContext) {
        if context.checksDigestFields { readFields(head, isContinued: true) }
    }

    /// Verifies the complete file instead of this response, because several responses contain it, in any
    /// order.
    ///
    /// - Parameter isContinued: whether this response contains only a part of the file; the part is
    ///   hashed while it arrives.
    mutating func leaveToFile(isContinued: Bool) {
        guard !isContinued else { return }
        ofFile += ofBody + ofContent
        (ofBody, ofContent) = ([], [])
        (announcedOfFile, announced) = (announced, [])
    }

    /// Parses announced trailer fields.
    ///
    /// - Returns: the required digests, and findings about unusable fields.
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
    /// The error of a body whose digest differs from the expected one.
    package init(_ mismatch: DigestMismatch) {
        self.init(.bodyDigestMismatch, detail: "\(mismatch)")
        digestMismatch = mismatch
    }
}

extension [DigestFinding] {
    /// The error for the task; the digest that the caller expects has precedence.
    var error: URLError? {
        lazy.compactMap { finding -> URLError? in
            if case .differs(let mismatch) = finding { URLError(mismatch) } else { nil }
        }.first
    }
}
