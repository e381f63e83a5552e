import FoundationEssentials
import Glibc
import Synchronization

/// Responses on disk, one file for each entry, in a folder that any number of processes use at once.
///
/// The store puts an entry's file in its place by a rename, and never changes it, so a process that has
/// opened it can read it completely. There is no index: the key determines the file's name, and the file's
/// time is the last use. The used space is a counter that is corrected from time to time. A large body has
/// its own file, so that an update of the head copies no body. The store removes a damaged or foreign file
/// when it finds one. It does not flush files to the disk: after a power failure a length or a checksum is
/// wrong, and the entry is a miss.
final class DiskStore: Sendable {
    private let given: String?
    private let found = Mutex<String?>(nil)

    /// - Parameter folder: an absolute path; `nil`: the user's cache folder.
    init(_ folder: String?) {
        given = folder.map {
            $0.utf8.count > 1 && $0.endsWithBytes(of: "/")
                ? String(Substring($0.utf8.dropLast())) : $0
        }
    }

    /// The folder's path; `nil` where the environment names none, or no checksum can be computed.
    var root: String? {
        guard Checksum.isAvailable else { return nil }
        if let given { return given }
        return found.withLock { found in
            if found == nil { found = UserFolders().cache.map { "\($0)/answers" } }
            return found
        }
    }

    func path(_ name: DiskName, body: String? = nil) -> String? {
        root.map { "\($0)/\(name.folder)/\(name.file)\(body.map { ".\($0)" } ?? "")" }
    }

    func lookUp(_ request: CacheRequest, mayDiffer: Bool = false) -> CacheEntry? {
        let name = DiskName(request.key)
        switch open(name, request.key) {
        case nil: return nil
        case .entry(let entry): return entry
        case .variants(let variants):
            let selection = VarySelection(variants.names, of: request.fields)
            let exact = DiskName(variants, selection)
            if let entry = entry(exact, request, where: { $0.matches(request.fields) }) {
                return entry
            }
            guard mayDiffer else { return nil }
            return variantNames(name).lazy.compactMap { variant in
                self.entry(variant, request) { $0.mayMatch(request.fields) }
            }.first
        }
    }

    /// The result of a look-up by name.
    enum Found {
        case entry(CacheEntry)
        case variants(DiskRecord.VariantRecord)
    }

    private func entry(
        _ name: DiskName,
        _ request: CacheRequest,
        where isMatch: (VarySelection) -> Bool
    ) -> CacheEntry? {
        guard case .entry(let entry)? = open(name, request.key), isMatch(entry.storedHead.selection)
        else { return nil }
        return entry
    }

    /// Opens an entry, with its body; `nil` where none exists, or one of another key.
    func open(_ name: DiskName, _ key: CacheKey?) -> Found? {
        guard let path = path(name) else { return nil }
        do throws(EntryFile.Failure) {
            let file = try EntryFile(path)
            guard key == nil || file.record.key == key else { return nil }
            switch file.record {
            case .variants(let variants): return .variants(variants)
            case .response(let storedHead, let body, let userInfo):
                guard let opened = self.body(body, of: file, name) else { throw .damaged }
                return .entry(
                    CacheEntry(
                        storedHead: storedHead,
                        body: opened,
                        userInfo: userInfo,
                        place: DiskPlace(name: name, inode: file.inode, body: body)
                    )
                )
            }
        } catch .damaged {
            removeDamaged(name)
            return nil
        } catch {
            return nil
        }
    }

    private func body(
        _ body: DiskRecord.BodyRecord,
        of file: borrowing EntryFile,
        _ name: DiskName
    ) -> FileBody? {
        var start = file.bodyStart
        let descriptor: CInt
        if let own = body.file {
            guard let path = path(name, body: own) else { return nil }
            descriptor = Glibc.open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
            start = 0
        } else {
            descriptor = file.duplicate
        }
        guard descriptor >= 0 else { return nil }
        return FileBody(
            descriptor: descriptor,
            start: start,
            length: body.length,
            checksum: body.checksum
        )
    }

    /// Records the use of an entry, so that the cache evicts it later.
    func use(_ entry: CacheEntry) {
        guard let name = entry.place?.name else { return }
        touch(name)
        if let key = name.key { touch(DiskName(folder: name.folder, file: key)) }
    }

    private func touch(_ name: DiskName) {
        guard let path = path(name) else { return }
        utimensat(AT_FDCWD, path, nil, AT_SYMLINK_NOFOLLOW)
    }

    /// The names of a key's responses that fields select.
    func variantNames(_ name: DiskName) -> [DiskName] {
        guard let root else { return [] }
        return FolderListing.names("\(root)/\(name.folder)")
            .filter { file in
                file.startsWithBytes(of: "\(name.file)-")
                    && !file.utf8.contains { ".~".utf8.contains($0) }
            }
            .map { DiskName(folder: name.folder, file: $0) }
    }
}
