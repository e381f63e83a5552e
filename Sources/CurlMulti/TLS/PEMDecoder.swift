/// Decodes the base64 of a PEM block ([RFC 7468 §3](https://www.rfc-editor.org/rfc/rfc7468#section-3)).
struct PEMDecoder {
    static let dashes = Array("-----".utf8)
    static let begin = Array("-----BEGIN CERTIFICATE-----".utf8)
    static let end = Array("-----END CERTIFICATE-----".utf8)

    /// The value of each byte; 64 for `=`, 255 for bytes outside of base64.
    private static let values: [UInt8] = {
        var values = [UInt8](repeating: 255, count: 256)
        let letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8
        for (value, letter) in letters.enumerated() { values[Int(letter)] = UInt8(value) }
        values[Int(UInt8(ascii: "="))] = 64
        return values
    }()

    private var decoded: [UInt8] = []
    private var group: UInt32 = 0
    /// The number of letters in the group.
    private var letters = 0
    /// The number of `=` so far.
    private var padding = 0

    mutating func begin() {
        decoded.removeAll(keepingCapacity: true)
        (group, letters, padding) = (0, 0, 0)
    }

    /// Takes a line without its line end; returns whether it contains only base64.
    mutating func take(_ line: UnsafeRawBufferPointer) -> Bool {
        Self.values.withUnsafeBufferPointer { values in
            var rest = line[...]
            if letters == 0, padding == 0 {
                let count = Self.wholeGroups(line, values, &decoded)
                rest = line[count...]
            }
            return rest.allSatisfy { take(values[Int($0)]) }
        }
    }

    /// Decodes the complete groups of four letters at the beginning of a line, and returns their length.
    private static func wholeGroups(
        _ line: UnsafeRawBufferPointer,
        _ values: UnsafeBufferPointer<UInt8>,
        _ decoded: inout [UInt8]
    ) -> Int {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: line.count) { space in
            var (index, count) = (0, 0)
            while index + 4 <= line.count {
                let (one, two) = (values[Int(line[index])], values[Int(line[index + 1])])
                let (three, four) = (values[Int(line[index + 2])], values[Int(line[index + 3])])
                guard one | two | three | four < 64 else { break }
                space[count] = one << 2 | two >> 4
                space[count + 1] = two << 4 | three >> 2
                space[count + 2] = three << 6 | four
                index += 4
                count += 3
            }
            decoded.append(contentsOf: space[..<count])
            return index
        }
    }

    private mutating func take(_ value: UInt8) -> Bool {
        if value < 64 {
            guard padding == 0 else { return false }
            group = group << 6 | UInt32(value)
        } else {
            guard value == 64, letters >= 2 else { return false }
            padding += 1
            group <<= 6
        }
        letters += 1
        guard letters == 4 else { return true }
        decoded.append(UInt8(truncatingIfNeeded: group >> 16))
        if padding < 2 { decoded.append(UInt8(truncatingIfNeeded: group >> 8)) }
        if padding < 1 { decoded.append(UInt8(truncatingIfNeeded: group)) }
        (group, letters) = (0, 0)
        return true
    }

    /// The block's bytes; `nil` if it ends within a group.
    func finish() -> [UInt8]? { letters == 0 ? decoded : nil }
}
