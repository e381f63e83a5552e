import FoundationEssentials
import Testing

/// Checks the programs in `Examples`: each is built, listed, run by a test, and uses the public API only.
@Suite struct ExampleFolderTests {
    private static let readme = "Examples/README.md"

    /// The folders of `Examples`.
    private static let names: [String] = {
        let path = Repository.path("Examples")
        let found = try? FileManager.default.contentsOfDirectory(atPath: path)
        return (found ?? []).filter { !$0.contains(".") }.sorted()
    }()

    @Test func eachIsATarget() throws {
        let manifest = try Repository.text(of: "Package.swift")
        let list = try #require(manifest.firstMatch(of: /let examples = \[([^\]]*)\]/))
        let targets = list.1.matches(of: /"(\w+)"/).map { String($0.1) }
        #expect(targets == Self.names)
        #expect(targets.count >= 12)
        // The compiler restricts the examples to the public API.
        #expect(manifest.contains("packageAccess: false"))
    }

    @Test func eachIsInTheTable() throws {
        let listed = Page(name: Self.readme, text: try Repository.text(of: Self.readme))
            .rows(under: "Programs").map { $0[0].filter { $0 != "`" } }
        #expect(listed == Self.names)
    }

    @Test(arguments: names)
    func eachIsRunByATest(_ name: String) throws {
        let tests = try Repository.swiftFiles(below: "Tests")
            .map { try Repository.text(of: $0) }
        #expect(tests.contains { $0.contains("\"\(name)\"") })
    }

    @Test(arguments: names)
    func eachIsSmallAndBeginsWithItsUse(_ name: String) throws {
        let text = try Repository.text(of: "Examples/\(name)/main.swift")
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.count <= 101)
        #expect(text.hasPrefix("// Shows "))
        #expect(lines.prefix { $0.hasPrefix("//") }.last?.contains("swift run \(name)") == true)
        let allowed = [
            "Dispatch", "FoundationEssentials", "Glibc", "Synchronization", "URLLoading",
        ]
        let imports = text.matches(of: /(?m)^.*import (.+)$/).map { String($0.1) }
        #expect(imports.allSatisfy(allowed.contains), "\(imports)")
    }
}
