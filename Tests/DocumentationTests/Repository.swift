import FoundationEssentials

/// The checkout that these tests were built from.
enum Repository {
    /// The top folder: this source file is two folders below.
    static let root: String = {
        var folder = URL(filePath: #filePath)
        for _ in 1...3 { folder.deleteLastPathComponent() }
        return folder.path
    }()

    /// The absolute path of a file, from its path in the repository.
    static func path(_ name: String) -> String {
        "\(root)/\(name)"
    }

    static func exists(_ name: String) -> Bool {
        FileManager.default.fileExists(atPath: path(name))
    }

    static func text(of name: String) throws -> String {
        try String(contentsOfFile: path(name), encoding: .utf8)
    }

    /// Writes a file, and creates its folder.
    static func write(_ text: String, to name: String) throws {
        let folder = URL(filePath: path(name)).deletingLastPathComponent()
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data(text.utf8).write(to: URL(filePath: path(name)), options: .atomic)
    }

    /// The Swift files below a folder, as sorted paths from the top folder.
    static func swiftFiles(below folder: String) throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: path(folder))
            .filter { $0.hasSuffix(".swift") }
            .map { "\(folder)/\($0)" }
            .sorted()
    }
}
