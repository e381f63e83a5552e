import URLLoading

/// Every flag there is, section by section; each section's are declared in a file of its own.
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

/// A file that a flag names to be read, or to be changed by what it says.
struct InputFile: Equatable, Sendable {
    let flag: String
    let path: String
}

extension Options {
    /// Every file that is read: nothing else may be written there.
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

extension InputSource {
    /// The file's path, where it is one.
    var path: String? { if case .file(let path) = self { path } else { nil } }
}

extension SecretSource {
    /// The file's path, where it is one.
    var path: String? { if case .file(let path) = self { path } else { nil } }
}

extension FileUpload {
    /// The file's path, where it is one that is sent so.
    func path(as kind: Kind) -> String? { kind == self.kind ? source.path : nil }
}

extension HeaderEdit {
    /// The path of the file with the lines, where there is one.
    var path: String? { if case .file(let path) = self { path } else { nil } }
}

extension URLListSource {
    /// The file's path, where it is one.
    var path: String? { if case .file(let path) = self { path } else { nil } }
}

extension ChecksumSource {
    /// The file's path, where it is one.
    var path: String? { if case .file(let path) = self { path } else { nil } }
}
