import FoundationEssentials

/// What the file of an entry says.
enum DiskRecord {
    /// An answer.
    case answer(StoredAnswer, BodyRecord, userInfo: [String: any Sendable]?)
    /// Word that answers to this key are several, and which fields of a request select one.
    case variants(VariantRecord)

    /// Where an answer's body is, and what it is.
    struct BodyRecord: Sendable, Hashable {
        /// In bytes.
        var length: Int64
        var checksum: UInt64
        /// What comes after the entry's name and a point in that of the body's own file; `nil`: it
        /// follows the record.
        var file: String?
    }

    /// How a key's answers are told apart.
    struct VariantRecord: Sendable, Hashable {
        let key: CacheKey
        /// Part of the names of the answers' files: what belonged to an earlier record is not found
        /// any more.
        let token: UInt64
        /// In lower case, sorted.
        let names: [String]
    }

    var key: CacheKey {
        switch self {
        case .answer(let answer, _, _): answer.key
        case .variants(let variants): variants.key
        }
    }

    var body: BodyRecord? {
        if case .answer(_, let body, _) = self { body } else { nil }
    }
}
