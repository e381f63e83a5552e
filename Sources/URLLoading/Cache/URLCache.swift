public import FoundationEssentials
import Synchronization

/// Stored responses, in memory and on disk; Foundation's `URLCache`.
///
/// A session's data tasks read and store responses by the rules of [RFC
/// 9111](https://www.rfc-editor.org/rfc/rfc9111), as a private cache. On disk each response is a file, and
/// any number of processes may use one folder. The cache does not also keep a response on disk in memory:
/// the kernel caches the file. An unreadable or unwritable response is a miss, never an error.
///
/// The cache stores a response if its body is at most a twentieth of the capacity, and at most 64 MiB. It
/// evicts the least recently used response first. It does not store `Set-Cookie`. A response to a request
/// with an `Authorization` field serves only requests with the same field.
public final class URLCache: Sendable {
    private let memory: MemoryStore
    private let disk: DiskStore?
    /// Bytes.
    private let diskLimit: Mutex<Int>

    private static let current = Mutex<URLCache?>(nil)

    /// The default cache of sessions.
    ///
    /// Unless the program sets another: 4 MiB in memory, 512 MiB on disk, in `PROGRAM/answers` in
    /// `XDG_CACHE_HOME`, or in `~/.cache`, where `PROGRAM` is
    /// ``URLSessionConfiguration/programIdentifier``.
    public static var shared: URLCache {
        get {
            current.withLock { current in
                if let current { return current }
                let made = URLCache(memoryCapacity: 4 << 20, diskCapacity: 512 << 20)
                current = made
                return made
            }
        }
        set { current.withLock { $0 = newValue } }
    }

    /// Creates a cache, which opens and creates no file before its first use.
    ///
    /// - Parameters:
    ///   - memoryCapacity: bytes; 0: the cache stores no response in memory.
    ///   - diskCapacity: bytes; 0: the cache stores no response on disk.
    ///   - directory: the folder, created with the first response and closed to other users; `nil`: the
    ///     shared folder.
    public init(memoryCapacity: Int, diskCapacity: Int, directory: URL? = nil) {
        memory = MemoryStore(capacity: max(0, memoryCapacity))
        disk = diskCapacity > 0 ? DiskStore(directory?.path(percentEncoded: false)) : nil
        diskLimit = Mutex(max(0, diskCapacity))
    }

    /// The capacity in memory, bytes; a smaller value evicts responses.
    public var memoryCapacity: Int {
        get { memory.capacity }
        set { memory.capacity = max(0, newValue) }
    }

    /// The capacity on disk, bytes; 0: the cache stores no further response there.
    ///
    /// The next store evicts responses above it. A cache that the caller created without a disk capacity has
    /// no disk.
    public var diskCapacity: Int {
        get { disk == nil ? 0 : diskLimit.withLock { $0 } }
        set { diskLimit.withLock { $0 = max(0, newValue) } }
    }

    /// The memory used, bytes.
    public var currentMemoryUsage: Int { memory.usage }

    /// The space used on disk, bytes, by all processes that use the folder.
    ///
    /// The count is corrected from time to time.
    public var currentDiskUsage: Int { disk?.usage ?? 0 }

    /// The stored response to a request, fresh or not; `nil`: none.
    ///
    /// This does not compare selecting fields that the request lacks, because a session may add them.
    public func cachedResponse(for request: URLRequest) -> CachedURLResponse? {
        guard let url = request.url, let asked = CacheRequest(request), asked.mayBeServed,
            let entry = lookUp(asked, mayDiffer: true)
        else { return nil }
        guard entry.isWhole else {
            remove(entry)
            return nil
        }
        use(entry)
        let head = entry.storedHead
        return CachedURLResponse(
            response: HTTPURLResponse(
                url: url,
                statusCode: head.status,
                httpVersion: head.httpVersion,
                reasonPhrase: head.reason,
                headerFields: head.fields
            ),
            body: entry.body,
            userInfo: entry.userInfo,
            storagePolicy: entry.place == nil ? .allowedInMemoryOnly : .allowed
        )
    }

    /// Stores a response to a GET request, and replaces the stored one.
    ///
    /// This does not check the response's own fields, and stores only HTTP responses. The data is the decoded
    /// body, as a task delivers it, or the stored body itself.
    public func storeCachedResponse(_ cachedResponse: CachedURLResponse, for request: URLRequest) {
        guard let response = cachedResponse.response as? HTTPURLResponse,
            let asked = CacheRequest(request), asked.method == "GET"
        else { return }
        let now = Date().timeIntervalSince1970
        var fields = response.headerFields
        StoredFields.describe(cachedResponse.data, stored: lookUp(asked)?.body.data, &fields)
        let head = HopHead(
            status: response.statusCode,
            httpVersion: response.httpVersion,
            reason: response.reasonPhrase,
            fields: fields
        )
        let storedHead = StoredHead(head, to: asked, requestTime: now, responseTime: now)
        store(storedHead, cachedResponse)
    }

    /// Removes the response to a request.
    public func removeCachedResponse(for request: URLRequest) {
        guard let asked = CacheRequest(request) else { return }
        remove(asked.key)
    }

    /// Removes all responses, also those of other processes in the folder.
    public func removeAllCachedResponses() {
        removeAll(since: nil)
    }

