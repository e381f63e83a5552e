import TestSupport

/// A suite whose tests run fetch several times with one home folder, and so with one cache.
protocol CacheSuite {
    var home: TemporaryFolder { get }
}

extension CacheSuite {
    func run(_ arguments: String...) async throws -> ProcessResult {
        try await FetchProcess(["-qO-"] + arguments, home: home).run()
    }

    /// A file on nginx that was last modified long ago.
    func file(_ name: String, _ text: String) throws -> String {
        try Nginx.shared.addFile(name, text: text, modified: 1_600_000_000)
        return name
    }

    func statuses(_ target: String, _ count: Int) async throws -> [Int] {
        try await Nginx.shared.accessLog(target, waitingFor: count).map(\.status)
    }
}
