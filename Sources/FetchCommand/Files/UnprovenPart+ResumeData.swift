import FoundationEssentials
import URLLoading

extension UnprovenPart {
    /// Resume data for bytes that have been compared and are in the part file.
    ///
    /// - Parameters:
    ///   - url: the URL they are of.
    ///   - validator: what the server's file is known by; `nil`: nothing to ask by.
    ///   - sighting: what the server said of it all the same.
    ///   - total: its length, where that is known.
    ///   - file: what the download shall become.
    /// - Returns: the data; `nil` where the part has gone meanwhile, or is not any more what was
    ///   compared.
    func resumeData(
        _ url: String,
        _ validator: EntityValidator?,
        _ sighting: EntitySighting?,
        _ total: Int64?,
        for file: FileDestination
    ) -> ResumeData? {
        let part = FileDestination.partPath(of: file.path)
        // Of the file itself the part is a copy.
        guard let now = FileStatus(part), path == part ? isSame(now) : now.isOurs else {
            return nil
        }
        var data = ResumeData(
            url: url,
            fields: [],
            validator: validator,
            received: ReceivedRanges(prefix: size),
            totalBytes: total,
            file: .partFile(AbsolutePath.of(part)),
            identity: now.identity
        )
        data.sighting = sighting
        return data
    }
}
