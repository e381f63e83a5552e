import FoundationEssentials
import TestSupport
import Testing

@testable import URLLoading

@Suite("Bodies as text", .timeLimit(.minutes(1)))
struct BodyTextTests {
    private func bytes(_ body: [UInt8]) async throws -> URLSession.AsyncBytes {
        let session = try URLSession.testing()
        defer { session.finishTasksAndInvalidate() }
        let address = "data:;base64,\(Data(body).base64EncodedString())"
        return try await session.bytes(from: url(address)).0
    }

    @Test(
        "lines end as Foundation's do, without the empty ones",
        arguments: [
            ("", []), ("\n", []), ("a", ["a"]), ("a\n", ["a"]), ("a\nb", ["a", "b"]),
            ("a\r\nb\rc\n\r\n\nd", ["a", "b", "c", "d"]),
            ("a\u{0B}b\u{0C}c\u{85}d\u{2028}e\u{2029}f", ["a", "b", "c", "d", "e", "f"]),
            ("é\u{2027}…\n\u{A8}", ["é\u{2027}…", "\u{A8}"]), ("\u{FEFF}a\r", ["\u{FEFF}a"]),
        ] as [(String, [String])]
    )
    func lines(text: String, expected: [String]) async throws {
        var lines: [String] = []
        for try await line in try await bytes(Array(text.utf8)).lines { lines.append(line) }
        #expect(lines == expected)
    }

    @Test("the reader repairs a line that is no UTF-8, and ends it at its own end")
    func broken() async throws {
        var lines: [String] = []
        let body: [UInt8] = [0xC2, 0x0A, 0xE2, 0x80, 0x0A, 0x85, 0x41]
        for try await line in try await bytes(body).lines { lines.append(line) }
        #expect(lines == ["\u{FFFD}", "\u{FFFD}", "\u{FFFD}A"])
    }

    @Test(
        "scalars and characters are those of the whole text",
        arguments: [
            Array("Grüße, 🇩🇪 e\u{301} 👩‍👩‍👧\r\n€".utf8), [], [0x41], [0xFF], [0xC3], [0xE2, 0x82],
            [0xF0, 0x9F, 0x41, 0x42, 0x43], [0xC0, 0x80, 0x41], [0xED, 0xA0, 0x80, 0x41],
            [0xF4, 0x90, 0x80, 0x80], [0xF0, 0x90, 0xC3, 0x41], [0xE0, 0x9F, 0xF0, 0x90, 0x80],
            [0xF0, 0x9F, 0x98], [0xE2, 0x28, 0xA1, 0xE2, 0x82, 0xAC],
        ] as [[UInt8]]
    )
    func scalars(body: [UInt8]) async throws {
        let whole = String(decoding: body, as: UTF8.self)
        var scalars = ""
        for try await scalar in try await bytes(body).unicodeScalars {
            scalars.unicodeScalars.append(scalar)
        }
        #expect(Array(scalars.utf8) == Array(whole.utf8))
        var characters: [Character] = []
        for try await character in try await bytes(body).characters {
            characters.append(character)
        }
        #expect(characters == Array(whole))
    }

    @Test("a character of very many scalars arrives in pieces")
    func longCharacter() async throws {
        let text = "a" + String(repeating: "\u{301}", count: 2_500) + "b"
        var scalars = ""
        var count = 0
        for try await character in try await bytes(Array(text.utf8)).characters {
            scalars.unicodeScalars.append(contentsOf: character.unicodeScalars)
            count += 1
        }
        #expect(Array(scalars.utf8) == Array(text.utf8))
        #expect(count == 4)
    }
}
