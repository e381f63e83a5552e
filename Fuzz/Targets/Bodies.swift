import FoundationEssentials

@testable import URLLoading

// Bodies: content codings and multipart.
extension FuzzTarget {
    static let bodies = [
        // The first byte selects the codings.
        FuzzTarget("content-coding") { input in
            let (choice, rest) = input.choice
            let all = ContentCoding.allCases
            let first = all[Int(choice) % all.count].rawValue
            let second = all[Int(choice >> 2) % all.count].rawValue
            var fields = HTTPHeaderFields()
            fields.add(choice & 0x80 == 0 ? first : "\(second), \(first)", to: "Content-Encoding")
            if let codings = ContentCodings(fields) { decode(rest, codings) }
        },
        FuzzTarget("multipart") { input in
            let whole = parts(of: [input.bytes[...]])
            let inPieces = parts(of: input.pieces)
            check(whole == inPieces, "parts do not depend on how a body is cut")
        },
    ]

    /// The maximum number of decoded bytes in one iteration.
    private static let limit = 1 << 20

    private static func decode(_ input: FuzzInput, _ codings: ContentCodings) {
        guard let stages = try? codings.makeStages() else { return }
        let output = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 64)
        defer { output.deallocate() }
        for piece in input.pieces {
            let isWhole = piece.withUnsafeBytes { bytes in
                stages.first.input = bytes
                var budget = limit
                var made = 0
                while let count = try? stages.last.read(into: output, &budget) {
                    check(count <= output.count, "a decoder fills no more than its room")
                    made += count
                    check(made <= limit + 2 * output.count, "an iteration has its bound: \(made)")
                    guard count > 0 else { return budget > 0 }
                }
                return false
            }
            // The input is invalid, or used up the budget; more input would have to be buffered.
            guard isWhole else { return }
        }
        stages.first.input = UnsafeRawBufferPointer(start: nil, count: 0)
        _ = try? stages.last.finish()
    }

    /// A part, with all its bytes.
    private struct Part: Equatable {
        let fields: HTTPHeaderFields
        var bytes: [UInt8] = []
    }

    /// The parts of a body; `nil` if the body is invalid.
    private static func parts(of pieces: [ArraySlice<UInt8>]) -> [Part]? {
        var parser = PartParser(boundary: "b")
        var parts: [Part] = []
        do throws(URLError) {
            for piece in pieces {
                piece.withUnsafeBytes { parser.feed($0) }
                while let piece = try parser.next() {
                    switch piece {
                    case .head(let fields): parts.append(Part(fields: fields))
                    case .data(let range): add(range)
                    }
                }
            }
            if let rest = try parser.finish() { add(rest) }
        } catch {
            return nil
        }
        return parts

        func add(_ range: Range<Int>) {
            check(!parts.isEmpty, "bytes belong to a part")
            check(range.upperBound <= parser.buffer.count, "bytes are in the buffer")
            parts[parts.count - 1].bytes += parser.buffer[range]
        }
    }
}
