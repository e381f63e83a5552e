// The text of a body as it arrives. It replaces invalid UTF-8, as `String(decoding:as:)` does.
extension URLSession.AsyncBytes {
    /// The lines of the body, without their ends, as Foundation's `AsyncLineSequence` has them.
    ///
    /// A line ends with LF, VT, FF, CR, CR LF, U+0085, U+2028 or U+2029, or with the body. It omits empty
    /// lines, like Foundation. It buffers a line in memory, however long it is.
    public var lines: Lines { Lines(bytes: self) }

    /// The body's Unicode scalars; invalid UTF-8 becomes U+FFFD.
    public var unicodeScalars: UnicodeScalars { UnicodeScalars(bytes: self) }

    /// The body's characters; each arrives when the next one begins, or the body ends.
    ///
    /// A character of more than 1,000 scalars arrives in pieces.
    public var characters: Characters { Characters(bytes: self) }

    /// Lines of a body, read once.
    public struct Lines: AsyncSequence, Sendable {
        /// A line without its end.
        public typealias Element = String
        /// The error that reading throws.
        public typealias Failure = URLError

        let bytes: URLSession.AsyncBytes

        /// All iterators share one position in the body.
        public func makeAsyncIterator() -> Iterator {
            Iterator(bytes: bytes.makeAsyncIterator())
        }

        /// Returns the lines.
        public struct Iterator: AsyncIteratorProtocol {
            var bytes: URLSession.AsyncBytes.AsyncIterator
            fileprivate var line: [UInt8] = []

            /// The next line; `nil` at the end.
            ///
            /// Throws `URLError`; an incomplete line is then lost.
            public mutating func next(
                isolation actor: isolated (any Actor)?
            ) async throws(URLError) -> String? {
                do throws(URLError) {
                    while let byte = try await bytes.next(isolation: actor) {
                        line.append(byte)
                        guard let end = endLength(byte) else { continue }
                        line.removeLast(end)
                        if let whole = takeLine() { return whole }
                    }
                } catch {
                    line = []
                    throw error
                }
                return takeLine()
            }

            /// The length of a line end that ends with this byte; `nil` where the byte ends no line.
            ///
            /// The LF of a CR LF ends an empty line, which we omit.
            private func endLength(_ byte: UInt8) -> Int? {
                switch byte {
                case 0x0A...0x0D: 1
                case 0x85 where line.suffix(2).elementsEqual([0xC2, 0x85]): 2
                case 0xA8 where line.suffix(3).elementsEqual([0xE2, 0x80, 0xA8]): 3
                case 0xA9 where line.suffix(3).elementsEqual([0xE2, 0x80, 0xA9]): 3
                default: nil
                }
            }

            private mutating func takeLine() -> String? {
                guard !line.isEmpty else { return nil }
                defer { line.removeAll(keepingCapacity: true) }
                return String(decoding: line, as: UTF8.self)
            }
        }
    }

    /// Unicode scalars of a body, read once.
    public struct UnicodeScalars: AsyncSequence, Sendable {
        /// A scalar.
        public typealias Element = Unicode.Scalar
        /// The error that reading throws.
        public typealias Failure = URLError

        let bytes: URLSession.AsyncBytes

        /// All iterators share one position in the body.
        public func makeAsyncIterator() -> Iterator {
            Iterator(bytes: bytes.makeAsyncIterator())
        }

        /// Returns the scalars.
        public struct Iterator: AsyncIteratorProtocol {
            var bytes: URLSession.AsyncBytes.AsyncIterator
            /// The bytes of an incomplete scalar, or bytes read behind an invalid one.
            fileprivate var pending: [UInt8] = []
            fileprivate var isAtEnd = false

            /// The next scalar; `nil` at the end.
            ///
            /// Throws `URLError`.
            public mutating func next(
                isolation actor: isolated (any Actor)?
            ) async throws(URLError) -> Unicode.Scalar? {
                // A scalar has at most four bytes: with four bytes the first scalar is decided.
                while !isAtEnd, pending.count < 4, pending.first ?? 0x80 >= 0x80 {
                    guard let byte = try await bytes.next(isolation: actor) else {
                        isAtEnd = true
                        break
                    }
                    pending.append(byte)
                    if pending.count == length(pending[0]) { break }
                }
                var parser = Unicode.UTF8.ForwardParser()
                var source = pending.makeIterator()
                switch parser.parseScalar(from: &source) {
                case .valid(let encoded):
                    pending.removeFirst(encoded.count)
                    return Unicode.UTF8.decode(encoded)
                case .error(let length):
                    pending.removeFirst(length)
                    return "\u{FFFD}"
                case .emptyInput: return nil
                }
            }

            /// The length of a scalar with this first byte.
            private func length(_ first: UInt8) -> Int {
                switch first {
                case 0xC2...0xDF: 2
                case 0xE0...0xEF: 3
                case 0xF0...0xF4: 4
                default: 1
                }
            }
        }
    }

    /// Characters of a body, read once.
    public struct Characters: AsyncSequence, Sendable {
        /// A character.
        public typealias Element = Character
        /// The error that reading throws.
        public typealias Failure = URLError

        let bytes: URLSession.AsyncBytes

        /// All iterators share one position in the body.
        public func makeAsyncIterator() -> Iterator {
            Iterator(scalars: bytes.unicodeScalars.makeAsyncIterator())
        }

        /// Returns the characters.
        public struct Iterator: AsyncIteratorProtocol {
            /// The most scalars that one character may have: each of them is compared with all before it.
            private static let limit = 1_000

            var scalars: UnicodeScalars.Iterator
            fileprivate var pending = ""
            fileprivate var count = 0

            /// The next character; `nil` at the end.
            ///
            /// Throws `URLError`.
            public mutating func next(
                isolation actor: isolated (any Actor)?
            ) async throws(URLError) -> Character? {
                while let scalar = try await scalars.next(isolation: actor) {
                    pending.unicodeScalars.append(scalar)
                    count += 1
                    guard pending.count > 1 || count >= Self.limit else { continue }
                    let character = pending.removeFirst()
                    count = pending.unicodeScalars.count
                    return character
                }
                return pending.isEmpty ? nil : pending.removeFirst()
            }
        }
    }
}
