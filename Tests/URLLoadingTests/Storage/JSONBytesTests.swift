import FoundationEssentials
import Testing

@testable import URLLoading

@Suite("JSON in bytes")
struct JSONBytesTests {
    private struct Inner: Codable, Equatable {
        var texts: [[String]] = []
        var data: Data?
        var chain: [Data]?
    }

    private enum Choice: Codable, Equatable {
        case none
        case one(Int)
        case two(text: String, inner: Inner?)
    }

    private struct Outer: Codable, Equatable {
        var text = ""
        var flag = true
        var count: UInt64 = .max
        var least: Int64 = .min
        var small: Int8 = -1
        var share: Float = 0.5
        var time = 1.25e-7
        var nothing: Int?
        var inner = Inner()
        var choices: [Choice] = []
        var byName: [String: Inner] = [:]
        var flags: [Bool?] = []
    }

    private func check(_ value: Outer) throws {
        let bytes = try JSONBytes.encode(value)
        #expect(try JSONDecoder().decode(Outer.self, from: Data(bytes)) == value)
        #expect(!bytes.contains(UInt8(ascii: "\n")))
    }

    @Test("a decoded value equals the encoded one, whatever its content")
    func roundTrip() throws {
        try check(Outer())
        var value = Outer()
        value.inner = Inner(
            texts: [[], ["a"], ["b", ""]],
            data: Data([0, 255]),
            chain: [Data(), Data([1])]
        )
        value.choices = [
            .none, .one(-7), .two(text: "x", inner: nil), .two(text: "", inner: value.inner), .none,
        ]
        value.byName = ["": Inner(), "a \" b": value.inner]
        value.flags = [true, nil, false]
        try check(value)
    }

    @Test("the encoder escapes the characters that JSON escapes, and no others")
    func texts() throws {
        var value = Outer()
        let scalars = (0..<0x300).compactMap { Unicode.Scalar($0) }
        value.text = String(String.UnicodeScalarView(scalars)) + "\u{2028}😀/"
        try check(value)
        #expect(
            try JSONBytes.encode("a\"\\\u{1}\n\u{7F}é/") == Array(#""a\"\\\u0001\u000a"#.utf8)
                + Array("\u{7F}é/\"".utf8)
        )
    }

    @Test("the encoder writes members in declaration order, without those that are nil")
    func order() throws {
        let text = String(decoding: try JSONBytes.encode(Outer()), as: UTF8.self)
        #expect(
            text
                == #"{"text":"","flag":true,"count":18446744073709551615,"least":-9223372036854775808,"#
                + #""small":-1,"share":0.5,"time":1.25e-07,"inner":{"texts":[]},"choices":[],"#
                + #""byName":{},"flags":[]}"#
        )
    }

    @Test("the encoder encodes the next value after a failure")
    func numbers() throws {
        let encoder = JSONBytes()
        #expect(throws: EncodingError.self) { try encoder.encode([1, Double.nan]) }
        #expect(try encoder.encode([1, 2]) == Array("[1,2]".utf8))
        #expect(try encoder.encode([Int]()) == Array("[]".utf8))
    }
}
