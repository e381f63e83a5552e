import Testing

@Suite struct ImportDirectionTests {
    /// What each module may import; there are no others.
    private static let allowed: [String: Set<String>] = [
        // Rules without input and output: no module of this package is under it.
        "HTTPSemantics": ["FoundationEssentials"],
        "CurlMulti": [
            "CCrypto", "CCurl", "CLinux", "CSSL", "Glibc", "HTTPSemantics", "Synchronization",
            "SystemPackage",
        ],
        "URLLoading": [
            "CCodings", "CCrypto", "CLinux", "CSystemBus", "CurlMulti", "Dispatch",
            "FoundationEssentials", "Glibc", "HTTPSemantics", "Synchronization", "SystemPackage",
        ],
        // The one product with the large Foundation; the command has nothing of it.
        "URLLoadingFoundation": ["Foundation", "URLLoading"],
        "FetchCommand": [
            "URLLoading", "CLinux", "Dispatch", "FoundationEssentials", "Glibc", "Synchronization",
            "SystemPackage",
        ],
        "fetch": ["FetchCommand"],
        // What is made from the flags at home, and no part of the command.
        "FetchDocumentation": ["FetchCommand"],
        // Of the project's own modules it knows none: it may, and no module may know it.
        "TestSupport": [
            "CTestCodings", "CTestSupport", "CurlMulti", "FetchCommand", "Foundation",
            "Synchronization", "Testing",
            "URLLoading",
        ],
    ]

    /// The one file outside `Transport` that speaks to the engine: it asks for its version.
    private static let versionFile = "Sources/URLLoading/Session/URLLoadingVersion.swift"

    private static func imports(of file: String) throws -> [String] {
        try Repository.text(of: file)
            .split(separator: "\n")
            .compactMap { $0.prefixMatch(of: /\s*(?:@\w+\s+)*(?:\w+\s+)?import\s+(.+)/)?.1 }
            .map { imported in
                // In `import struct Module.Type` the module is the second word.
                let module = imported.split(separator: " ").last ?? imported
                return String(module.split(separator: ".").first ?? module)
            }
    }

    @Test func modulesLookOneWay() throws {
        let support = try Repository.swiftFiles(below: "Tests/Support")
        for file in try Repository.swiftFiles(below: "Sources") + support {
            let isSupport = file.hasPrefix("Tests/Support/")
            let module = isSupport ? "TestSupport" : String(file.split(separator: "/")[1])
            let allowed = try #require(Self.allowed[module], "\(module) is a new module")
            for imported in try Self.imports(of: file) {
                #expect(allowed.contains(imported), "\(file) imports \(imported)")
            }
        }
    }

    @Test func onlyTheTransportKnowsTheEngine() throws {
        for file in try Repository.swiftFiles(below: "Sources/URLLoading")
        where try Self.imports(of: file).contains("CurlMulti") {
            let isTransport = file.hasPrefix("Sources/URLLoading/Transport/")
            #expect(isTransport || file == Self.versionFile, "\(file) imports CurlMulti")
        }
    }

    @Test func theTestsOfTheRulesNeedNoServer() throws {
        for file in try Repository.swiftFiles(below: "Tests/HTTPSemanticsTests") {
            let imports = Set(try Self.imports(of: file))
            let allowed: Set = ["FoundationEssentials", "HTTPSemantics", "Testing"]
            #expect(imports.isSubset(of: allowed), "\(file)")
        }
    }

    @Test func theParserOfImportsSeesEveryForm() throws {
        #expect(try Self.imports(of: "Sources/URLLoading/Session/URLSession.swift").count == 3)
        #expect(try Self.imports(of: "Sources/fetch/main.swift") == ["FetchCommand"])
        let tests = "Tests/DocumentationTests/ExitStatusTableTests.swift"
        #expect(try Self.imports(of: tests).contains("FetchCommand"))
    }
}
