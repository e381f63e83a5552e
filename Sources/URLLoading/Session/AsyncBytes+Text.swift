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
            private var line: [UInt8] = []

            init(bytes: URLSession.AsyncBytes.AsyncIterator) {
                self.bytes = bytes
            }

            /// The next line; `nil` at the end.
            ///
            /// Throws `URLError`; an incomplete line is then lost.
            public mutating func next(
                isolation actor: isolated (any Actor)?
            ) async throws(URLError) -> String? {
                while let byte = try await bytes.next(isolation: actor) {
                    line.append(byte)
                    guard let end = endLength(byte) else { continue }
                    line.removeLast(end)
                    if let whole = takeLine() { return whole }
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
            private var pending: [UInt8] = []
            private var isAtEnd = false

            init(bytes: URLSession.AsyncBytes.AsyncIterator) {
                self.bytes = bytes
            }

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
                guard !pending.isEmpty else { return nil }
                var decoder = UTF8()
                var source = pending.makeIterator()
                guard case .scalarValue(let scalar) = decoder.decode(&source) else {
                    // Removes as many bytes as one U+FFFD replaces.
                    let scalars = String(decoding: pending, as: UTF8.self).unicodeScalars
                    let rest = scalars.dropFirst().reduce(0) { $0 + UTF8.width($1) }
                    pending.removeFirst(Swift.max(1, pending.count - rest))
                    return "\u{FFFD}"
                }
                pending.removeFirst(UTF8.width(scalar))
                return scalar
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
            var scalars: UnicodeScalars.Iterator
            private var pending = ""

            init(scalars: UnicodeScalars.Iterator) {
                self.scalars = scalars
            }

            /// The next character; `nil` at the end.
            ///
            /// Throws `URLError`.
            public mutating func next(
                isolation actor: isolated (any Actor)?
            ) async throws(URLError) -> Character? {
                while let scalar = try await scalars.next(isolation: actor) {
                    pending.unicodeScalars.append(scalar)
                    if pending.count > 1 { return pending.removeFirst() }
                }
                return pending.isEmpty ? nil : pending.removeFirst()
            }
        }
    }
}
