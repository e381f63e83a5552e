import Testing
import URLLoading

@testable import FetchCommand

/// Numbers whose texts have a maximum width.
@Suite struct CompactTextTests {
    @Test(
        arguments: [
            (0, "0s"), (59, "59s"), (60, "1m00s"), (3_599, "59m59s"), (3_600, "1h00m"),
            (86_399, "23h59m"), (86_400, "1d00h"), (8_639_999, "99d23h"), (8_640_000, nil),
            (-1, nil),
        ] as [(Int, String?)]
    )
    func times(_ seconds: Int, _ text: String?) {
        #expect(TimeText.short(.seconds(seconds)) == text)
        #expect((text ?? "").count <= TimeText.width)
    }

    @Test(arguments: [1e15, 9.3e18, 1e20])
    func timesThatFitIntoNoInteger(_ seconds: Double) {
        #expect(TimeText.short(.seconds(seconds)) == nil)
    }

    @Test(
        arguments: [
            (0, "0 B"), (-1, "0 B"), (999, "999 B"), (1_000, "1.0 KiB"), (1_024, "1.0 KiB"),
            (102_348, "99.9 KiB"), (102_400, "100 KiB"), (1_023_000, "999 KiB"),
            (1_023_999, "1.0 MiB"), (1 << 30, "1.0 GiB"), (.max, "8.0 EiB"),
        ] as [(Int64, String)]
    )
    func sizes(_ bytes: Int64, _ text: String) {
        #expect(ByteText.compact(bytes) == text)
        #expect(text.count <= ByteText.compactWidth)
    }

    @Test("no size needs more columns than its width")
    func everySizeFits() {
        var bytes = 1.0
        while bytes < 9e18 {
            #expect(ByteText.compact(Int64(bytes)).count <= ByteText.compactWidth, "\(bytes)")
            bytes *= 1.003
        }
    }

    @Test("numbers of any size have a text")
    func everyNumberHasWords() {
        #expect(ByteText.rate(.max, .zero) == "8.0 EiB/s")
        #expect(!ByteText.time(.seconds(Int64.max)).isEmpty)
        #expect(ByteText.size(.min).hasSuffix(" B"))
        let now = MonotonicInstant.now
        let reading = TaskProgress.Reading(
            phase: .receiving,
            since: now,
            count: .max,
            expected: .max
        )
        let line = LinePolicy(from: .min, at: now).text(reading, at: now)
        #expect(line.contains("100%"))
    }
}
