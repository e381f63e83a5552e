/// Parses a `multipart` body in pieces ([RFC 2046
/// §5.1.1](https://www.rfc-editor.org/rfc/rfc2046#section-5.1.1)).
///
/// Only the boundary ends a part, regardless of the part's `Content-Length`: servers that push pictures
/// miscount. The parser checks the length only if the body ends inside a part. Lines may end without CR. The
/// parser ignores bytes before the first boundary and after the last.
struct PartParser {
    /// A piece of the body.
    enum Piece: Equatable {
        /// The head of the next part.
        case head(HTTPHeaderFields)
        /// Bytes of the current part, as a range of ``PartParser/buffer``.
        case data(Range<Int>)
    }

    /// The most blanks after a boundary.
    private static let maximumPadding = 256

    /// The received bytes that the parser still needs.
    private(set) var buffer: [UInt8] = []
    private var position = 0
    private let delimiters: [[UInt8]]
    private var place = Place.preamble
    /// The bytes of the current part so far, and its stated length.
    private var partLength: Int64 = 0
    private var expectedLength: Int64?
    /// Whether `position` is at the beginning of a line.
    private var isAtLine = true

    private enum Place {
        case preamble
        case head
        case body
        case epilogue
    }

    /// The result of looking for a boundary at an offset.
    private enum Candidate {
        case none
        /// The parser needs more bytes to decide.
        case open
        /// A boundary; the body continues at this index.
        case boundary(Int, isLast: Bool)
    }

    init(boundary: String) {
        // Some servers that push pictures include the leading dashes in the parameter.
        let named = Array(boundary.utf8)
        let dashes = Array("--".utf8)
        delimiters = [dashes + named] + (named.starts(with: dashes) ? [named] : [])
    }

    mutating func feed(_ bytes: UnsafeRawBufferPointer) {
        buffer.removeSubrange(..<position)
        position = 0
        if place != .epilogue { buffer.append(contentsOf: bytes) }
    }

    /// The next piece; `nil`: the parser needs more bytes.
    mutating func next() throws(URLError) -> Piece? {
        while true {
            switch place {
            case .epilogue: return nil
            case .head:
                guard let (fields, end) = try PartHead.parse(buffer[position...]) else {
                    return nil
                }
                begin(.body, at: end)
                partLength = 0
                expectedLength = fields.contentLength
                return .head(fields)
            case .preamble, .body:
                let (end, candidate) = scan()
                let data = position..<end
                let isData = place == .body && !data.isEmpty
                if !data.isEmpty { isAtLine = false }
                partLength += Int64(data.count)
                position = end
                if case .boundary(let after, let isLast) = candidate {
                    begin(isLast ? .epilogue : .head, at: after)
                    if !isData { continue }
                }
                return isData ? .data(data) : nil
            }
        }
    }

    /// Ends the input, and returns the last bytes, which the parser kept because a boundary could have
    /// begun there.
    ///
    /// A body without a last boundary is complete: a server that pushes until the client leaves sends
    /// none. Throws where the body ends in a head, has no part, or the last part is shorter than its
    /// stated length.
    mutating func finish() throws(URLError) -> Range<Int>? {
        let rest = position..<buffer.count
        position = buffer.count
        switch place {
        case .epilogue: return nil
        case .head where rest.isEmpty: return nil
        case .head:
            throw URLError(.cannotParseResponse, detail: "the body ends in the header of a part")
        case .preamble where rest.isEmpty && isAtLine: return nil
        case .preamble where !isBoundary(rest):
            throw URLError(.cannotParseResponse, detail: "the boundary is not in the body")
        case .preamble: return nil
        case .body where isBoundary(rest): return nil
        case .body:
            guard partLength + Int64(rest.count) >= expectedLength ?? 0 else {
                throw URLError(
                    .networkConnectionLost,
                    detail: "the body ends in the middle of a part"
                )
            }
            return rest.isEmpty ? nil : rest
        }
    }

    private mutating func begin(_ place: Place, at position: Int) {
        self.place = place
        self.position = position
        isAtLine = true
    }

    /// Whether the buffered bytes begin with a boundary.
    private func isBoundary(_ rest: Range<Int>) -> Bool {
        let line = buffer[rest].drop(while: \.isLineEnd)
        return delimiters.contains { line.starts(with: $0) }
    }

    /// Searches for a boundary; `end` is that of the bytes that certainly belong to none.
    private func scan() -> (end: Int, Candidate) {
        if isAtLine {
            let candidate = candidate(at: position)
            guard case .none = candidate else { return (position, candidate) }
        }
        var start = position
        while let feed = buffer[start...].firstIndex(of: 0x0A) {
            let candidate = candidate(at: feed + 1)
            if case .none = candidate {
                start = feed + 1
                continue
            }
            let hasReturn = feed > position && buffer[feed - 1] == 0x0D
            return (hasReturn ? feed - 1 : feed, candidate)
        }
        let endsWithReturn = buffer.count > start && buffer.last == 0x0D
        return (endsWithReturn ? buffer.count - 1 : buffer.count, .none)
    }

    private func candidate(at start: Int) -> Candidate {
        var isOpen = false
        for delimiter in delimiters {
            let line = buffer[start...].prefix(delimiter.count)
            guard delimiter.starts(with: line) else { continue }
            guard line.count == delimiter.count else {
                isOpen = true
                continue
            }
            switch rest(at: start + delimiter.count) {
            case .none: continue
            case .open: isOpen = true
            case .boundary(let after, let isLast): return .boundary(after, isLast: isLast)
            }
        }
        return isOpen ? .open : .none
    }

    /// Checks the rest of a line that begins with a boundary.
    private func rest(at start: Int) -> Candidate {
        let rest = buffer[start...].prefix(Self.maximumPadding)
        if rest.count == 1, rest.first == UInt8(ascii: "-") { return .open }
        let isLast = rest.starts(with: "--".utf8)
        let end = rest.dropFirst(isLast ? 2 : 0).drop { $0 == 0x20 || $0 == 0x09 }
        if end.first == 0x0A { return .boundary(end.startIndex + 1, isLast: isLast) }
        if end.starts(with: [0x0D, 0x0A]) { return .boundary(end.startIndex + 2, isLast: isLast) }
        let mayContinue =
            rest.count < Self.maximumPadding
            && (end.isEmpty || (end.count == 1 && end.first == 0x0D))
        return mayContinue ? .open : .none
    }
}
