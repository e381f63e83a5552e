import FoundationEssentials
import Glibc

/// The mode that a program's new files have.
enum NewFileMode {
    /// For everybody to read and write, but for what umask(2) takes away.
    ///
    /// That is read from where it can be without changing it for a moment, which other threads would
    /// see.
    static var current: UInt32 {
        let status = try? Data(contentsOf: URL(filePath: "/proc/self/status"))
        let text = status.map { String(decoding: $0, as: UTF8.self) } ?? ""
        let line = text.split(separator: "\n").first { $0.startsWithBytes(of: "Umask:") }
        let digits = line?.split(whereSeparator: { $0 == ":" || $0 == "\t" || $0 == " " }).last
        let mask = digits.flatMap { UInt32($0, radix: 8) } ?? 0o077
        return 0o666 & ~mask
    }
}
