/// A parser of text or bytes that may be hostile or damaged.
struct FuzzTarget: Sendable {
    /// The name on the command line, and of the folder in `Fuzz/Seeds`.
    let name: String
    /// Parses one input, and ends the process if the parser violates an invariant.
    let run: @Sendable (FuzzInput) -> Void

    init(_ name: String, _ run: @escaping @Sendable (FuzzInput) -> Void) {
        self.name = name
        self.run = run
    }

    /// All targets; add a new one to the list in the file of its subject.
    static let all: [FuzzTarget] = [
        names, fields, authentication, cookies, caching, digests, bodies, downloads, background,
        addresses, command,
    ].flatMap(\.self)
}

/// One input from libFuzzer.
struct FuzzInput {
    let bytes: [UInt8]

    /// The bytes decoded as the library decodes a field value: UTF-8, or else Latin-1.
    var text: String { Self.text(bytes[...]) }

    /// The lines of the input, each decoded as ``text``.
    var lines: [String] {
        bytes.split(separator: 0x0A, omittingEmptySubsequences: false).map(Self.text)
    }

    /// The first byte, which selects a variant, and the remaining bytes.
    var choice: (UInt8, rest: FuzzInput) {
        (bytes.first ?? 0, FuzzInput(bytes: Array(bytes.dropFirst())))
    }

    private static func text(_ bytes: ArraySlice<UInt8>) -> String {
        String(validating: bytes, as: UTF8.self)
            ?? String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
    }

    /// The bytes in pieces, whose lengths are derived from the bytes.
    var pieces: [ArraySlice<UInt8>] {
        var pieces: [ArraySlice<UInt8>] = []
        var rest = bytes[...]
        var length = 1 + bytes.count % 7
        while !rest.isEmpty {
            let piece = rest.prefix(length)
            pieces.append(piece)
            rest = rest.dropFirst(piece.count)
            length = 1 + Int(piece[piece.startIndex]) % 61
        }
        return pieces
    }
}

/// Ends the process if an invariant is violated; libFuzzer then saves the input.
func check(_ holds: Bool, _ promise: @autoclosure () -> String) {
    guard !holds else { return }
    fatalError("broken promise: \(promise())")
}

extension String {
    /// Whether both have the same bytes; `==` treats canonically equivalent texts as equal.
    func isSame(as other: some StringProtocol) -> Bool { utf8.elementsEqual(other.utf8) }
}
