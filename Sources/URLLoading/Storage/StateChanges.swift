/// What this process has changed since it last wrote: the last word about each key, in the order of
/// first mention.
struct StateChanges<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private(set) var keys: [Key] = []
    private var values: [Key: Value?] = [:]

    var isEmpty: Bool { keys.isEmpty }

    /// The last word about a key: a value, or that there is none; `nil` where nothing was said.
    func change(of key: Key) -> Value?? { values[key] }

    /// Says what a key has; `nil`: nothing any more.
    mutating func note(_ key: Key, _ value: Value?) {
        if values.updateValue(value, forKey: key) == nil { keys.append(key) }
    }

    /// What was said before, where these changes say nothing.
    mutating func putBack(_ earlier: StateChanges) {
        let later = self
        self = earlier
        for key in later.keys {
            if let value = later.values[key] { note(key, value) }
        }
    }
}
