import Testing

@Suite struct ImportDirectionTests {
    /// The modules that each module may import; there are no other modules.
    private static let allowed: [String: Set<String>] = [
        // Rules without input and output: this module imports no other module of the package. It reads the
        // clock by the system's call.
        "HTTPSemantics": ["FoundationEssentials", "Glibc"],
        "CurlMulti": [
            "CCrypto", "CCurl", "CLinux", "CSSL", "Glibc", "HTTPSemantics", "Synchronization",
            "SystemPackage",
        ],
        "URLLoading": [
            "CCodings", "CCrypto", "CLinux", "CSystemBus", "CurlMulti", "Dispatch",
            "FoundationEssentials", "Glibc", "HTTPSemantics", "Synchronization", "SystemPackage",
        ],
        // The only product with the large Foundation; the command does not use it.
        "URLLoadingFoundation": ["Foundation", "URLLoading"],
        "FetchCommand": [
            "URLLoading", "CLinux", "Dispatch", "FoundationEssentials", "Glibc", "Synchronization",
            "SystemPackage",
        ],
        "fetch": ["FetchCommand"],
        // Makes files from the flags at development time; not part of the command.
        "FetchDocumentation": ["FetchCommand"],
        // It may import the project's modules, and no module may import it.
        "TestSupport": [
            "CTestCodings", "CTestSupport", "CurlMulti", "FetchCommand", "Foundation",
            "Synchronization", "Testing",
            "URLLoading",
        ],
    ]

    /// The only file outside `Transport` that calls the engine: it reads the engine's version.
    private static let versionFile = "Sources/URLLoading/Session/URLLoadingVersion.swift"

    /// The modules of a file's imports, which stand before its first declaration.
    private static func imports(of file: String) throws -> [String] {
        var rest = try Repository.text(of: file)[...]
        var modules: [String] = []
        while !rest.isEmpty {
            let line = rest[..<(rest.utf8.firstIndex(of: UInt8(ascii: "\n")) ?? rest.endIndex)]
            rest = rest[line.endIndex...].dropFirst()
            if line.isEmpty || line.hasPrefix("//") { continue }
            guard let imported = line.prefixMatch(of: /(?:@\w+\s+)*(?:\w+\s+)?import\s+(.+)/)?.1
            else { break }
            // In `import struct Module.Type` the second word names the module.
            let module = imported.split(separator: " ").last ?? imported
            modules.append(String(module.split(separator: ".").first ?? module))
        }
        return modules
    }

    @Test func modulesImportInOneDirection() throws {
        let support = try Repository.swiftFiles(below: "Tests/Support")
        let pages = try Repository.swiftFiles(below: "Tests/FetchDocumentation")
        for file in try Repository.swiftFiles(below: "Sources") + support + pages {
            let isSupport = file.hasPrefix("Tests/Support/")
            let module = isSupport ? "TestSupport" : String(file.split(separator: "/")[1])
            let allowed = try #require(Self.allowed[module], "\(module) is a new module")
            for imported in try Self.imports(of: file) {
                #expect(allowed.contains(imported), "\(file) imports \(imported)")
            }
        }
    }

    @Test func onlyTheTransportImportsTheEngine() throws {
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
