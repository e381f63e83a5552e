/// Which bytes of a hop have to have which digests.
struct HopDigests: Sendable, Equatable {
    /// Bytes from which on a file is read behind its writer, on another thread, and not on the
    /// transport's: below it, that costs more than it brings.
    static let leastFollowed: Int64 = 4 << 20

    /// Of the file, what was there before included.
    var ofFile: [DigestRequirement] = []
    /// Of the bytes as they are handed on.
    var ofBody: [DigestRequirement] = []
    /// Of the bytes as they come.
    var ofContent: [DigestRequirement] = []
    /// The fields that are to follow the body, and speak of it.
    var announced: [DigestSource] = []
    /// The fields that are to follow the body, and speak of the file of which it is a part.
    var announcedOfFile: [DigestSource] = []
    /// What could not be made use of.
    var fieldFindings: [DigestFinding] = []

    /// - Parameters:
    ///   - head: of the response; `nil` where it has none.
    ///   - context: what was known before.
    ///   - disposition: what becomes of the body.
    ///   - expected: what the caller wants it to be.
    init(
        _ head: HopHead?,
        _ context: borrowing ResponseContext,
        _ disposition: BodyDisposition,
        _ expected: ExpectedDigest?
    ) {
        // What these have is not the content of anything.
        guard context.method != "HEAD", head?.status != 304 else { return }
        if let expected { ofBody = [DigestRequirement(source: .caller, expected: expected)] }
        var isContinued = false
        if case .write(_, let continuation?) = disposition {
            isContinued = true
            ofFile = ofBody
            ofBody = []
            // There is no content, but that of a refusal.
            if case .nothing = continuation { return }
        }
        if context.checksDigestFields, let head, head.status != 204 {
            readFields(head, isContinued: isContinued)
        }
        if case .write(_, nil) = disposition { follow(head, context) }
    }

    /// `Repr-Digest` speaks of the whole, of which a 206 is a part.
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

    /// Has a large file looked at on another thread.
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
    /// Of a response that brings one of a file's parts, as others do.
    ///
    /// - Parameters:
    ///   - head: of the response.
    ///   - context: what was known before.
    init(ofPart head: HopHead, _ context: ResponseContext) {
        if context.checksDigestFields { readFields(head, isContinued: true) }
    }

    /// Has the file looked at once it is whole, since several responses bring it, in any order.
    ///
    /// - Parameter isContinued: whether this response's content is a part of it; that is looked at
    ///   as it comes, unless it is left before its end.
    mutating func leaveToFile(isContinued: Bool) {
        guard !isContinued else { return }
        ofFile += ofBody + ofContent
        (ofBody, ofContent) = ([], [])
        (announcedOfFile, announced) = (announced, [])
    }

    /// Reads what has come behind the body.
    ///
    /// - Returns: what follows from it for the bytes as they came.
    static func read(
        _ trailers: HTTPHeaderFields,
        _ announced: [DigestSource]
    ) -> (requirements: [DigestRequirement], fieldFindings: [DigestFinding]) {
        var digests = HopDigests()
        let requirements = announced.compactMap { digests.requirement($0, trailers) }
        return (requirements, digests.fieldFindings)
    }

    /// None are wanted.
    init() {}
}

extension URLError {
    /// The error of a body that has another digest than it was to have.
    package init(_ mismatch: DigestMismatch) {
        self.init(.bodyDigestMismatch, detail: "\(mismatch)")
        digestMismatch = mismatch
    }
}

extension [DigestFinding] {
    /// What a task fails with: the caller's own word goes first.
    var error: URLError? {
        lazy.compactMap { finding -> URLError? in
            if case .differs(let mismatch) = finding { URLError(mismatch) } else { nil }
        }.first
    }
}
