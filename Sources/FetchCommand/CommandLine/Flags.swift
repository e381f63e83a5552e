import URLLoading

/// All flags, by section; a file of its own declares the flags of each section.
package enum Flags {
    /// All flags, in the order of help.
    package static let all: [Flag] =
        task + many + background + naming + conditions + integrity + body + spool + request
        + content + responses
        + authentication + session + sessions + splitting + configuration + cache + network
        + cookies + tls
        + strictTransport + proxy + redirects + retries + connectivity + messages + reports + events
        + compatibility

    /// The flag of this spelling, dashes included.
    package static func named(_ name: String) -> Flag? {
        all.first { $0.names.contains(name) }
    }
}

/// A file that a flag names, and that the command reads, or updates in place.
struct InputFile: Equatable, Sendable {
    let flag: String
    let path: String
}

/// A file that a flag names, or standard input.
enum InputPath: Equatable, Sendable {
    case file(String)
    /// `-`
    case standardInput

    /// Parses a path, where `-` is standard input.
    init(_ value: FlagValue) throws(UsageError) {
        let path = try value.path()
        self = path == "-" ? .standardInput : .file(path)
    }

    var path: String? { if case .file(let path) = self { path } else { nil } }

    /// The whole content.
    func bytes(limit: Int = .max) throws(UsageError) -> [UInt8] {
        try FileContent.bytes(of: path ?? "/dev/stdin", limit: limit)
    }
}

extension Options {
    /// Every file that the flags name for reading; the command must not write to them.
    var inputFiles: [InputFile] {
        var files: [InputFile] = []
        for place in Flags.all.indices {
            guard let reads = Flags.all[place].reads else { continue }
            for case let path? in reads.paths(self) {
                files.append(InputFile(flag: Flags.all[place].names[0], path: path))
            }
        }
        return files
    }
}

extension SecretSource {
    var path: String? { if case .file(let path) = self { path } else { nil } }
}

extension FileUpload {
    /// The file's path if this kind of upload sends a file; otherwise `nil`.
    func path(as kind: Kind) -> String? { kind == self.kind ? source.path : nil }
}

extension HeaderEdit {
    var path: String? { if case .file(let file) = self { file.path } else { nil } }
}
