/// What `Content-Encoding` says of a body, in the order in which it was done
/// ([RFC 9110 §8.4](https://www.rfc-editor.org/rfc/rfc9110#section-8.4)).
struct ContentCodings: Sendable, Equatable {
    /// No server that means well does more; each wants a window of its own.
    static let most = 3

    let names: [String]

    /// - Parameter fields: the answer's; `nil` comes of those that name no coding.
    init?(_ fields: HTTPHeaderFields) {
        guard let text = fields["Content-Encoding"] else { return nil }
        let names = text.split(byte: UInt8(ascii: ","))
            .map { HTTPSyntax.trimmed($0).asciiLowercased }
            // `identity` has no business here, and `none` is a custom of some servers.
            .filter { !["", "identity", "none"].contains($0) }
        guard !names.isEmpty else { return nil }
        self.names = names
    }

    /// What undoes them, the last of it first.
    ///
    /// - Returns: the stage from which the body comes.
    /// - Throws: `cannotDecodeRawData` where one is unknown, or there are too many.
    func makeStages() throws(URLError) -> (first: DecodingStage, last: DecodingStage) {
        guard names.count <= Self.most, let outermost = names.last else {
            let words = "\(names.count) content codings are done to the body, one after another"
            throw URLError(.cannotDecodeRawData, detail: words)
        }
        let first = try DecodingStage(Self.coding(outermost), after: nil)
        var last = first
        for name in names.dropLast().reversed() {
            last = try DecodingStage(Self.coding(name), after: last)
        }
        return (first, last)
    }

    private static func coding(_ name: String) throws(URLError) -> ContentCoding {
        if let coding = ContentCoding(name: name) { return coding }
        let known = ContentCoding.allCases.map(\.rawValue).joined(separator: ", ")
        throw URLError(
            .cannotDecodeRawData,
            detail: "the body is coded as \"\(name)\", and what can be undone is \(known)"
        )
    }
}
