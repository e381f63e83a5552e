import Testing

@testable import URLLoading

@Suite("Delivery window")
struct DeliveryWindowTests {
    @Test("a full window blocks, and opens once when the reader has taken half")
    func blocks() {
        let window = DeliveryWindow()
        let quarter = DeliveryWindow.limit / 4
        for _ in 0..<4 {
            #expect(window.hasRoom())
            window.deliver(quarter)
        }
        #expect(!window.hasRoom())
        #expect(!window.consume(quarter))
        #expect(window.consume(quarter))
        #expect(!window.consume(quarter))
        #expect(window.hasRoom())
    }

    @Test("a window that was never full wakes no transfer")
    func quiet() {
        let window = DeliveryWindow()
        window.deliver(10)
        #expect(!window.consume(10))
        #expect(window.hasRoom())
    }
}
