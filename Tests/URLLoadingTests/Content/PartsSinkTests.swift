import Testing

@testable import URLLoading

/// The delivery of a body's parts.
@Suite("Delivery of parts")
struct PartsSinkTests {
    /// Records the delivered parts, and holds each time.
    private final class Client {
        var batches: [[ReceivedPart]] = []
        var delivered: [String] = []
        let window = DeliveryWindow()

        func makeSink() throws -> PartsSink {
            let target = DeliveringSink(window) { [unowned self] data in
                delivered.append(String(decoding: data, as: UTF8.self))
            }
            return try PartsSink(.deliver(target), type: "multipart/x-mixed-replace; boundary=b") {
                [unowned self] parts in
                batches.append(parts)
                return .hold
            }
        }

        /// The bodies of the parts, grouped as they were delivered.
        var texts: [[String]] {
            batches.map { $0.map { String(decoding: $0.body, as: UTF8.self) } }
        }
    }

    private func part(_ number: Int) -> String { "--b\r\nX: \(number)\r\n\r\npart \(number)\r\n" }

    private func feed(_ text: String, to sink: PartsSink) throws -> SinkVerdict {
        try Array(text.utf8).withUnsafeBytes { try sink.take($0) }
    }

    @Test("T-11 parts that arrive together are delivered together, with one decision")
    func together() throws {
        let client = Client()
        let sink = try client.makeSink()
        #expect(try feed((1...1_000).map(part).joined(), to: sink) == .taken)
        #expect(client.texts == [(1...1_000).map { "part \($0)" }])
        #expect(client.batches.first?.last?.fields["X"] == "1000")
        #expect(!sink.isDrained)
        sink.decide(.deliver)
        #expect(try sink.flushPending() == .taken)
        #expect(sink.isDrained)
        // Later bytes of the last part are delivered as they arrive.
        #expect(try feed("more\r\n" + part(1_001), to: sink) == .taken)
        #expect(client.delivered == ["\r\nmore"])
        #expect(client.texts.last == ["part 1001"])
    }

    @Test("T-11 parts before a malformed one are delivered before the error")
    func broken() throws {
        let client = Client()
        let sink = try client.makeSink()
        let head = String(repeating: "X: y\r\n", count: PartHead.maximumFields + 2)
        #expect(try feed(part(1) + part(2) + "--b\r\n" + head, to: sink) == .taken)
        #expect(client.texts == [["part 1", "part 2"]])
        sink.decide(.deliver)
        #expect(throws: URLError.self) { try sink.flushPending() }
    }
}
