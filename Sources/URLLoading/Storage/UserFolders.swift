import Glibc
import Synchronization

/// The folders for a program's files of this user, by the XDG Base Directory Specification: a folder
/// with the program's name in each base folder.
///
/// Each path is computed on access, without any access to the disk. A variable with a relative path counts
/// as unset, as the specification requires. If neither the folder's variable nor `HOME` is set, the folder
/// is `nil`, and its state remains in memory.
package struct UserFolders {
    private let program: String
    private let environment: (String) -> String?

    /// Creates the folders from an environment.
    ///
    /// - Parameters:
    ///   - program: the name of the program's folder in each base folder.
    ///   - environment: returns the value of an environment variable.
    package init(
        program: String = UserFolders.program,
        environment: @escaping (String) -> String? = Environment.value
    ) {
        self.program = program
        self.environment = environment
    }

    private static let chosenProgram = Mutex<String?>(nil)

    /// The name of this program's folders: the chosen name, or else the executable's file name.
    package static var program: String {
        get {
            chosenProgram.withLock { chosen in
                if let chosen { return chosen }
                let name = executableName
                chosen = name
                return name
            }
        }
        set { chosenProgram.withLock { $0 = newValue } }
    }

    /// The executable's file name after following links, so that an alias does not change the name.
    private static var executableName: String {
        var path = [UInt8](repeating: 0, count: Int(PATH_MAX))
        let count = path.withUnsafeMutableBytes { bytes in
            bytes.withMemoryRebound(to: CChar.self) { text in
                text.baseAddress.map { readlink("/proc/self/exe", $0, text.count) } ?? -1
            }
        }
        let text =
            count > 0
            ? String(decoding: path[..<count], as: UTF8.self) : CommandLine.arguments.first ?? ""
        // The kernel appends this to the path of an executable that another file has replaced since the
        // start.
        let file = text.utf8.split(separator: UInt8(ascii: "/")).last.map(Substring.init) ?? ""
        let deleted = " (deleted)"
        let name = file.endsWithBytes(of: deleted) ? file.dropLast(deleted.utf8.count) : file
        return (try? BackgroundIdentifier(String(name)).folderName) ?? "URLLoading"
    }

    /// For state that can be recreated: `XDG_CACHE_HOME`, or `~/.cache`.
    package var cache: String? { folder("XDG_CACHE_HOME", orHome: ".cache") }

    /// For state to keep between runs: `XDG_STATE_HOME`, or `~/.local/state`.
    package var state: String? { folder("XDG_STATE_HOME", orHome: ".local/state") }

    /// For data that the user would miss: `XDG_DATA_HOME`, or `~/.local/share`.
    package var data: String? { folder("XDG_DATA_HOME", orHome: ".local/share") }

    /// For files that the user has written: `XDG_CONFIG_HOME`, or `~/.config`.
    package var configuration: String? { folder("XDG_CONFIG_HOME", orHome: ".config") }

    private func folder(_ variable: String, orHome path: String) -> String? {
        guard let base = absolute(variable) ?? absolute("HOME").map({ "\($0)/\(path)" }) else {
            return nil
        }
        return base.endsWithBytes(of: "/") ? base + program : "\(base)/\(program)"
    }

    private func absolute(_ variable: String) -> String? {
        environment(variable).flatMap { $0.utf8.first == UInt8(ascii: "/") ? $0 : nil }
    }
}

package enum Environment {
    /// The value of a variable; `nil` if it is not set, or not UTF-8: its text would name something else.
    package static func value(of name: String) -> String? {
        getenv(name).flatMap { String(validatingCString: $0) }
    }
}
