import Glibc
import SystemPackage

/// What stands behind the last byte of a part file that has holes, so that nobody takes it for the
/// beginning of the file, or for the whole.
///
/// A program that goes on at its end asks for what the server has not; one that compares its end
/// with the server's finds another. It is gone before the file gets its name.
package struct SplitMark: Sendable, Hashable {
    /// Bytes.
    package static let length = 64
    private static let words = "\nURLLoading: it has holes "

    /// 32 hexadecimal digits, which the file's resume data has, too.
    let token: String

    /// A new one, unlike all others.
    init() {
        var token = ""
        for _ in 0..<2 {
            let digits = String(UInt64.random(in: .min ... .max), radix: 16)
            token += String(repeating: "0", count: 16 - digits.count) + digits
        }
        self.token = token
    }

    /// One that was written down; `nil` where the text cannot be one.
    init?(token: String) {
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        let letters = UInt8(ascii: "a")...UInt8(ascii: "f")
        guard token.utf8.count == 32,
            token.utf8.allSatisfy({ digits.contains($0) || letters.contains($0) })
        else { return nil }
        self.token = token
    }

    /// The mark at the end of a file; `nil` where it has none.
    package init?(of path: String) {
        guard
            let file = try? FileDescriptor.open(
                path,
                .readOnly,
                options: [.noFollow, .nonBlocking, .closeOnExec]
            )
        else { return nil }
        defer { try? file.close() }
        guard let status = FileStatus(descriptor: file.rawValue),
            status.size >= Int64(Self.length)
        else { return nil }
        let end = status.size - Int64(Self.length)
        let text = try? String(unsafeUninitializedCapacity: Self.length) { space in
            try file.read(fromAbsoluteOffset: end, into: UnsafeMutableRawBufferPointer(space))
        }
        guard let rest = text?.droppingBytes(of: Self.words) else { return nil }
        self.init(token: String(decoding: rest.utf8.prefix(32), as: UTF8.self))
    }

    /// Its bytes.
    var text: String {
        let text = "\(Self.words)\(token)\n"
        return text + String(repeating: "\n", count: max(0, Self.length - text.utf8.count))
    }
}
