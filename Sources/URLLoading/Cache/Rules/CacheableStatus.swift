/// What a status says about storing.
enum CacheableStatus {
    /// Whether an answer may be stored though it says nothing about it, and its lifetime be guessed
    /// ([RFC 9110 §15.1](https://www.rfc-editor.org/rfc/rfc9110#section-15.1)).
    static func isHeuristic(_ status: Int) -> Bool {
        [200, 203, 204, 206, 300, 301, 308, 404, 405, 410, 414, 501].contains(status)
    }

    /// Whether its meaning for a cache is known here, so that `must-understand` is satisfied:
    /// the final ones of RFC 9110, without those that are not stored.
    static func isUnderstood(_ status: Int) -> Bool {
        switch status {
        case 200...205, 300...303, 305, 307, 308, 400, 402...406, 408...417, 422, 426, 500...505:
            true
        default: false
        }
    }

    /// Whether it is never stored: parts, words about conditions, and challenges, which are to be
    /// asked for afresh.
    static func isNeverStored(_ status: Int) -> Bool {
        status < 200 || status > 599 || [206, 304, 401, 407, 412, 416, 417].contains(status)
    }
}
