import TestSupport
import Testing

@testable import URLLoading

@Suite("Content decoding under pressure", .timeLimit(.minutes(1)))
struct DecodingPressureTests {
    /// 64 MiB of zeros, which take at most 80 KiB encoded.
    private static let bomb = Array(repeating: UInt8(0), count: 64 << 20)

    @Test(
        "a full sink delays the rest, and receives every byte in the end",
        arguments: [Coder.gzip, .br, .zstd]
    )
    func backPressure(coder: Coder) throws {
        let text = Coder.text(100_000)
        let coded = coder.code(text)
        let decoding = try #require(Decoding(coder.name))
        decoding.probe.room = 100_000
        #expect(try decoding.take(coded) == .taken)
        #expect(!decoding.isDrained)
        // The decoder keeps unread input, so it takes no more of it.
        #expect(try decoding.take([1]) == .full)
        #expect(decoding.probe.data.count < 200_000)
        while !decoding.isDrained {
            let before = decoding.probe.data.count
            decoding.probe.room = 300_000
            try decoding.flushPending()
            #expect(decoding.probe.data.count > before)
            #expect(decoding.probe.data.count - before < 400_000)
        }
        #expect(decoding.finish() == nil)
        #expect(isSameBytes(decoding.probe.data, text))
        #expect(decoding.probe.largestPiece <= 64 << 10)
    }

    @Test(
        "a decompression bomb is decoded in pieces, between which other transfers run",
        arguments: [Coder.gzip, .br, .zstd]
    )
    func pieces(coder: Coder) throws {
        let coded = coder.code(Self.bomb)
        #expect(coded.count < 80 << 10)
        let probe = SinkProbe()
        var fields = HTTPHeaderFields()
        fields["Content-Encoding"] = coder.name
        var wakes = 0
        let sink = DecodingSink(probe, try #require(ContentCodings(fields))) { wakes += 1 }
        _ = try coded.withUnsafeBytes { try sink.take($0) }
        var most = probe.data.count
        while !sink.isDrained {
            let before = (count: probe.data.count, wakes: wakes)
            _ = try sink.flushPending()
            most = max(most, probe.data.count - before.count)
        }
        #expect(most <= 3 << 20)
        #expect(wakes >= 20)
        #expect(probe.data.count == Self.bomb.count)
        let end = HopEnd()
        try sink.finish(end)
        #expect(end.error == nil)
    }

    @Test("a nested decompression bomb without content is decoded in pieces too")
    func nested() throws {
        // An empty member has 20 bytes, and many of them compress well.
        let none = Coder.gzip.code([])
        var many = none
        while many.count < 20_000_000 { many += many }
        let coded = Coder.gzip.code(many)
        let decoding = try #require(Decoding("gzip, gzip"))
        _ = try decoding.take(coded)
        #expect(decoding.wakes >= 8)
        #expect(decoding.isDrained)
        #expect(decoding.finish() == nil)
        #expect(decoding.probe.data.isEmpty)
    }
}
