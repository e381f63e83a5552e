import URLLoading

/// What a server is asked by, whether it has another file than the one that is here
/// ([RFC 9110 §13.1](https://www.rfc-editor.org/rfc/rfc9110#section-13.1)).
struct FileCondition: Equatable {
    /// The tag as it came; compared weakly, so a weak one will do.
    var ifNoneMatch: String?
    var ifModifiedSince: String?
    /// Whether nothing is known of the file but its time.
    var isUnproven = false

    /// Looks at a file.
    ///
    /// - Parameters:
    ///   - path: the file; `nil` comes of one that is not there, or is another URL's.
    ///   - url: the URL, as resume data has it.
    init?(of path: String, url: String) {
        guard let status = FileStatus(path) else { return nil }
        let stored = StoredValidator(of: path)
        if let stored, stored.describes(status) {
            guard stored.isOf(url) else { return nil }
            ifNoneMatch = stored.entityTag
            ifModifiedSince = stored.lastModified
        } else {
            // Somebody has made or changed it without us: its time is all that there is to ask by.
            ifModifiedSince = HTTPDate.text(status.modified)
            isUnproven = true
        }
    }

    /// The fields to send; a server that has the tag does not look at the date.
    var fields: [(name: String, value: String)] {
        [("If-None-Match", ifNoneMatch), ("If-Modified-Since", ifModifiedSince)].compactMap {
            name,
            value in value.map { (name, $0) }
        }
    }
}
