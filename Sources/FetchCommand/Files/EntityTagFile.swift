import FoundationEssentials
import URLLoading

/// The entity tag of what was fetched, in a file of its own, as curl keeps it: one line, or nothing
/// where the server has given none.
enum EntityTagFile {
    /// Bytes; more is no tag that a server takes back in a field.
    private static let sizeLimit = 16 << 10

    /// The tag that `--etag-compare` names.
    ///
    /// - Parameter options: the command line.
    /// - Returns: the tag; `nil` where there is none to ask by. curl asks by an empty one then, which a
    ///   server might have, of whatever.
    /// - Throws: where the file cannot be read, or has something else in it. It may be missing where
    ///   it is going to be written.
    static func tag(_ options: Options) throws(FileFailure) -> String? {
        guard let path = options.entityTagInput else { return nil }
        if options.entityTagOutput != nil, !FileFacts.exists(path) { return nil }
        let bytes = try FileContent.bytes(of: path, limit: sizeLimit)
        let isBlank: (UInt8) -> Bool = { [0x20, 0x09, 0x0D].contains($0) }
        let lines = bytes.split(separator: UInt8(ascii: "\n"))
        guard let line = lines.first(where: { !$0.allSatisfy(isBlank) }) else { return nil }
        var word = line.drop(while: isBlank)
        while let last = word.last, isBlank(last) { word.removeLast() }
        guard let tag = String(validating: word, as: UTF8.self), EntityValidator.isTag(tag) else {
            throw FileFailure(
                path: path,
                reason: .flawed("has no entity tag in it, which is \"TEXT\" or W/\"TEXT\"")
            )
        }
        return tag
    }

    /// Whether a tag can be kept as text, and sent again as it came: a field's bytes beyond ASCII are of
    /// no known coding.
    private static func canBeAskedBy(_ tag: String) -> Bool {
        EntityValidator.isTag(tag) && tag.utf8.count < sizeLimit
            && tag.utf8.allSatisfy { $0 < 0x80 }
    }

    /// Replaces a file by one that has the tag of an answer.
    ///
    /// - Parameters:
    ///   - tag: what the server has said; what is no tag counts as none.
    ///   - place: the file, or a device.
    ///   - streams: what must not be touched.
    /// - Throws: what making a file does; `OutputClosed` where nothing reads a FIFO any more.
    static func write(
        _ tag: String?,
        to place: Destination,
        besides streams: StreamFiles
    ) throws {
        let line = tag.flatMap { canBeAskedBy($0) ? Data("\($0)\n".utf8) : nil } ?? Data()
        switch place {
        case .file(let file), .automatic(let file):
            _ = try file.write(line, besides: streams.excluding(file.path))
        case .device(let path):
            let output = try OutputDescriptor(opening: path)
            defer { output.close() }
            try line.withUnsafeBytes { try output.write($0) }
        case .standardOutput: break
        }
    }
}
