// swift-tools-version: 6.2

import Foundation
import PackageDescription

/// The language, stated once: Swift 6, explicit existentials, imports that stay inside their file.
let language: [SwiftSetting] =
    [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
    ] + (Context.environment["CI"] == nil ? [] : [.treatAllWarnings(as: .error)])

let system = Target.Dependency.product(name: "SystemPackage", package: "swift-system")

/// The notes in a target's folders, which are no sources of it.
func notes(of target: String) -> [String] {
    let files = FileManager.default.enumerator(
        atPath: "\(Context.packageDirectory)/Sources/\(target)"
    )
    return (files?.compactMap { $0 as? String } ?? []).filter { $0.hasSuffix("README.md") }.sorted()
}

/// The small programs in `Examples`.
let examples = [
    "Authentication", "BackgroundDownload", "Cache", "Cookies", "CustomProtocol", "DataTask",
    "Download", "ErrorsAndRetries", "ManyDownloads", "Metrics", "Parts", "Proxy", "Redirects",
    "ServerTrust", "Sessions", "Upload",
]

let package = Package(
    name: "fetch",
    products: [
        .executable(name: "fetch", targets: ["fetch"]),
        .library(name: "URLLoading", targets: ["URLLoading"]),
        // The rules of HTTP alone, without libcurl.
        .library(name: "HTTPSemantics", targets: ["HTTPSemantics"]),
        // What needs the whole of Foundation, for programs that use it anyway.
        .library(name: "URLLoadingFoundation", targets: ["URLLoadingFoundation"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-system", from: "1.8.0")
    ],
    targets: [
        .systemLibrary(
            name: "CCurl",
            pkgConfig: "libcurl",
            providers: [.apt(["libcurl4-openssl-dev"])]
        ),
        .systemLibrary(name: "CLinux"),
        .systemLibrary(
            name: "CCrypto",
            pkgConfig: "libcrypto",
            providers: [.apt(["libssl-dev"])]
        ),
        .systemLibrary(
            name: "CSSL",
            pkgConfig: "libssl",
            providers: [.apt(["libssl-dev"])]
        ),
        .systemLibrary(
            name: "CCodings",
            providers: [.apt(["zlib1g-dev", "libbrotli-dev", "libzstd-dev"])]
        ),
        .systemLibrary(name: "CSystemBus"),
        // Rules as values, without input and output: no other target may be under it.
        .target(
            name: "HTTPSemantics",
            exclude: notes(of: "HTTPSemantics"),
            swiftSettings: language
        ),
        .target(
            name: "CurlMulti",
            dependencies: ["HTTPSemantics", "CCrypto", "CCurl", "CLinux", "CSSL", system],
            exclude: notes(of: "CurlMulti"),
            swiftSettings: language
        ),
        .target(
            name: "URLLoading",
            dependencies: [
                "HTTPSemantics", "CurlMulti", "CCodings", "CCrypto", "CLinux", "CSystemBus", system,
            ],
            exclude: notes(of: "URLLoading"),
            swiftSettings: language
        ),
        .target(
            name: "URLLoadingFoundation",
            dependencies: ["URLLoading"],
            swiftSettings: language
        ),
        .target(
            name: "FetchCommand",
            dependencies: ["URLLoading", "CLinux", system],
            exclude: notes(of: "FetchCommand"),
            swiftSettings: language
        ),
        .executableTarget(
            name: "fetch",
            dependencies: ["FetchCommand"],
            swiftSettings: language
        ),
        .target(
            name: "FetchDocumentation",
            dependencies: ["FetchCommand"],
            path: "Tests/FetchDocumentation",
            swiftSettings: language
        ),
        .systemLibrary(name: "CTestSupport", path: "Tests/CTestSupport"),
        .systemLibrary(
            name: "CTestCodings",
            path: "Tests/CTestCodings",
            providers: [.apt(["zlib1g-dev", "libbrotli-dev", "libzstd-dev"])]
        ),
        .target(
            name: "TestSupport",
            dependencies: ["CTestCodings", "CTestSupport"],
            path: "Tests/Support",
            exclude: ["NTLM/Acceptor", "README.md"],
            swiftSettings: language
        ),
        .testTarget(
            name: "TestSupportTests",
            dependencies: ["TestSupport"],
            swiftSettings: language
        ),
        .testTarget(
            name: "HTTPSemanticsTests",
            dependencies: ["HTTPSemantics"],
            swiftSettings: language
        ),
        .testTarget(
            name: "CurlMultiTests",
            dependencies: ["CurlMulti", "HTTPSemantics", "TestSupport"],
            swiftSettings: language
        ),
        .testTarget(
            name: "URLLoadingTests",
            dependencies: ["URLLoading", "CSystemBus", "TestSupport", system],
            swiftSettings: language
        ),
        .testTarget(
            name: "URLLoadingFoundationTests",
            dependencies: ["URLLoadingFoundation", "TestSupport"],
            swiftSettings: language
        ),
        .testTarget(
            name: "FetchCommandTests",
            dependencies: ["FetchCommand", "TestSupport"],
            swiftSettings: language
        ),
        .testTarget(
            name: "EndToEndTests",
            dependencies: ["fetch", "BackgroundDownload", "FetchCommand", "TestSupport"],
            swiftSettings: language
        ),
        .testTarget(
            name: "DocumentationTests",
            dependencies: [
                "fetch", "FetchCommand", "FetchDocumentation", "URLLoading", "TestSupport",
            ],
            swiftSettings: language
        ),
        .testTarget(
            name: "ExampleTests",
            dependencies: examples.map { .target(name: $0) } + ["TestSupport"],
            swiftSettings: language
        ),
    ],
    swiftLanguageModes: [.v6]
)

// They see what any other package sees of the library.
package.targets += examples.map { name in
    .executableTarget(
        name: name,
        dependencies: ["URLLoading"],
        path: "Examples/\(name)",
        packageAccess: false,
        swiftSettings: language
    )
}

// The fuzzers, which Scripts/fuzz alone builds.
if Context.environment["FETCH_FUZZ"] != nil {
    package.targets.append(
        .executableTarget(
            name: "Fuzz",
            dependencies: ["CurlMulti", "FetchCommand", "URLLoading"],
            path: "Fuzz/Targets",
            swiftSettings: language
        )
    )
}

// A developer's loop: FETCH_TESTS=HTTPSemanticsTests builds these test targets alone, and what they need
// (Scripts/test --only).
if let names = Context.environment["FETCH_TESTS"] {
    let kept = names.split(separator: ",").map(String.init)
    let unknown = Set(kept).subtracting(package.targets.filter { $0.type == .test }.map(\.name))
    precondition(unknown.isEmpty, "no test target is called \(unknown.sorted())")
    let byName = Dictionary(uniqueKeysWithValues: package.targets.map { ($0.name, $0) })
    // These start the executable and do not import it.
    let starters: Set = ["TestSupportTests", "URLLoadingTests"]
    var needed: Set<String> = []
    var next = kept + (starters.isDisjoint(with: kept) ? [] : ["fetch"])
    while let name = next.popLast() {
        guard needed.insert(name).inserted, let target = byName[name] else { continue }
        next += target.dependencies.compactMap { dependency in
            switch dependency {
            case .byNameItem(let name, _), .targetItem(let name, _): name
            default: nil
            }
        }
    }
    package.targets.removeAll { !needed.contains($0.name) }
    package.products.removeAll { product in
        let targets = (product as? Product.Executable)?.targets
        return !needed.isSuperset(of: targets ?? (product as? Product.Library)?.targets ?? [])
    }
}
