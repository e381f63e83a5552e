// swift-tools-version: 6.2

import PackageDescription

/// The language, stated once: Swift 6, explicit existentials, imports that stay inside their file.
let language: [SwiftSetting] =
    [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
    ] + (Context.environment["CI"] == nil ? [] : [.treatAllWarnings(as: .error)])

let system = Target.Dependency.product(name: "SystemPackage", package: "swift-system")

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
        .target(
            name: "CurlMulti",
            dependencies: ["CCurl", "CLinux", "CSSL", system],
            swiftSettings: language
        ),
        .target(
            name: "URLLoading",
            dependencies: ["CurlMulti", "CCodings", "CCrypto", "CLinux", "CSystemBus", system],
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
            swiftSettings: language
        ),
        .systemLibrary(name: "CTestSupport"),
        .systemLibrary(
            name: "CTestCodings",
            providers: [.apt(["zlib1g-dev", "libbrotli-dev", "libzstd-dev"])]
        ),
        .target(
            name: "TestSupport",
            dependencies: ["CTestCodings", "CTestSupport"],
            exclude: ["NTLM/Acceptor"],
            swiftSettings: language
        ),
        .testTarget(
            name: "TestSupportTests",
            dependencies: ["TestSupport"],
            swiftSettings: language
        ),
        .testTarget(
            name: "CurlMultiTests",
            dependencies: ["CurlMulti", "TestSupport"],
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
