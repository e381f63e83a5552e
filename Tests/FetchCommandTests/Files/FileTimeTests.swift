import Testing
import URLLoading

@testable import FetchCommand

@Suite struct FileTimeTests {
    @Test(arguments: [
        (0, "Thu, 01 Jan 1970 00:00:00 GMT"), (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"),
        (951_782_399, "Mon, 28 Feb 2000 23:59:59 GMT"),
        (951_782_400, "Tue, 29 Feb 2000 00:00:00 GMT"),
        (1_798_675_199, "Wed, 30 Dec 2026 23:59:59 GMT"),
        (253_402_300_799, "Fri, 31 Dec 9999 23:59:59 GMT"),
    ])
    func knownTimes(_ seconds: Int, _ text: String) {
        #expect(FileTime.text(seconds) == text)
    }

    @Test func whatIsWrittenIsReadBack() {
        for day in stride(from: 0, to: 200_000, by: 13) {
            let seconds = day * 86_400 + (day * 7_919) % 86_400
            let text = FileTime.text(seconds)
            #expect(text.flatMap { HTTPDate.seconds($0) } == seconds, "\(text ?? "")")
        }
    }

    @Test(arguments: [-1, 253_402_300_800, .min, .max])
    func otherTimesHaveNoWords(_ seconds: Int) {
        #expect(FileTime.text(seconds) == nil)
    }
}
