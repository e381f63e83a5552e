import Testing

@testable import URLLoading

@Suite("A body's size limit")
struct LimitedSinkTests {
    @Test("a client that is slow receives all bytes below the limit before the error")
    func slowClient() throws {
        let window = DeliveryWindow()
        var received: [UInt8] = []
        var room = 2
        let sink = LimitedSink(
            InPlaceSink(window) { bytes in
                let taken = bytes.prefix(room)
                room -= taken.count
                received += taken
                return taken.count
            },
            limit: 5
        )
        #expect(try [UInt8](1...8).withUnsafeBytes { try sink.take($0) } == .taken)
        #expect(!sink.isDrained)
        #expect(try sink.flushPending() == .full)
        // The transfer pauses instead of receiving what is discarded anyway.
        #expect(try [UInt8](9...12).withUnsafeBytes { try sink.take($0) } == .full)
        #expect(received == [1, 2])
        room = 3
        #expect(window.consume(DeliveryWindow.limit))
        let error = #expect(throws: URLError.self) { try sink.flushPending() }
        #expect(error?.code == .dataLengthExceedsMaximum)
        #expect(received == [1, 2, 3, 4, 5])
    }
}
