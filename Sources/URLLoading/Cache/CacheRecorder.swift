import FoundationEssentials
import Synchronization

/// Records a response's body while it arrives, and stores it when it is complete.
///
/// It reports no errors: the cache does not store a body that the recorder could not record. A recorder that
/// the task releases stores nothing.
final class CacheRecorder: Sendable {
    private let cache: URLCache
    private let storedHead: StoredHead
    private let head: HopHead
    /// The body so far; `nil` once it is stored or discarded.
    private let draft: Mutex<CacheDraft?>

    init(_ storedHead: StoredHead, _ head: HopHead, _ draft: CacheDraft, cache: URLCache) {
        self.cache = cache
        self.storedHead = storedHead
        self.head = head
        self.draft = Mutex(draft)
    }

    /// Appends the next piece of the body, as received.
    func append(_ bytes: UnsafeRawBufferPointer) {
        draft.withLock { $0?.append(bytes) }
    }

    /// The response to store, for a delegate to allow, change or refuse, after the body's end; `nil`:
    /// none.
    func proposal(url: URL) -> CachedURLResponse? {
        let body = draft.withLock { draft in isComplete(draft) ? draft?.makeBody() : nil }
        guard let body else { return nil }
        return CachedURLResponse(
            response: HTTPURLResponse(
                url: url,
                statusCode: head.status,
                httpVersion: head.httpVersion,
                reasonPhrase: head.reason,
                headerFields: head.fields
            ),
            body: body,
            userInfo: nil,
            storagePolicy: .allowed
        )
    }

    /// Stores the response, whose body is complete.
    func commit() {
        finish { body, file in
            if let body { cache.store(storedHead, body, file, nil, onDisk: true) }
        }
    }

    /// Stores the delegate's version of the proposal; `nil`: store none.
    func commit(_ response: CachedURLResponse?) {
        guard let response, response.storagePolicy != .notAllowed else { return abandon() }
        finish { body, file in
            var storedHead = storedHead
            if let changed = response.response as? HTTPURLResponse {
                storedHead.status = changed.statusCode
                storedHead.reason = changed.reasonPhrase
                storedHead.fields = StoredFields.storable(changed.headerFields)
            }
            if let body, response.hasBody(body), response.storagePolicy == .allowed {
                cache.store(storedHead, body, file, response.userInfo, onDisk: true)
            } else {
                StoredFields.describe(response.data, stored: body?.data, &storedHead.fields)
                cache.store(storedHead, response)
            }
        }
    }

    /// Discards the recorded body.
    func abandon() {
        draft.withLock { $0 = nil }
    }

    /// Passes on the body and its file, if the body is complete, and removes the draft.
    private func finish(_ store: ((any CacheBody)?, DraftFile?) -> Void) {
        draft.withLock { draft in
            if isComplete(draft) { store(draft?.makeBody(), draft?.file) }
            draft = nil
        }
    }

    /// Whether the body has the length that the head states.
    private func isComplete(_ draft: CacheDraft?) -> Bool {
        guard let draft, !draft.hasFailed else { return false }
        return head.bodyLength("GET").map { $0 == draft.length } ?? true
    }
}

/// A body that is being recorded: a small one in memory, a larger one in a file.
struct CacheDraft: Sendable {
    /// The largest body in memory before it goes to disk, bytes.
    static let memoryLimit = 64 << 10

    /// The number of bytes so far.
    private(set) var length: Int64 = 0
    /// Whether the body is too large, or the recorder could not write it.
    private(set) var hasFailed = false
    private(set) var checksum = Checksum()
    private(set) var file: DraftFile?
    private let limit: Int64
    private let makeFile: (@Sendable () -> DraftFile?)?
    private var bytes = Data()
    private var madeBody: (any CacheBody)?

    /// Records up to a limit, bytes; without `makeFile` the body stays in memory.
    init(limit: Int64, makeFile: (@Sendable () -> DraftFile?)?) {
        self.limit = limit
        self.makeFile = makeFile
    }

    mutating func append(_ piece: UnsafeRawBufferPointer) {
        guard !hasFailed, !piece.isEmpty else { return }
        length += Int64(piece.count)
        guard length <= limit else { return fail() }
        checksum.update(piece)
        if makeFile != nil, bytes.count + piece.count > Self.memoryLimit, !spill() {
            return fail()
        }
        if file != nil, piece.count > Self.memoryLimit {
            if file?.write(piece) != true { fail() }
        } else {
            bytes.append(contentsOf: piece)
        }
    }

    /// Writes the bytes in memory to the file.
    private mutating func spill() -> Bool {
        if file == nil { file = makeFile?() }
        guard let file, bytes.withUnsafeBytes(file.write) else { return false }
        bytes.removeAll(keepingCapacity: true)
        return true
    }

    /// Discards the body, and removes its file.
    private mutating func fail() {
        hasFailed = true
        file = nil
        bytes = Data()
    }

    /// The whole body, always the same object; `nil` if the recorder cannot read it.
    mutating func makeBody() -> (any CacheBody)? {
        if let madeBody { return madeBody }
        guard !hasFailed else { return nil }
        if file != nil {
            guard spill() else {
                fail()
                return nil
            }
            madeBody = file?.body(length: length, checksum: checksum.value)
        } else {
            madeBody = MemoryBody(bytes)
        }
        return madeBody
    }
}

extension StoredFields {
    /// Makes the fields describe a body that the program stores.
    ///
    /// A body that differs from the one the server sent is decoded, as a task delivers it. So it has no
    /// content coding.
    static func describe(
        _ data: Data,
        stored: @autoclosure () -> Data?,
        _ fields: inout HTTPHeaderFields
    ) {
        if fields["Content-Encoding"] != nil, stored() != data { fields["Content-Encoding"] = nil }
        fields["Content-Length"] = String(data.count)
    }
}
