import Glibc
import TestSupport
import Testing

@testable import URLLoading

@Suite("Damaged and foreign entries")
struct DamagedEntryTests: DiskStoreSuite {
    let folder: TestSupport.TemporaryFolder
    let store: DiskStore

    init() throws {
        folder = try TestSupport.TemporaryFolder()
        store = DiskStore(folder.path("cache"))
    }

    @Test(
        "C-01 an entry with any byte damaged is a miss, and is removed",
        arguments: [0, 5, 8, 12, 16, 23, 24, 27, 34, 35, 36, 43, 44, 45, 46, 60, 100, -1, -3]
    )
    func damaged(_ offset: Int) throws {
        let request = try asked()
        try put(Self.small, for: request)
        let name = try #require(files().first { $0.contains("/") })
        var bytes = try #require(folder.read("cache/\(name)"))
        let index = offset < 0 ? bytes.count + offset : offset
        bytes[index] ^= 0x55
        try overwrite(name, bytes)
        let cache = cache()
        let found = cache.cachedResponse(for: try URLLoadingTests.request("http://h/a"))
        #expect(found == nil)
        #expect(store.usage == 0)
    }

    @Test(
        "C-01 a truncated entry is a miss, wherever it is cut",
        arguments: [0, 1, 20, 24, 50, 100]
    )
    func torn(_ length: Int) throws {
        let request = try asked()
        try put(Self.small, for: request)
        let name = try #require(files().first { $0.contains("/") })
        truncate(folder.path("cache/\(name)"), off_t(length))
        #expect(body(request) == nil)
        try put(Self.small, for: request)
        #expect(body(request) == Self.small)
    }

    @Test("C-01 a large body that is truncated, damaged or missing is a miss")
    func tornBody() throws {
        let request = try asked()
        for damage in 0..<3 {
            try put(Self.large, for: request)
            let name = try #require(files().first { $0.contains(".") })
            let path = folder.path("cache/\(name)")
            switch damage {
            case 0: truncate(path, 299_999)
            case 1:
                var bytes = Self.large
                bytes[150_000] ^= 1
                try overwrite(name, bytes)
            default: unlink(path)
            }
            #expect(body(request) == nil, "\(damage)")
        }
    }

    /// Overwrites a file in place.
    private func overwrite(_ name: String, _ bytes: [UInt8]) throws {
        let descriptor = open(folder.path("cache/\(name)"), O_WRONLY | O_TRUNC)
        defer { close(descriptor) }
        try #require(bytes.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) } > 0)
    }

    @Test("C-01 a foreign file in an entry's place is a miss, and a link there is not followed")
    func foreign() throws {
        let request = try asked()
        try put(Self.small, for: request)
        let name = try #require(files().first { $0.contains("/") })
        let path = folder.path("cache/\(name)")
        let secret = try folder.write("secret", to: "secret")
        unlink(path)
        symlink(secret, path)
        #expect(store.lookUp(request) == nil)
        #expect(folder.readText("secret") == "secret")
        #expect(!folder.exists("cache/\(name)"))
        mkfifo(path, 0o600)
        #expect(store.lookUp(request) == nil)
        unlink(path)
        mkdir(path, 0o700)
        #expect(store.lookUp(request) == nil)
        rmdir(path)
        try put(Self.small, for: request)
        chmod(path, 0o644)
        #expect(store.lookUp(request) == nil, "others may have read it, or written")
        try put(Self.small, for: request)
        link(path, folder.path("second"))
        #expect(store.lookUp(request) == nil, "a second name")
    }

    @Test("C-01 two keys with one file name are distinguished")
    func collision() throws {
        let one = try asked(url: "http://h/one")
        let two = try asked(url: "http://h/two")
        try put(Self.small, for: one)
        let from = DiskName(one.key)
        let to = DiskName(two.key)
        mkdir(folder.path("cache/\(to.folder)"), 0o700)
        rename(
            folder.path("cache/\(from.folder)/\(from.file)"),
            folder.path("cache/\(to.folder)/\(to.file)")
        )
        #expect(store.lookUp(two) == nil)
    }

    @Test("C-01 a shared or read-only folder is not used as a cache, without an error")
    func untrusted() throws {
        let request = try asked()
        mkdir(folder.path("cache"), 0o700)
        chmod(folder.path("cache"), 0o777)
        #expect(try !put(Self.small, for: request))
        chmod(folder.path("cache"), 0o700)
        try folder.write("a file", to: "file")
        let inFile = DiskStore(folder.path("file/cache"))
        #expect(try !put(Self.small, for: request, in: inFile))
        #expect(inFile.lookUp(request) == nil)
        let nowhere = DiskStore("/proc/self/cache")
        #expect(try !put(Self.small, for: request, in: nowhere))
        #expect(nowhere.lookUp(request) == nil)
    }
}