    /// Removes the responses that the cache has stored or validated since a date.
    public func removeCachedResponses(since date: Date) {
        removeAll(since: date.timeIntervalSince1970)
    }

    private func removeAll(since moment: Double?) {
        memory.removeAll(since: moment)
        disk?.removeAll(since: moment)
    }
}

// Methods for tasks.
extension URLCache {
    /// The divisor of the capacity for one response.
    static let share = 20

    /// The largest body to store, bytes; the cache would not verify the checksum of a larger one before it
    /// serves it.
    static let largestResponse: Int64 = 64 << 20

    /// Whether the cache has any capacity.
    var isUseful: Bool { memoryCapacity > 0 || diskCapacity > 0 }

    /// The response that a request selects; with `mayDiffer` also one that it may select, after a session
    /// has added its fields.
    func lookUp(_ request: CacheRequest, mayDiffer: Bool = false) -> CacheEntry? {
        memory.lookUp(request, mayDiffer: mayDiffer) ?? disk?.lookUp(request, mayDiffer: mayDiffer)
    }

    func use(_ entry: CacheEntry) {
        if entry.place == nil { memory.use(entry) } else { disk?.use(entry) }
    }

    /// Updates an entry's head; removes the entry if other fields select it from now on.
    func update(_ entry: CacheEntry, to storedHead: StoredHead) {
        guard VarySelection.names(storedHead.fields) == VarySelection.names(entry.storedHead.fields)
        else {
            return remove(entry)
        }
        if entry.place == nil {
            memory.update(entry, to: storedHead)
        } else {
            disk?.update(entry, to: storedHead)
        }
    }

    func remove(_ entry: CacheEntry) {
        if entry.place == nil { memory.remove(entry) } else { disk?.remove(entry) }
    }

    func remove(_ key: CacheKey) {
        memory.remove(key)
        disk?.remove(key)
    }

    /// A recorder for the body of a response; `nil` where the stated length is too large.
    func record(_ storedHead: StoredHead, _ head: HopHead) -> CacheRecorder? {
        let isOnDisk = diskCapacity > 0
        let share = Int64((isOnDisk ? diskCapacity : memoryCapacity) / Self.share)
        let limit = min(share, Self.largestResponse)
        guard limit > 0, head.bodyLength("GET").map({ $0 <= limit }) ?? true else { return nil }
        let makeFile: (@Sendable () -> DraftFile?)? =
            isOnDisk ? { @Sendable [disk] in disk?.makeDraft(storedHead.key) } : nil
        return CacheRecorder(
            storedHead,
            head,
            CacheDraft(limit: limit, makeFile: makeFile),
            cache: self
        )
    }

    /// Stores a response of the program.
    func store(_ storedHead: StoredHead, _ response: CachedURLResponse) {
        let data = response.data
        var onDisk = false
        switch response.storagePolicy {
        case .notAllowed: return
        case .allowed: onDisk = data.count <= diskCapacity / Self.share
        case .allowedInMemoryOnly: disk?.remove(storedHead.key)
        }
        store(storedHead, MemoryBody(data), nil, response.userInfo, onDisk: onDisk)
    }

    /// Stores a response, whose body may have a file already, on disk, or in memory if the disk fails.
    func store(
        _ storedHead: StoredHead,
        _ body: any CacheBody,
        _ draft: DraftFile?,
        _ userInfo: [String: any Sendable]?,
        onDisk: Bool
    ) {
        let capacity = diskCapacity
        if onDisk, capacity > 0, let disk,
            disk.store(storedHead, body, draft, userInfo, capacity: capacity)
        {
            return memory.remove(storedHead.key)
        }
        guard body.length <= Int64(memoryCapacity / Self.share) else { return }
        let own = body is MemoryBody ? body : MemoryBody(body.data)
        memory.store(CacheEntry(storedHead: storedHead, body: own, userInfo: userInfo, place: nil))
    }
}

// Foundation's methods with a task instead of a request.
extension URLCache {
    /// The stored response to a task's request.
    ///
    /// - Parameters:
    ///   - dataTask: the task.
    ///   - completionHandler: takes the response, before this call returns; `nil`: none.
    public func getCachedResponse(
        for dataTask: URLSessionDataTask,
        completionHandler: @Sendable (CachedURLResponse?) -> Void
    ) { completionHandler(dataTask.currentRequest.flatMap(cachedResponse(for:))) }

    /// Stores a response to a task's request.
    public func storeCachedResponse(
        _ cachedResponse: CachedURLResponse,
        for dataTask: URLSessionDataTask
    ) {
        guard let request = dataTask.currentRequest else { return }
        storeCachedResponse(cachedResponse, for: request)
    }

    /// Removes the response to a task's request.
    public func removeCachedResponse(for dataTask: URLSessionDataTask) {
        guard let request = dataTask.currentRequest else { return }
        removeCachedResponse(for: request)
    }
}

extension URLCache {
    /// The places where the cache may store a response, with Foundation's numbers.
    public enum StoragePolicy: UInt, Sendable, Hashable {
        /// In memory and on disk.
        case allowed = 0
        /// In memory only.
        case allowedInMemoryOnly = 1
        /// Nowhere.
        case notAllowed = 2
    }
}
