import FoundationEssentials
import URLLoading

extension UnprovenPart {
    /// Resume data for bytes that have been compared; the file itself becomes a part file, as a
    /// copy, where it is the one that must stay until there is a better one.
    ///
    /// - Parameters:
    ///   - url: the URL they are of.
    ///   - validator: what the server's file is known by; `nil`: nothing but its length.
    ///   - total: its length, where that is known.
    ///   - file: what the download shall become.
    /// - Returns: the data; `nil` where the part has gone meanwhile.
    /// - Throws: `cannotCreateFile` and the like, where the copy cannot be made.
    func resumeData(
        _ url: String,
        _ validator: EntityValidator?,
        _ total: Int64?,
        for file: FileDestination
    ) throws(URLError) -> ResumeData? {
        let part = FileDestination.partPath(of: file.path)
        if path == file.path { try PartCopy.make(of: path, size: size, at: part) }
        guard let now = FileStatus(part) else { return nil }
        return ResumeData(
            url: url,
            fields: [],
            validator: validator,
            receivedBytes: size,
            totalBytes: total,
            file: .partFile(URL(filePath: part).absoluteURL.path),
            identity: now.identity.ofUnknownTime
        )
    }
}
