/// How much is said in one frame where there may be thousands of something.
enum BackgroundBatch {
    /// How many; and how many bytes, about, of the 4 MiB that a frame may have.
    private static let limit = (count: 500, bytes: 1 << 20)

    /// The first of some records, as many as go into a frame; one at least.
    ///
    /// - Parameters:
    ///   - records: all of them.
    ///   - record: what is written down of each.
    /// - Returns: the first.
    static func first<Element>(
        of records: ArraySlice<Element>,
        _ record: (Element) -> BackgroundTaskRecord
    ) -> ArraySlice<Element> {
        var size = 0
        return records.prefix(limit.count).prefix { element in
            let isFirst = size == 0
            size += record(element).size
            return isFirst || size <= limit.bytes
        }
    }

    /// The first of some records; one at least.
    static func first(
        of records: ArraySlice<BackgroundTaskRecord>
    ) -> ArraySlice<BackgroundTaskRecord> {
        first(of: records) { $0 }
    }
}

extension BackgroundTaskRecord {
    /// What no task comes to, bytes: a frame has room for it, whatever has to be escaped.
    static let sizeLimit = 512 << 10

    /// What it comes to in a frame, bytes, about.
    var size: Int {
        let fixed =
            512 + request.url.utf8.count + (configuration?.utf8.count ?? 0)
            + (resumeData?.count ?? 0) * 4 / 3
        return request.fields.reduce(fixed) { size, field in
            size + field.reduce(8) { $0 + $1.utf8.count }
        }
    }
}
