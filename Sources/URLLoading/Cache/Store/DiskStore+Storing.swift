import CLinux
import FoundationEssentials
import Glibc

extension DiskStore {
    /// Creates the file for a body that is too large for memory; `nil` on failure.
    func makeDraft(_ key: CacheKey) -> DraftFile? {
        let name = DiskName(key)
        guard let root, CacheFolder.isUsable(root),
            let path = path(name, body: "\(DiskName.unique())~")
        else { return nil }
        mkdir("\(root)/\(name.folder)", 0o700)
        guard let descriptor = make(path) else { return nil }
        // The lock shows that this process writes the file to a process that evicts entries.
        _ = linux_lock_exclusively(descriptor)
        return DraftFile(path: path, descriptor: descriptor)
    }

    private func make(_ path: String) -> CInt? {
        let flags = O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
        let descriptor = Glibc.open(path, flags, 0o600)
        guard descriptor >= 0 else { return nil }
        // The umask may have removed permissions that the owner needs.
        fchmod(descriptor, 0o600)
        return descriptor
    }

    /// Stores a response, whose body may have a file already; returns whether that succeeded.
    func store(
        _ storedHead: StoredHead,
        _ body: any CacheBody,
        _ draft: DraftFile?,
        _ userInfo: [String: any Sendable]?,
        capacity: Int
    ) -> Bool {
        guard let root, CacheFolder.isUsable(root) else { return false }
        var draft = draft
        if draft == nil, body.length > Int64(CacheDraft.memoryLimit) {
            draft = makeDraft(storedHead.key)
            guard let draft, body.data.withUnsafeBytes(draft.write) else { return false }
        }
        guard let name = self.name(of: storedHead, capacity) else { return false }
        var record = DiskRecord.BodyRecord(length: body.length, checksum: 0, file: nil)
        record.checksum =
            (body as? FileBody)?.checksum
            ?? body.data.withUnsafeBytes { Checksum($0).value }
        if let draft {
            let own = DiskName.unique()
            guard let path = path(name, body: own), rename(draft.path, path) == 0 else {
                return false
            }
            record.file = own
        }
        let isKept = put(
            .response(storedHead, record, userInfo: userInfo),
            record.file == nil ? body.data : Data(),
            as: name,
            capacity
        )
        if !isKept, let own = record.file, let path = path(name, body: own) { unlink(path) }
        return isKept
    }

    /// The name of a response's file.
    ///
    /// If fields selected the response, the key's own file lists their names. The store replaces a key file
    /// with other names, which makes its responses unreachable.
    private func name(of storedHead: StoredHead, _ capacity: Int) -> DiskName? {
        let name = DiskName(storedHead.key)
        let names = storedHead.selection.fields.map(\.name)
        guard !names.isEmpty else { return name }
        if case .variants(let variants)? = open(name, storedHead.key), variants.names == names {
            return DiskName(variants, storedHead.selection)
        }
        let variants = DiskRecord.VariantRecord(
            key: storedHead.key,
            token: .random(in: 0...UInt64.max),
            names: names
        )
        guard put(.variants(variants), Data(), as: name, capacity) else { return nil }
        return DiskName(variants, storedHead.selection)
    }

    /// Puts an entry into its place, and replaces an older one.
    private func put(
        _ record: DiskRecord,
        _ body: Data,
        as name: DiskName,
        _ capacity: Int?
    ) -> Bool {
        guard let root, let path = path(name), let encoded = record.encoded else { return false }
        let temporary = "\(path).\(DiskName.unique())~"
        if !write(encoded, body, temporary) {
            mkdir("\(root)/\(name.folder)", 0o700)
            guard write(encoded, body, temporary) else { return false }
        }
        let old = self.old(path)
        guard rename(temporary, path) == 0 else {
            unlink(temporary)
            return false
        }
        let isSameBody = old?.body?.file == record.body?.file
        if let file = old?.body?.file, !isSameBody, let path = self.path(name, body: file) {
            unlink(path)
        }
        var change = DiskUsage.size(Int64(encoded.count + body.count)) - (old?.size ?? 0)
        if record.body?.file != nil, !isSameBody {
            change = change.adding(clamping: DiskUsage.size(record.body?.length ?? 0))
        }
        if old?.body?.file != nil, !isSameBody {
            change = change.subtracting(clamping: DiskUsage.size(old?.body?.length ?? 0))
        }
        account(change, capacity)
        return true
    }

    /// The record and the size of the file to replace.
    private func old(_ path: String) -> (body: DiskRecord.BodyRecord?, size: Int64)? {
        guard let file = try? EntryFile(path) else { return nil }
        return (file.record.body, DiskUsage.size(file.size))
    }

    private func write(_ head: [UInt8], _ body: Data, _ path: String) -> Bool {
        guard let descriptor = make(path) else { return false }
        let file = DraftFile(path: path, descriptor: descriptor)
        let isWritten =
            head.withUnsafeBytes(file.write) && (body.isEmpty || body.withUnsafeBytes(file.write))
        guard isWritten else { return false }
        file.keep()
        return true
    }

    /// Replaces an entry's head.
    func update(_ entry: CacheEntry, to storedHead: StoredHead) {
        guard let place = entry.place, isStillThere(place) else { return }
        let body = place.body.file == nil ? entry.body.data : Data()
        let record = DiskRecord.response(storedHead, place.body, userInfo: entry.userInfo)
        // The file of the key must not be older than a response that it leads to.
        if put(record, body, as: place.name, nil) { use(entry) }
    }

    /// Removes an entry.
    func remove(_ entry: CacheEntry) {
        guard let place = entry.place, isStillThere(place) else { return }
        remove(place.name)
    }

    /// Whether no process has replaced the entry meanwhile.
    private func isStillThere(_ place: DiskPlace) -> Bool {
        guard let path = path(place.name), let file = try? EntryFile(path) else { return false }
        // The kernel may reuse the inode of a removed file.
        return file.inode == place.inode && file.record.body == place.body
    }

    /// Removes all responses of a key.
    func remove(_ key: CacheKey) {
        let name = DiskName(key)
        guard let path = path(name), let file = try? EntryFile(path), file.record.key == key else {
            return
        }
        if case .variants = file.record { for variant in variantNames(name) { remove(variant) } }
        remove(name)
    }

    /// Removes an entry and its body.
    func remove(_ name: DiskName) {
        guard let path = path(name) else { return }
        let old = self.old(path)
        guard unlink(path) == 0 else { return }
        var size = old?.size ?? 0
        if let body = old?.body, let own = body.file, let path = self.path(name, body: own) {
            unlink(path)
            size = size.adding(clamping: DiskUsage.size(body.length))
        }
        account(-size, nil)
    }

    /// Removes a file in an entry's place that is damaged, or whose body is missing.
    func removeDamaged(_ name: DiskName) {
        guard let path = path(name) else { return }
        if (try? EntryFile(path)) != nil { return remove(name) }
        var status = stat()
        guard lstat(path, &status) == 0, unlink(path) == 0 else { return }
        account(-DiskUsage.size(Int64(status.st_size)), nil)
    }
}
