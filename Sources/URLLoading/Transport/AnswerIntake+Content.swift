import FoundationEssentials

// What stands between an answer and the sink that its body goes to.
extension AnswerIntake {
    /// Has content codings undone on the way to a sink, where that is to be.
    func decoding(_ sink: any BodySink) -> any BodySink {
        guard let head, head.losesCodings, let codings = head.codings(handling.method) else {
            return sink
        }
        return DecodingSink(sink, codings, wakeSoon: wakeSoon)
    }

    /// Has a body taken apart on the way to a sink, where its parts replace one another.
    ///
    /// Throws `cannotParseResponse` where that cannot be done.
    func splitting(_ target: PartsSink.Target) throws(URLError) -> any BodySink {
        guard handling.splitsParts, let head, head.bodyLength(handling.method) != 0,
            let type = head.fields.first("Content-Type"), Self.mayHaveParts(type),
            MediaType(type).essence == "multipart/x-mixed-replace"
        else { return target.sink }
        return try PartsSink(target, type: type) { [client, id] in
            client.hop(id, didReceive: $0)
        }
    }

    /// The cheap half of the question, which answers it nearly always.
    private static func mayHaveParts(_ type: String) -> Bool {
        type.utf8.first.map { $0 | 0x20 == UInt8(ascii: "m") } ?? false
    }
}
