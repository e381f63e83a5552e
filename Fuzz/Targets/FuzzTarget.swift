/// A reader of text or bytes that a stranger, or a damaged file, may have written.
struct FuzzTarget: Sendable {
    /// The name on the command line, and of its folder in `Fuzz/Seeds`.
    let name: String
    /// Reads one input; ends the process where the reader breaks a promise.
    let run: @Sendable (FuzzInput) -> Void

    init(_ name: String, _ run: @escaping @Sendable (FuzzInput) -> Void) {
        self.name = name
        self.run = run
    }

    /// All targets; a new one is added to the list of its file.
    static let all: [FuzzTarget] =
        names + fields + authentication + cookies + caching + digests + bodies + downloads
        + background + addresses + command
}

/// One input of libFuzzer's.
struct FuzzInput {
    let bytes: [UInt8]

    /// The bytes as the library takes a header's value: UTF-8, or else Latin-1.
    var text: String { Self.text(bytes[...]) }

    /// The bytes between line ends, each as ``text``.
    var lines: [String] {
        bytes.split(separator: 0x0A, omittingEmptySubsequences: false).map(Self.text)
    }

    /// The first byte, for a choice between forms, and what follows it.
    var choice: (UInt8, rest: FuzzInput) {
        (bytes.first ?? 0, FuzzInput(bytes: Array(bytes.dropFirst())))
    }

    private static func text(_ bytes: ArraySlice<UInt8>) -> String {
        String(validating: bytes, as: UTF8.self)
            ?? String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
    }

    /// The bytes in pieces whose lengths come from the bytes themselves.
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

/// Ends the process where a promise does not hold; libFuzzer keeps the input.
func check(_ holds: Bool, _ promise: @autoclosure () -> String) {
    guard !holds else { return }
    fatalError("broken promise: \(promise())")
}

extension String {
    /// Whether both have the same bytes; `==` takes canonically equivalent texts for the same.
    func isSame(as other: some StringProtocol) -> Bool { utf8.elementsEqual(other.utf8) }
}
