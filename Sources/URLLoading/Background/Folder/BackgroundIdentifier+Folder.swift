import FoundationEssentials
import SystemPackage

extension BackgroundIdentifier {
    /// The session that a folder is of.
    ///
    /// What its name does not spell out stands at the beginning of its journal; `nil` where it is of
    /// none.
    init?(folderName name: String, in root: String) {
        let text =
            name.contains("~")
            ? Self.text(inJournalOf: "\(root)/\(name)") : name[...].percentDecoded
        guard let text, let identifier = try? BackgroundIdentifier(text),
            identifier.folderName == name
        else { return nil }
        self = identifier
    }

    /// The text in the journal's first record, which no rewriting of it ever moves.
    private static func text(inJournalOf folder: String) -> String? {
        struct Line: Decodable {
            let record: JournalRecord
        }
        let path = FilePath("\(folder)/\(Journal.name)")
        guard
            let file = try? FileDescriptor.open(
                path,
                .readOnly,
                options: [.noFollow, .closeOnExec]
            )
        else { return nil }
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
