import FoundationEssentials
import Synchronization

/// Responses in memory.
final class MemoryStore: Sendable {
    /// The approximate memory of an entry besides its body and its fields, bytes.
    private static let overhead = 512

    private struct Slot {
        var entry: CacheEntry
        /// The sequence number of the last use.
        var lastUse: Int
        var size: Int
    }

    private struct State {
        /// The entries by key; each key has one for each selection.
        var slots: [CacheKey: [Slot]] = [:]
        var uses = 0
        var usage = 0
        var capacity: Int
    }

    private let state: Mutex<State>

    init(capacity: Int) {
        state = Mutex(State(capacity: capacity))
    }

    var usage: Int { state.withLock { $0.usage } }

    /// The capacity, bytes.
    var capacity: Int {
        get { state.withLock { $0.capacity } }
        set {
            state.withLock { state in
                state.capacity = newValue
                Self.makeRoom(&state)
            }
        }
    }

    /// The stored response to a request; `mayDiffer`: also one that was selected by other request fields.
    func lookUp(_ request: CacheRequest, mayDiffer: Bool) -> CacheEntry? {
        state.withLock { state in
            // The last entry is the newest.
            state.slots[request.key]?.last { slot in
                let selection = slot.entry.storedHead.selection
                return mayDiffer
                    ? selection.mayMatch(request.fields) : selection.matches(request.fields)
            }?.entry
        }
    }

    /// Stores a response, and replaces the one with the same selection.
    func store(_ entry: CacheEntry) {
        let size = Int(clamping: entry.body.length)
            .adding(clamping: Self.overhead + Self.size(of: entry.storedHead))
        state.withLock { state in
            Self.remove(&state, entry.storedHead.key) {
                $0.entry.storedHead.selection == entry.storedHead.selection
            }
            guard size <= state.capacity else { return }
            state.uses += 1
            state.usage += size
            let slot = Slot(entry: entry, lastUse: state.uses, size: size)
            state.slots[entry.storedHead.key, default: []].append(slot)
            Self.makeRoom(&state)
        }
    }

    func use(_ entry: CacheEntry) {
        change(entry) { $0.lastUse = $1 }
    }

    func update(_ entry: CacheEntry, to storedHead: StoredHead) {
        change(entry) {
            $0.entry.storedHead = storedHead
            $0.lastUse = $1
        }
    }

    /// Changes an entry, unless another call has replaced it.
    private func change(_ entry: CacheEntry, _ change: (inout Slot, _ use: Int) -> Void) {
        let key = entry.storedHead.key
        state.withLock { state in
            guard let index = state.slots[key]?.firstIndex(where: { $0.entry.body === entry.body })
            else { return }
            state.uses += 1
            change(&state.slots[key, default: []][index], state.uses)
        }
    }

    func remove(_ entry: CacheEntry) {
        state.withLock { state in
            Self.remove(&state, entry.storedHead.key) { $0.entry.body === entry.body }
        }
    }

    func remove(_ key: CacheKey) {
        state.withLock { state in Self.remove(&state, key) { _ in true } }
    }

    /// Removes the entries stored since a moment, seconds since 1970; `nil`: all.
    func removeAll(since moment: Double?) {
        state.withLock { state in
            for key in Array(state.slots.keys) {
                Self.remove(&state, key) { slot in
                    moment.map { slot.entry.storedHead.responseTime >= $0 } ?? true
                }
            }
        }
    }

    private static func remove(
        _ state: inout State,
        _ key: CacheKey,
        where isGone: (Slot) -> Bool
    ) {
        guard var slots = state.slots[key] else { return }
        slots.removeAll { slot in
            guard isGone(slot) else { return false }
            state.usage -= slot.size
            return true
        }
        state.slots[key] = slots.isEmpty ? nil : slots
    }

    /// Evicts the least recently used entries, down to nine tenths, so that not every store evicts one.
    private static func makeRoom(_ state: inout State) {
        guard state.usage > state.capacity else { return }
        let slots = state.slots.values.joined().sorted { $0.lastUse < $1.lastUse }
        for slot in slots where state.usage > state.capacity / 10 * 9 {
            remove(&state, slot.entry.storedHead.key) { $0.lastUse == slot.lastUse }
        }
    }

    private static func size(of storedHead: StoredHead) -> Int {
        storedHead.fields.fields.reduce(storedHead.key.url.utf8.count) {
            $0 + $1.name.utf8.count + $1.value.utf8.count
        }
    }
}

final class MemoryBody: CacheBody {
    let data: Data

    init(_ data: Data) {
        self.data = data
    }

    var length: Int64 { Int64(data.count) }

    func read(into space: UnsafeMutableRawBufferPointer, at offset: Int64) -> Int {
        let count = min(space.count, data.count - Int(offset))
        guard count > 0 else { return 0 }
        let start = data.startIndex + Int(offset)
        data.copyBytes(
            to: UnsafeMutableRawBufferPointer(rebasing: space[..<count]),
            from: start..<start + count
        )
        return count
    }
}
