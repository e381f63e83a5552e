import FoundationEssentials
import SystemPackage

/// The identifier of a background session, and the name of its folder.
///
/// The text may be hostile, so it is encoded before it gets into a path. Two texts have two folders. On a
/// file system that ignores case, two texts may share one; the identifier in the folder's journal shows
/// that.
package struct BackgroundIdentifier: Sendable, Hashable {
    /// The longest text, bytes of UTF-8.
    package static let lengthLimit = 1_024
    /// The longest encoded name; a longer one is shortened and gets a digest.
    private static let nameLimit = 120
    private static let stemLength = 40

    package let text: String
    /// The folder's name: letters, digits, `-`, `_`, `.` not at the beginning, and `%XX` for other bytes.
    ///
    /// A name that would be too long ends with `~` and the SHA-256 of the text.
    package let folderName: String

    /// - Parameter text: of 1 to 1,024 bytes.
    /// - Throws: `identifier`.
    package init(_ text: String) throws(BackgroundError) {
        guard !text.isEmpty else { throw .identifier("it is empty") }
        guard text.utf8.count <= Self.lengthLimit else {
            throw .identifier("it has \(text.utf8.count) bytes; the limit is \(Self.lengthLimit)")
        }
        self.text = text
        let spelled = Self.encoded(text)
        guard spelled.utf8.count > Self.nameLimit else {
            folderName = spelled
            return
        }
        guard let digest = MessageDigest.hex(text.utf8, by: .sha256) else {
            throw .identifier("it is too long for a name, and SHA-256 is not available")
        }
        folderName = "\(spelled.prefix(Self.stemLength))~\(digest)"
    }

    private init(plain name: String) {
        text = name
        folderName = name
    }

    /// A new identifier: `fetch-` and eight hexadecimal digits.
    package static func random() -> BackgroundIdentifier {
        let digits = UInt32.random(in: .min ... .max).hexText
        return BackgroundIdentifier(plain: "fetch-\(digits)")
    }

    private static func encoded(_ text: String) -> String {
        var name: [UInt8] = []
        for byte in text.utf8 {
            let isPlain = byte.isAlphanumeric || "-_.".utf8.contains(byte)
            if isPlain, !(name.isEmpty && byte == UInt8(ascii: ".")) {
                name.append(byte)
            } else {
                name.append(UInt8(ascii: "%"))
                name += [byte].hexText.uppercased().utf8
            }
        }
        return String(decoding: name, as: UTF8.self)
    }
}

extension BackgroundIdentifier {
    /// The session of a folder; `nil` if the folder is not a session's.
    ///
    /// If the name was shortened, the identifier is read from the beginning of the journal.
    init?(folderName name: String, in root: String) {
        let text =
            name.contains("~")
            ? Self.text(inJournalOf: "\(root)/\(name)") : name[...].percentDecoded
        guard let text, let identifier = try? BackgroundIdentifier(text),
            identifier.folderName == name
        else { return nil }
        self = identifier
    }

    /// The identifier in the journal's first record, which stays first when the journal is rewritten.
    private static func text(inJournalOf folder: String) -> String? {
        struct Line: Decodable {
            let record: JournalRecord
        }
        guard let (file, _) = try? FileStatus.open("\(folder)/\(Journal.name)", .noFollow) else {
            return nil
        }
        defer { try? file.close() }
        var bytes = [UInt8](repeating: 0, count: 64 << 10)
        guard let count = try? bytes.withUnsafeMutableBytes({ try file.read(into: $0) }) else {
            return nil
        }
        let lines = bytes[..<count].split(separator: JournalLine.end, maxSplits: 2)
        guard lines.count > 1,
            let line = try? JSONDecoder().decode(Line.self, from: Data(lines[1])),
            case .session(let settings) = line.record
        else { return nil }
        return settings.identifier
    }
}
