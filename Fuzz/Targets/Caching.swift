import FoundationEssentials
import Glibc

@testable import URLLoading

// The inputs of a cache: response fields, records of entries, and the usage count of its folder.
extension FuzzTarget {
    private static let now = 1_800_000_000.0

    static let caching = [
        // Each line is a field of the response.
        FuzzTarget("cache-fields") { input in
            var fields = HTTPHeaderFields()
            for line in input.lines {
                let parts = line.split(separator: ":", maxSplits: 1)
                if parts.count == 2 { fields.add(String(parts[1]), to: String(parts[0])) }
            }
            guard
                let request = CacheRequest(
                    url: "https://h.example/a",
                    method: "GET",
                    fields: fields
                )
            else { return }
            let head = HopHead(status: 200, httpVersion: "HTTP/1.1", reason: "OK", fields: fields)
            let response = StoredHead(head, to: request, requestTime: now, responseTime: now + 1)
            _ = StoreVerdict(request, response, fields: fields, keepsStale: false)
            serve(response, to: request, at: now + 60)
            let confirmed = response.confirmed(by: fields, requestTime: now, responseTime: now)
            _ = CacheValidation.confirms(fields, confirmed)
            _ = CacheValidation.describes(fields, confirmed, length: 1)
        },
        // The input is used unchanged, or as a record with a valid length and checksum.
        FuzzTarget("cache-record") { input in
            _ = input.bytes.withUnsafeBytes { DiskRecord($0) }
            guard let record = DiskRecord.sealed(input.bytes).withUnsafeBytes({ DiskRecord($0) })
            else {
                return
            }
            check(record.body?.length ?? 0 >= 0, "a length is not negative")
            guard let encoded = record.encoded else { return }
            let again = encoded.withUnsafeBytes { DiskRecord($0) }
            check(again?.encoded == encoded, "a record reads as it was written")
            guard case .response(let response, _, _) = record,
                let request = CacheRequest(
                    url: response.key.url,
                    method: "GET",
                    fields: HTTPHeaderFields()
                )
            else { return }
            serve(response, to: request, at: now)
        },
        FuzzTarget("cache-usage") { input in
            _ = ScratchFolder.file("usage", input.bytes)
            check(DiskUsage.total(ScratchFolder.path) >= 0, "a folder takes no less than nothing")
            guard var usage = DiskUsage(ScratchFolder.path) else { return }
            let before = usage.bytes
            usage.add(4_096)
            usage.add(-8_192)
            if usage.isDoubtful { usage.set(4_096, before: before) }
        },
    ]

    private static func serve(_ response: StoredHead, to request: CacheRequest, at now: Double) {
        let freshness = Freshness(response, now: now)
        check(!(freshness.lifetime < 0), "a lifetime is not negative")
        _ = response.head(now: now, length: 1, isValidated: false)
        _ = CacheVerdict(request, policy: .useProtocolCachePolicy, stored: response, now: now)
        _ = response.selection.matches(request.fields)
        _ = response.selection.mayMatch(request.fields)
    }
}

/// A folder for parsers that take a path; it is removed at the process's exit.
enum ScratchFolder {
    static let path: String = {
        var template = Array("/tmp/fetch-fuzz-XXXXXX".utf8CString)
        guard let made = mkdtemp(&template) else { return "/nowhere" }
        atexit {
            for name in ["usage", "part", "config"] { unlink("\(ScratchFolder.path)/\(name)") }
            rmdir(ScratchFolder.path)
        }
        return String(cString: made)
    }()

    /// Writes a file, and returns its path.
    static func file(_ name: String, _ bytes: [UInt8]) -> String {
        let descriptor = open("\(path)/\(name)", O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        _ = bytes.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
        close(descriptor)
        return "\(path)/\(name)"
    }
}
